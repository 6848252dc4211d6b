/**
 * Quotes of one expiration, ascending by strike, in USD per share. Each array has one entry per strike. A bid of 0 or
 * NaN means that there is no bid.
 */
export interface StrikeQuotes {
  readonly strike: ArrayLike<number>
  readonly callBid: ArrayLike<number>
  readonly callAsk: ArrayLike<number>
  readonly putBid: ArrayLike<number>
  readonly putAsk: ArrayLike<number>
}

export interface VixTerm {
  readonly minutes: number
  readonly rate: number
  readonly quotes: StrikeQuotes
}

export interface VixVariance {
  readonly t: number
  readonly forward: number
  /** K0: the highest strike not above the forward at which both call and put have a bid. */
  readonly boundary: number
  readonly strikes: number
  /** Variance per year. */
  readonly variance: number
}

export const MINUTES_PER_YEAR = 525_600
export const MINUTES_PER_DAY = 1440

/**
 * Variance per year of one expiration by the method of the VIX:
 *
 *     σ² = (2/T) Σ ΔK/K² e^(RT) Q(K) - (1/T)(F/K0 - 1)²
 *
 * Q is the mid of the out-of-the-money option, and at K0 the mean of both mids. Going outward from K0, options without
 * a bid are left out. After two of them in a row, all options further out are left out too. Undefined if there is no
 * forward or fewer than two options remain.
 * Source: Cboe Volatility Index, White Paper (2014).
 */
export function vixVariance({ minutes, rate, quotes }: VixTerm): VixVariance | undefined {
  const t = minutes / MINUTES_PER_YEAR
  const growth = Math.exp(rate * t)
  const { strike, callBid, callAsk, putBid, putAsk } = quotes
  const callMid = (i: number) => (callBid[i] + callAsk[i]) / 2
  const putMid = (i: number) => (putBid[i] + putAsk[i]) / 2
  const isCallQuoted = (i: number) => callBid[i] > 0 && callAsk[i] > 0
  const isPutQuoted = (i: number) => putBid[i] > 0 && putAsk[i] > 0

  let centre = -1
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < strike.length; i++) {
    const gap = Math.abs(callMid(i) - putMid(i))
    if (!(gap < least && isCallQuoted(i) && isPutQuoted(i))) continue
    centre = i
    least = gap
  }
  if (centre === -1) return undefined
  const forward = strike[centre] + growth * (callMid(centre) - putMid(centre))
  let at = strike.length - 1
  while (at >= 0 && !(strike[at] <= forward && isCallQuoted(at) && isPutQuoted(at))) at--
  if (at === -1) return undefined

  const chosen = [...outwards(at - 1, -1, strike.length, isPutQuoted).reverse(), at]
  const middle = chosen.length - 1
  for (const i of outwards(at + 1, 1, strike.length, isCallQuoted)) chosen.push(i)
  const size = chosen.length
  if (size < 2) return undefined
  const [strikes, values] = [new Float64Array(size), new Float64Array(size)]
  for (let n = 0; n < size; n++) {
    const i = chosen[n]
    strikes[n] = strike[i]
    values[n] = growth * (n < middle ? putMid(i) : n > middle ? callMid(i) : (putMid(i) + callMid(i)) / 2)
  }
  const total = stripVariance({ size, strikes, values, forward, boundary: strike[at] })
  return { t, forward, boundary: strike[at], strikes: size, variance: total / t }
}

/** The out-of-the-money options of one expiration from which the index is computed, ascending by strike. */
interface Strip {
  /** Number of options, at least two. */
  readonly size: number
  readonly strikes: ArrayLike<number>
  /** Option values, not discounted. At the boundary, the mean of put and call. */
  readonly values: ArrayLike<number>
  readonly forward: number
  /** K0: the strike where puts end and calls begin, the highest one not above the forward. */
  readonly boundary: number
}

/**
 * Total variance of a strip, not annualized: 2 Σ ΔK/K² Q(K) - (F/K0 - 1)². ΔK is half the distance between the two
 * strikes next to K.
 */
function stripVariance({ size, strikes, values, forward, boundary }: Strip): number {
  const last = size - 1
  let sum = 0
  for (let i = 0; i < size; i++) {
    const width = strikes[i === last ? last : i + 1] - strikes[i === 0 ? 0 : i - 1]
    sum += ((i === 0 || i === last ? width : width / 2) / (strikes[i] * strikes[i])) * values[i]
  }
  return 2 * sum - (forward / boundary - 1) ** 2
}

export interface DatedVariance {
  readonly minutes: number
  readonly total: number
}

/**
 * Volatility index in points (percent). Total variance is interpolated linearly in minutes to `days` days of 24 hours.
 * Undefined if both expirations settle at the same time, or if the interpolated variance is negative.
 */
export function constantMaturity(near: DatedVariance, next: DatedVariance, days: number): number | undefined {
  if (near.minutes === next.minutes) return undefined
  const minutes = days * MINUTES_PER_DAY
  const share = (next.minutes - minutes) / (next.minutes - near.minutes)
  const total = near.total * share + next.total * (1 - share)
  return total >= 0 ? 100 * Math.sqrt((total * MINUTES_PER_YEAR) / minutes) : undefined
}

/**
 * Volatility index from two expirations around `days` days (30 for the VIX). Undefined if one of them has no variance.
 * Source: Cboe Volatility Index, White Paper (2014).
 */
export function vix(near: VixTerm, next: VixTerm, days = 30): number | undefined {
  const [first, second] = [vixVariance(near), vixVariance(next)]
  if (first === undefined || second === undefined) return undefined
  const dated = (term: VixTerm, { t, variance }: VixVariance) => ({ minutes: term.minutes, total: t * variance })
  return constantMaturity(dated(near, first), dated(next, second), days)
}

/**
 * Indexes of the quoted strikes in outward direction. Stops at the second of two consecutive strikes without a quote.
 */
function outwards(from: number, step: number, size: number, isQuoted: (i: number) => boolean): number[] {
  const found: number[] = []
  let missing = 0
  for (let i = from; i >= 0 && i < size && missing < 2; i += step) {
    if (isQuoted(i)) found.push(i)
    missing = isQuoted(i) ? 0 : missing + 1
  }
  return found
}

/** Quotes of one strike, USD per share; a bid of 0 is no bid. */
export interface StrikeQuotes {
  readonly strike: number
  readonly callBid: number
  readonly callAsk: number
  readonly putBid: number
  readonly putAsk: number
}

/** One of the two expirations around the days an index looks ahead. */
export interface VixTerm {
  readonly minutes: number
  readonly rate: number
  /** Ascending by strike. */
  readonly quotes: readonly StrikeQuotes[]
}

/** What one expiration contributes. */
export interface VixVariance {
  readonly t: number
  readonly forward: number
  /** The highest strike not above the forward. */
  readonly boundary: number
  /** How many strikes count. */
  readonly strikes: number
  /** Per year. */
  readonly variance: number
}

const MINUTES_PER_YEAR = 525_600
const MINUTES_PER_DAY = 1440

/**
 * Variance per year of one expiration by the method of the VIX:
 *
 *     σ² = (2/T) Σ ΔK/K² e^(RT) Q(K) - (1/T)(F/K0 - 1)²
 *
 * Q is the mid of the out-of-the-money option, at K0 the mean of both. From K0 outwards, options without a bid are left
 * out, and all behind two such neighbours. Undefined where no forward or no option is left.
 * Source: Cboe Volatility Index, White Paper (2014).
 */
export function vixVariance({ minutes, rate, quotes }: VixTerm): VixVariance | undefined {
  const t = minutes / MINUTES_PER_YEAR
  const growth = Math.exp(rate * t)
  const centre = closestPair(quotes)
  if (centre === undefined) return undefined
  const forward = centre.strike + growth * (callMid(centre) - putMid(centre))
  const at = quotes.findLastIndex(({ strike }) => strike <= forward)
  if (at === -1) return undefined
  const boundary = quotes[at]
  const puts = outwards(quotes.slice(0, at).toReversed(), 'putBid').toReversed()
  const calls = outwards(quotes.slice(at + 1), 'callBid')
  const chosen = [
    ...puts.map((quote) => ({ strike: quote.strike, price: putMid(quote) })),
    { strike: boundary.strike, price: (putMid(boundary) + callMid(boundary)) / 2 },
    ...calls.map((quote) => ({ strike: quote.strike, price: callMid(quote) }))
  ]
  if (chosen.length < 2) return undefined
  const strikes = chosen.map(({ strike }) => strike)
  const values = chosen.map(({ price }) => growth * price)
  const total = stripVariance({ size: chosen.length, strikes, values, forward, boundary: boundary.strike })
  return { t, forward, boundary: boundary.strike, strikes: chosen.length, variance: total / t }
}

/** The out-of-the-money options of one expiration that count, ascending by strike. */
interface Strip {
  /** Two at least. */
  readonly size: number
  readonly strikes: ArrayLike<number>
  /** Worth at expiry, that is undiscounted; at the boundary the mean of put and call. */
  readonly values: ArrayLike<number>
  readonly forward: number
  /** Where the puts end and the calls begin: the highest strike not above the forward. */
  readonly boundary: number
}

/** Total variance of a strip, not per year: 2 Σ ΔK/K² Q(K) - (F/K0 - 1)², ΔK half the way between the neighbours of K. */
function stripVariance({ size, strikes, values, forward, boundary }: Strip): number {
  const last = size - 1
  let sum = 0
  for (let i = 0; i < size; i++) {
    const width = strikes[i === last ? last : i + 1] - strikes[i === 0 ? 0 : i - 1]
    sum += ((i === 0 || i === last ? width : width / 2) / (strikes[i] * strikes[i])) * values[i]
  }
  return 2 * sum - (forward / boundary - 1) ** 2
}

/** Total variance of one expiration and when it settles. */
export interface DatedVariance {
  readonly minutes: number
  readonly total: number
}

/**
 * A volatility index in points: total variance of the two expirations, linear in minutes, so many days of 24 hours
 * ahead. Undefined where they do not differ or the variance between them is negative.
 */
export function constantMaturity(near: DatedVariance, next: DatedVariance, days: number): number | undefined {
  if (near.minutes === next.minutes) return undefined
  const minutes = days * MINUTES_PER_DAY
  const share = (next.minutes - minutes) / (next.minutes - near.minutes)
  const total = near.total * share + next.total * (1 - share)
  return total >= 0 ? 100 * Math.sqrt((total * MINUTES_PER_YEAR) / minutes) : undefined
}

/**
 * The index of two expirations around so many days, 30 for the VIX. Undefined where one of them has no variance, too.
 * Source: the same paper.
 */
export function vix(near: VixTerm, next: VixTerm, days = 30): number | undefined {
  const [first, second] = [vixVariance(near), vixVariance(next)]
  if (first === undefined || second === undefined) return undefined
  const dated = (term: VixTerm, { t, variance }: VixVariance) => ({ minutes: term.minutes, total: t * variance })
  return constantMaturity(dated(near, first), dated(next, second), days)
}

const callMid = ({ callBid, callAsk }: StrikeQuotes) => (callBid + callAsk) / 2
const putMid = ({ putBid, putAsk }: StrikeQuotes) => (putBid + putAsk) / 2

/** The strike at which call and put cost most nearly the same, among those where both have a bid. */
function closestPair(quotes: readonly StrikeQuotes[]): StrikeQuotes | undefined {
  let best: StrikeQuotes | undefined
  let least = Number.POSITIVE_INFINITY
  for (const quote of quotes) {
    if (!(quote.callBid > 0 && quote.putBid > 0)) continue
    const gap = Math.abs(callMid(quote) - putMid(quote))
    if (gap < least) [best, least] = [quote, gap]
  }
  return best
}

/** Quotes going out from the forward: those with a bid, up to two neighbours without. */
function outwards(quotes: readonly StrikeQuotes[], bid: 'callBid' | 'putBid'): readonly StrikeQuotes[] {
  const without = (i: number) => quotes[i] !== undefined && !(quotes[i][bid] > 0)
  const end = quotes.findIndex((_, i) => without(i) && without(i + 1))
  return quotes.slice(0, end === -1 ? quotes.length : end).filter((quote) => quote[bid] > 0)
}

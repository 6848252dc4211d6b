import { median } from '../math/statistics.ts'
import { CALL, type Chain, type Expiration } from './chain.ts'
import { endOfLife, isLive } from './clock.ts'
import { nameOf } from './shared-contracts.ts'
import { MILLISECONDS_PER_DAY } from './units.ts'

/** Price of the underlying by put-call parity of one expiration, USD, without its carry. */
export interface ParityValue {
  readonly expiration: string
  /** Median of K + C - P. */
  readonly value: number
  /** Half the width of call and put together, plus how far the strikes disagree, USD. */
  readonly error: number
  /** Time to expiry, calendar years. */
  readonly years: number
  /** Price of call and put together at the strike nearest the money, USD. */
  readonly straddle: number
  /**
   * By how many USD the value rises with each USD of the strike, beyond the spreads: 0 if calls and puts fit together, 1
   * if all quotes are equal, 2 if calls and puts are exchanged.
   */
  readonly slope: number
}

/** Bounds of the price of the underlying that the options imply, USD. */
export interface ImpliedSpot {
  readonly low: number
  readonly high: number
}

/** Strikes used of one expiration, those with the closest call and put, and the fewest from which no outlier decides. */
const MAX_PAIRS = 5
const MIN_PAIRS = 3
const MAX_EXPIRATIONS = 6
/** Carry of an expiration that is read alone: rates, borrow fees and yields together, an annual fraction. */
export const CARRY_SLACK = 0.15
/** A line through two expirations counts if its error at expiry zero is below this fraction of the price. */
const MAX_LINE_ERROR = 0.03

/**
 * Parity values of the nearest live expirations, by time. An expiration needs `minPairs` strikes whose call and put are
 * quoted on both sides. Early exercise is ignored: at the money and near expiry it stays below the spreads.
 */
export function parityValues(chain: Chain, minPairs = MIN_PAIRS): readonly ParityValue[] {
  const values: ParityValue[] = []
  for (const expiration of chain.expirations) {
    if (values.length === MAX_EXPIRATIONS) break
    if (!isLive(chain.asOf, expiration.date, expiration.settlement)) continue
    const value = parityValue(chain, expiration, minPairs)
    if (value !== undefined) values.push(value)
  }
  return values
}

function parityValue(chain: Chain, expiration: Expiration, minPairs: number): ParityValue | undefined {
  const pairs = pairsOf(chain, expiration).slice(0, MAX_PAIRS)
  if (pairs.length < minPairs) return undefined
  const value = median(pairs.map(({ spot }) => spot))!
  const width = median(pairs.map(({ halfSpreads }) => halfSpreads))!
  const apart = median(pairs.map(({ spot }) => Math.abs(spot - value)))!
  const years = (endOfLife(expiration.date, expiration.settlement) - chain.asOf) / (365 * MILLISECONDS_PER_DAY)
  const slope = slopeOf(pairs)
  return { expiration: nameOf(expiration), value, error: width + apart, years, straddle: pairs[0].straddle, slope }
}

/**
 * The price that parity values imply: that of the nearest expiration with a slack for carry, and those of the lines
 * through it and each later one at expiry zero, where any constant carry cancels. All of them together, since a
 * dividend between two expirations bends the line. Undefined without parity values.
 */
export function impliedSpot(values: readonly ParityValue[]): ImpliedSpot | undefined {
  const [first, ...later] = values
  if (first === undefined) return undefined
  const slack = first.error + CARRY_SLACK * first.years * first.value
  let [low, high] = [first.value - slack, first.value + slack]
  for (const other of later) {
    const weight = first.years / (other.years - first.years)
    const value = first.value + weight * (first.value - other.value)
    const error = first.error + weight * (first.error + other.error)
    if (!(error < MAX_LINE_ERROR * first.value)) continue
    low = Math.min(low, value - error)
    high = Math.max(high, value + error)
  }
  return { low, high }
}

/** Median slope between neighbouring strikes; 0 where the spreads explain the whole rise. */
function slopeOf(pairs: readonly Pair[]): number {
  const byStrike = [...pairs].sort((a, b) => a.strike - b.strike)
  const [first, last] = [byStrike[0], byStrike[byStrike.length - 1]]
  if (Math.abs(last.spot - first.spot) <= 2 * (first.halfSpreads + last.halfSpreads)) return 0
  const slopes = byStrike.slice(1).map((pair, k) => (pair.spot - byStrike[k].spot) / (pair.strike - byStrike[k].strike))
  return median(slopes)!
}

interface Pair {
  readonly strike: number
  /** Difference of call and put price: smallest near the money. */
  readonly gap: number
  readonly spot: number
  readonly halfSpreads: number
  readonly straddle: number
}

function pairsOf({ strike, right, bid, ask }: Chain, { start, end }: Expiration): readonly Pair[] {
  const pairs: Pair[] = []
  for (let i = start; i + 1 < end; i++) {
    if (right[i] !== CALL || strike[i + 1] !== strike[i]) continue
    const halfSpreads = halfSpread(bid[i], ask[i]) + halfSpread(bid[i + 1], ask[i + 1])
    if (Number.isNaN(halfSpreads)) continue
    const difference = (bid[i] + ask[i] - bid[i + 1] - ask[i + 1]) / 2
    const straddle = (bid[i] + ask[i] + bid[i + 1] + ask[i + 1]) / 2
    pairs.push({ strike: strike[i], gap: Math.abs(difference), spot: strike[i] + difference, halfSpreads, straddle })
  }
  return pairs.sort((a, b) => a.gap - b.gap)
}

/** Half the width of a two-sided quote, USD; NaN for any other. */
const halfSpread = (bid: number, ask: number) => (bid > 0 && ask >= bid ? (ask - bid) / 2 : Number.NaN)

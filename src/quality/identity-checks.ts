import type { Scope } from '../exposure/scope.ts'
import { CALL, type Chain, type Expiration } from '../market/chain.ts'
import { endOfLife } from '../market/clock.ts'
import { CARRY_SLACK, type ImpliedSpot, impliedSpot, type ParityValue, parityValues } from '../market/implied-spot.ts'
import { nameOf } from '../market/shared-contracts.ts'
import { MILLISECONDS_PER_DAY } from '../market/units.ts'
import { percentOf } from '../math/optional.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { MAX_SIGMA } from '../pricing/sources.ts'
import { CONTRADICTED, checked, graded, notCheckable, type QualityCheck } from './quality-check.ts'
import { areQuotesDue } from './quote-checks.ts'

/** A spot this far outside the prices that its options imply, percent of spot, begins to cost points, or costs most. */
const [NEAR_ENOUGH, FAR_OFF] = [0.25, 1]
const MOST_FOR_DISTANCE = 10
/**
 * A spot further outside than this, percent, is not that of these options. While the market is closed, spot and options
 * may have been read at different hours.
 */
const CONTRADICTION = 3
const CONTRADICTION_CLOSED = 4
/** Points if no options tell where spot should be: in a session, and outside it. */
const UNKNOWN_SPOT = 40
const UNKNOWN_SPOT_CLOSED = 20
/**
 * Plausible levels of a volatility index, as multiples of the nearest futures that its options are on. In calm markets
 * the futures of the VIX stand up to 1.4 times as high as the index; on 2024-08-05 the index stood 1.9 times as high.
 */
const [LEAST_OF_FUTURES, MOST_OF_FUTURES] = [1 / 1.5, 2]

/**
 * Two checks of whether spot and options belong together: spot against the prices that put-call parity implies, with
 * their error; strikes against spot, and option prices against strikes.
 */
export function identityChecks(scope: Scope): readonly [spot: QualityCheck, scale: QualityCheck] {
  const values = parityValues(scope.chain, 1)
  return [spotCheck(scope.chain, values), scaleCheck(scope, values)]
}

function spotCheck(chain: PricedChain, values: readonly ParityValue[]): QualityCheck {
  const isDue = areQuotesDue(chain.asOf)
  const bounds = chain.onForward ? aroundFutures(values) : withDividends(chain, impliedSpot(values), values)
  const outside = bounds && percentOutside(chain.spot, bounds)
  const beyondAsks = bounds === undefined && !chain.onForward ? percentOutside(chain.spot, boundsOfAsks(chain)) : 0
  const worst = Math.max(outside ?? 0, beyondAsks)
  if (worst > (isDue ? CONTRADICTION : CONTRADICTION_CLOSED)) return checked('spot', worst, CONTRADICTED)
  const unknown = isDue ? UNKNOWN_SPOT : UNKNOWN_SPOT_CLOSED
  return graded('spot', outside, { most: MOST_FOR_DISTANCE, good: NEAR_ENOUGH, bad: FAR_OFF, unknown })
}

const percentOutside = (spot: number, { low, high }: ImpliedSpot) => (100 * Math.max(0, low - spot, spot - high)) / spot

/** Options know only the price without the dividends that are paid before they expire. */
function withDividends(
  { asOf, dividends = [], expirations }: Chain,
  bounds: ImpliedSpot | undefined,
  [first]: readonly ParityValue[]
): ImpliedSpot | undefined {
  if (bounds === undefined) return undefined
  const nearest = expirations.find((one) => nameOf(one) === first.expiration)!
  const end = endOfLife(nearest.date, nearest.settlement)
  const paid = dividends.filter(({ exDate }) => asOf < endOfLife(exDate, 'am') && endOfLife(exDate, 'am') <= end)
  return { low: bounds.low, high: bounds.high + paid.reduce((sum, { amount }) => sum + amount, 0) }
}

/** So many asks must contradict spot, since a single one may be a slip. */
const ASKS_TO_CONTRADICT = 3
/** Asks of expirations up to so many years away count: further away, carry hides more than they tell. */
const NEAR_YEARS = 0.5

/**
 * Prices between which spot must lie by the asks alone, without any arbitrage: a call costs at least spot less its
 * strike, a put at least its strike less spot. They prove a contradiction, but not that spot is right.
 */
function boundsOfAsks({ asOf, expirations, strike, right, ask }: Chain): ImpliedSpot {
  const [lows, highs]: [number[], number[]] = [[], []]
  for (const { date, settlement, start, end } of expirations) {
    const years = (endOfLife(date, settlement) - asOf) / (365 * MILLISECONDS_PER_DAY)
    if (!(years > 0 && years <= NEAR_YEARS)) continue
    const carry = 1 + CARRY_SLACK * years
    for (let i = start; i < end; i++) {
      if (!(ask[i] > 0)) continue
      if (right[i] === CALL) highs.push((strike[i] + ask[i]) * carry)
      else lows.push((strike[i] - ask[i]) / carry)
    }
  }
  const low = lows.sort((a, b) => b - a)[ASKS_TO_CONTRADICT - 1] ?? 0
  const high = highs.sort((a, b) => a - b)[ASKS_TO_CONTRADICT - 1] ?? Number.POSITIVE_INFINITY
  return { low, high }
}

/** Levels of a volatility index that are plausible beside the price of its nearest futures. */
function aroundFutures([nearest]: readonly ParityValue[]): ImpliedSpot | undefined {
  if (nearest === undefined) return undefined
  const { value, error } = nearest
  return { low: LEAST_OF_FUTURES * (value - error), high: MOST_OF_FUTURES * (value + error) }
}

/** Share of spot within which a chain lists strikes. */
const REACH = 0.05
/**
 * Widest usual distance of two strikes, USD, for spots from a lower bound on: 2.50 below 25, 5 up to 200, 10 above.
 * Source: Cboe Rule 4.5, intervals between strike prices.
 */
const intervals = [
  [200, 10],
  [25, 5],
  [0, 2.5]
] as const
/** Lowest annual volatility at the money that options on anything show. */
const LEAST_VOLATILITY = 0.002
/** Largest slope of parity values over strikes, beyond the spreads, that rates and early exercise explain. */
const MAX_SLOPE = 0.25
/** On its last day an expiration has no volatility worth judging: a straddle off the money is worth any then. */
const A_DAY = 1 / 365

/**
 * Percentage of the live expirations that are of the size of spot: of all of them those that list a strike near it, or
 * of those with quoted pairs the ones whose prices are of the size of their strikes, if that is less.
 */
function scaleCheck({ chain, expirations }: Scope, values: readonly ParityValue[]): QualityCheck {
  const near = expirations.filter((at) => hasStrikeNear(chain, chain.expirations[at]))
  const listed = percentOf(near.length, expirations.length)
  const fitting = percentOf(values.filter(isInScale).length, values.length)
  if (listed === undefined) return notCheckable('scale')
  const share = Math.min(listed, fitting ?? 100)
  if (share < 50) return checked('scale', share, CONTRADICTED)
  return graded('scale', share, { most: 20, good: 90, bad: 50 })
}

function hasStrikeNear({ spot, strike }: Chain, { start, end }: Pick<Expiration, 'start' | 'end'>): boolean {
  const [, interval] = intervals.find(([from]) => spot >= from)!
  const reach = Math.max(REACH * spot, 1.25 * interval)
  for (let i = start; i < end; i++) if (Math.abs(strike[i] - spot) <= reach) return true
  return false
}

/**
 * Whether prices and strikes of an expiration are of one size: K + C - P hardly changes over strikes, and the
 * straddle at the money, about 0.8 S σ √T, is worth a plausible volatility.
 */
function isInScale({ slope, straddle, value, years }: ParityValue): boolean {
  if (Math.abs(slope) > MAX_SLOPE) return false
  const volatility = straddle / (0.8 * value * Math.sqrt(years))
  return years < A_DAY || (volatility >= LEAST_VOLATILITY && volatility <= MAX_SIGMA)
}

import { daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { liveOn } from '../scope.ts'
import { maxPain, type PainBottom, totalOpenInterest } from './max-pain.ts'

export const painDirections = ['above', 'below', 'at'] as const
export type PainDirection = (typeof painDirections)[number]

export const painSignals = ['bullish', 'bearish', 'neutral'] as const
export type PainSignal = (typeof painSignals)[number]

export interface PainDistance {
  /** Absolute distance between spot and max pain, USD. */
  readonly absolute: number
  /** Absolute distance in percent of spot. */
  readonly percent: number
  readonly direction: PainDirection
  /** Bullish if max pain is at least 5 % above spot, bearish if it is at least 5 % below. */
  readonly signal: PainSignal
}

/** Spot counts as at max pain if the distance is below this, USD. */
const AT_REACH = 0.005
/** Distance in percent of spot from which the signal is bullish or bearish. */
const MIN_SIGNAL = 5

/**
 * Distance of spot from max pain, which lies at `strike`, and the signal that follows from it. Spot within the flat
 * `bottom` of the payout is at max pain, however far the next strike is. Source: the published API contract; the rule of
 * the flat bottom is the service's own.
 */
export function painDistance(
  spot: number,
  strike: number,
  bottom: PainBottom = { low: strike, high: strike }
): PainDistance {
  const absolute = Math.abs(spot - strike)
  const percent = (100 * absolute) / spot
  const isAt = absolute < AT_REACH || (spot >= bottom.low && spot <= bottom.high)
  const direction = isAt ? 'at' : spot > strike ? 'above' : 'below'
  return { absolute, percent, direction, signal: signalOf(direction, percent) }
}

function signalOf(direction: PainDirection, percent: number): PainSignal {
  if (percent < MIN_SIGNAL || direction === 'at') return 'neutral'
  return direction === 'below' ? 'bullish' : 'bearish'
}

export interface ExpirationMaxPain {
  readonly date: IsoDate
  readonly days: number
  readonly strike: number
  /** Open interest of calls plus puts, contracts. */
  readonly openInterest: number
}

/** Max pain of each unexpired date among `dates` that has open interest, ascending by date if they do. */
export function maxPainByExpiration(chain: PricedChain, dates: readonly IsoDate[]): readonly ExpirationMaxPain[] {
  return dates.flatMap((date) => {
    const scope = liveOn(chain, date)
    const strike = maxPain(scope)
    if (strike === undefined) return []
    return [{ date, days: daysToExpiry(chain.asOf, date), strike, openInterest: totalOpenInterest(scope) }]
  })
}

export const alignments = ['converging', 'moderate', 'diverging', 'unknown'] as const
export type Alignment = (typeof alignments)[number]

interface DealerLevels {
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
}

/**
 * Whether dealers' hedging supports a drift of the price to max pain. `diverging`: max pain lies outside the walls.
 * `converging`: it lies between them, and its distance from the flip is at most half a percent of spot. `moderate`: it
 * lies between them, but further from the flip. Unknown if a wall or the flip is missing.
 */
export function dealerAlignment(maxPain: number, spot: number, { flip, callWall, putWall }: DealerLevels): Alignment {
  if (flip === undefined || callWall === undefined || putWall === undefined) return 'unknown'
  const between = maxPain >= Math.min(callWall, putWall) && maxPain <= Math.max(callWall, putWall)
  if (!between) return 'diverging'
  return Math.abs(maxPain - flip) <= 0.005 * spot ? 'converging' : 'moderate'
}

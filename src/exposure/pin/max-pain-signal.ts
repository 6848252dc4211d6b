import { daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { liveOn, liveScope } from '../scope.ts'
import { maxPain, totalOpenInterest } from './max-pain.ts'

export const painDirections = ['above', 'below', 'at'] as const
/** Where spot stands against max pain. */
export type PainDirection = (typeof painDirections)[number]

export const painSignals = ['bullish', 'bearish', 'neutral'] as const
export type PainSignal = (typeof painSignals)[number]

/** How far spot is from max pain, and where a drift toward it would lead. */
export interface PainDistance {
  /** |spot - max pain|, USD. */
  readonly absolute: number
  /** In percent of spot. */
  readonly percent: number
  readonly direction: PainDirection
  /** Bullish where max pain lies at least 5 % above spot, bearish where it lies so far below. */
  readonly signal: PainSignal
}

/** Closer than half a cent, spot is at max pain. */
const AT_REACH = 0.005
/** Percent of spot from which a distance is a signal. */
const MIN_SIGNAL = 5

/** Spot beside max pain. Source: the wire contract. */
export function painDistance(spot: number, strike: number): PainDistance {
  const absolute = Math.abs(spot - strike)
  const percent = (100 * absolute) / spot
  const direction = absolute < AT_REACH ? 'at' : spot > strike ? 'above' : 'below'
  return { absolute, percent, direction, signal: signalOf(direction, percent) }
}

function signalOf(direction: PainDirection, percent: number): PainSignal {
  if (percent < MIN_SIGNAL || direction === 'at') return 'neutral'
  return direction === 'below' ? 'bullish' : 'bearish'
}

/** Max pain of one expiration date. */
export interface ExpirationMaxPain {
  readonly date: IsoDate
  readonly days: number
  readonly strike: number
  /** Contracts. */
  readonly openInterest: number
}

/** Max pain of each live expiration date that holds open interest, ascending. */
export function maxPainByExpiration(chain: PricedChain): readonly ExpirationMaxPain[] {
  const dates = new Set(liveScope(chain).expirations.map((at) => chain.expirations[at].date))
  return [...dates].flatMap((date) => {
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
 * Whether max pain lies where dealer hedging would hold price: between the walls, and near the flip (within half a
 * percent of spot). Unknown when a wall or the flip is missing.
 */
export function dealerAlignment(maxPain: number, spot: number, { flip, callWall, putWall }: DealerLevels): Alignment {
  if (flip === undefined || callWall === undefined || putWall === undefined) return 'unknown'
  const between = maxPain >= Math.min(callWall, putWall) && maxPain <= Math.max(callWall, putWall)
  if (!between) return 'diverging'
  return Math.abs(maxPain - flip) <= 0.005 * spot ? 'converging' : 'moderate'
}

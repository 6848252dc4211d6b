import type { Slice } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** One standard deviation of the underlying, USD where nothing else is said. Undefined without a volatility. */
export interface MoveToExpiry {
  /** At the forward, an annual fraction. */
  readonly sigma: number | undefined
  /** Spot × sigma × √T. */
  readonly move: number | undefined
  /** The move in percent of spot. */
  readonly percent: number | undefined
  readonly lower: number | undefined
  readonly upper: number | undefined
}

/** One deviation from now to an expiration, from its smile at the forward. Source: the wire contract. */
export function moveToExpiry(spot: number, slice: Slice): MoveToExpiry {
  const sigma = atmVolatility(slice)
  if (sigma === undefined) return { sigma, move: undefined, percent: undefined, lower: undefined, upper: undefined }
  const share = sigma * Math.sqrt(slice.t)
  return { sigma, move: spot * share, percent: 100 * share, lower: spot * (1 - share), upper: spot * (1 + share) }
}

/** One deviation over a trading day of 252 in a year, USD per share; volatility in percent. */
export function moveOfDay(spot: number, volatility: number): number {
  return (spot * volatility * Math.sqrt(1 / 252)) / 100
}

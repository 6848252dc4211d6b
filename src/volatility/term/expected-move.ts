import type { Slice } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** One standard deviation of the underlying until an expiration, USD; undefined without a volatility. */
export interface MoveToExpiry {
  /** Volatility at the forward, an annual fraction. */
  readonly sigma: number | undefined
  /** Expected move, USD: spot × sigma × √T. */
  readonly move: number | undefined
  readonly percent: number | undefined
  readonly lower: number | undefined
  readonly upper: number | undefined
}

/** Expected move from now to the expiration of a slice. Source: the wire contract. */
export function moveToExpiry(spot: number, slice: Slice): MoveToExpiry {
  const sigma = atmVolatility(slice)
  if (sigma === undefined) return { sigma, move: undefined, percent: undefined, lower: undefined, upper: undefined }
  const share = sigma * Math.sqrt(slice.t)
  return { sigma, move: spot * share, percent: 100 * share, lower: spot * (1 - share), upper: spot * (1 + share) }
}

/** One standard deviation of the underlying over one of 252 trading days, USD; `volatility` in percent. */
export function moveOfDay(spot: number, volatility: number): number {
  return (spot * volatility * Math.sqrt(1 / 252)) / 100
}

import type { Slice } from '../smile/slice.ts'
import { atmVolatility } from '../smile/smile-volatility.ts'

/** Expected move of the underlying until an expiration: one standard deviation. Undefined without a volatility. */
export interface MoveToExpiry {
  /** Volatility at the forward, an annual fraction. */
  readonly sigma: number | undefined
  /** Expected move, USD: spot × sigma × √T. */
  readonly move: number | undefined
  readonly percent: number | undefined
  readonly lower: number | undefined
  readonly upper: number | undefined
}

/**
 * Expected move of the underlying from now until the expiration to which a smile belongs. Source: the published API
 * contract.
 */
export function moveToExpiry(spot: number, slice: Slice): MoveToExpiry {
  const sigma = atmVolatility(slice)
  if (sigma === undefined) return { sigma, move: undefined, percent: undefined, lower: undefined, upper: undefined }
  const share = sigma * Math.sqrt(slice.t)
  return { sigma, move: spot * share, percent: 100 * share, lower: spot * (1 - share), upper: spot * (1 + share) }
}

/**
 * Expected move of the underlying over one trading day (a 252nd of a year), one standard deviation in USD. `volatility`
 * is in percent.
 */
export function moveOfDay(spot: number, volatility: number): number {
  return (spot * volatility * Math.sqrt(1 / 252)) / 100
}

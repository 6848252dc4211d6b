import { type DeviationBounds, deviationBounds } from '../../pricing/deviation-bounds.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Slice } from '../smile/slice.ts'
import { centralVolatility } from './central-volatility.ts'

/**
 * Expected move of the underlying until an expiration: one standard deviation. Undefined without a volatility, which is
 * while neither smile nor straddle is quoted.
 */
export interface MoveToExpiry {
  /** Volatility at the forward, an annual fraction. */
  readonly sigma: number | undefined
  /** Expected move, USD: spot × sigma × √T. */
  readonly move: number | undefined
  readonly percent: number | undefined
  /** Prices one standard deviation of the logarithm from spot. */
  readonly bounds: DeviationBounds | undefined
}

/**
 * Expected move of the underlying from now until the expiration to which a smile belongs. Source: the published API
 * contract.
 */
export function moveToExpiry(chain: PricedChain, slice: Slice): MoveToExpiry {
  const { spot } = chain
  const sigma = centralVolatility(chain, slice)
  if (sigma === undefined) return { sigma, move: undefined, percent: undefined, bounds: undefined }
  const share = sigma * Math.sqrt(slice.t)
  return { sigma, move: spot * share, percent: 100 * share, bounds: deviationBounds(spot, share) }
}

/**
 * Expected move of the underlying over one trading day (a 252nd of a year), one standard deviation in USD. `volatility`
 * is in percent.
 */
export function moveOfDay(spot: number, volatility: number): number {
  return (spot * volatility * Math.sqrt(1 / 252)) / 100
}

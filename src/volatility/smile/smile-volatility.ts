import type { SmileOf } from '../../pricing/price-chain.ts'
import { totalVariance } from '../svi/svi.ts'
import { interpolated, type Slice, sliceOf } from './slice.ts'

/**
 * Total variance of a smile at k = ln(K / F). It comes from the fitted curve if the fit was accepted. Otherwise it is
 * interpolated between smile points, and undefined outside their range.
 */
export function smileVariance({ svi, points, t }: Slice, k: number): number | undefined {
  return svi === undefined ? interpolated(points, t, k) : totalVariance(svi, k)
}

export function smileVolatility(slice: Slice, k: number): number | undefined {
  const w = smileVariance(slice, k)
  return w === undefined ? undefined : Math.sqrt(w / slice.t)
}

export function atmVolatility(slice: Slice): number | undefined {
  return smileVolatility(slice, 0)
}

/**
 * Returns the fitted smile of an expiration, which `priceChain` uses for contracts whose quotes imply no volatility.
 * Undefined if the fit was refused.
 */
export const fittedSmile: SmileOf = (chain, at) => {
  const { svi, t } = sliceOf(chain, at)
  return svi && ((k) => Math.sqrt(totalVariance(svi, k) / t))
}

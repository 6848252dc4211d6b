import type { SmileOf } from '../../pricing/price-chain.ts'
import { totalVariance } from '../svi/svi.ts'
import { interpolated, type Slice, sliceOf } from './slice.ts'

/**
 * Total variance at k = ln(K / F): from the fit if the slice was accepted, else interpolated between smile points and
 * undefined outside their range.
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
 * Smile for contracts whose quotes imply no volatility, passed to `priceChain`: the accepted slice of their expiration;
 * undefined if it was refused.
 */
export const fittedSmile: SmileOf = (chain, at) => {
  const { svi, t } = sliceOf(chain, at)
  return svi && ((k) => Math.sqrt(totalVariance(svi, k) / t))
}

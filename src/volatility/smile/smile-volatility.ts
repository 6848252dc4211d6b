import type { SmileOf } from '../../pricing/price-chain.ts'
import { totalVariance } from '../svi/svi.ts'
import { interpolated, type Slice, sliceOf } from './slice.ts'

/**
 * Total variance at k = ln(K / F) of one expiration: fitted where its slice was accepted, else linear between its smile
 * points and undefined outside their range.
 */
export function smileVariance({ svi, points, t }: Slice, k: number): number | undefined {
  return svi === undefined ? interpolated(points, t, k) : totalVariance(svi, k)
}

/** The volatility behind it, an annual fraction. */
export function smileVolatility(slice: Slice, k: number): number | undefined {
  const w = smileVariance(slice, k)
  return w === undefined ? undefined : Math.sqrt(w / slice.t)
}

/** Volatility at the forward, an annual fraction. */
export function atmVolatility(slice: Slice): number | undefined {
  return smileVolatility(slice, 0)
}

/**
 * The smile that lends volatilities to contracts whose quotes tell none: the accepted slice of their listing, nothing
 * where it was refused. For `priceChain`.
 */
export const fittedSmile: SmileOf = (chain, at) => {
  const { svi, t } = sliceOf(chain, at)
  return svi && ((k) => Math.sqrt(totalVariance(svi, k) / t))
}

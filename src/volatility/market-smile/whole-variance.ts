import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { minutesToSettlement, monthOf } from '../variance/model-free.ts'
import { outOfTheMoneyValue } from '../variance/variance-swap.ts'
import { MINUTES_PER_YEAR } from '../variance/vix.ts'
import { SPREADING } from './knot-grid.ts'
import { marketSurface } from './market-surface.ts'
import { type MarketSmile, reachOf, type SmileCurve, totalVarianceAt } from './smile-curve.ts'
import { smileQuality } from './smile-quality.ts'

export interface WholeVariance {
  /** Annual volatility in percent, for a year of 525,600 minutes, as in `modelFreeVolatility`. */
  readonly volatility: number
  /** Fraction of the variance that comes from strikes beyond the outermost quotes with both bid and ask. */
  readonly beyond: number
}

/** Variances of a chain from its market smiles. They include the tails, for which no strikes are listed. */
export interface MarketVariances {
  readonly of: ReadonlyMap<MarketSmile, WholeVariance>
  /**
   * Volatility over the next 30 days in percent, interpolated between the expirations that `modelFreeVolatility` uses.
   */
  readonly month: number | undefined
}

/**
 * Computes the volatilities that `modelFreeVolatility` would give if there were strikes without end, priced by the
 * market smiles. Expirations and minutes to settlement are the same as there.
 */
export const marketVariances = memoize((chain: PricedChain): MarketVariances => {
  const of = new Map<MarketSmile, WholeVariance>()
  const listings = marketSurface(chain).smiles.flatMap((smile) => {
    if (smile === undefined) return []
    const { from, to } = smileQuality(chain, smile)
    const { total, beyond } = replicatedVariance(smile, [from, to])
    const minutes = minutesToSettlement(chain, smile.at)
    of.set(smile, { volatility: 100 * Math.sqrt((total * MINUTES_PER_YEAR) / minutes), beyond: beyond / total })
    return [{ date: smile.date, settlement: chain.expirations[smile.at].settlement, minutes, total }]
  })
  return { of, month: monthOf(listings) }
})

/** Total variance to expiry (volatility squared times years) replicated with options that are priced by a smile. */
export interface ReplicatedVariance {
  readonly total: number
  /** The part of the variance that comes from strikes outside the given range. */
  readonly beyond: number
}

const STEP = 0.02
/** The integral stops at a term that is smaller than the largest term times this factor. */
const NEGLIGIBLE = 1e-8

/**
 * Fair variance of a variance swap to expiry, total and not annualized, replicated with options of all strikes that are
 * priced by the smile. A flat smile returns its total variance. `beyond` is the part that comes from strikes outside
 * `from` to `to`, in k:
 *
 *     2 ∫ otm(k) e^(-k) dk
 *
 * Simpson's rule on each side of the forward, over u with k = s α sinh(u / α). Even steps of u are fine at the money
 * and soon reach twenty standard deviations.
 * Source: Demeterfi, Derman, Kamal and Zou (1999), More Than You Ever Wanted to Know About Volatility Swaps.
 */
export function replicatedVariance(curve: SmileCurve, [from, to] = reachOf(curve)): ReplicatedVariance {
  const total = beyond(curve, 0, -1) + beyond(curve, 0, 1)
  return { total, beyond: beyond(curve, from, -1) + beyond(curve, to, 1) }
}

/** Integral over all strikes from k outward, to lower strikes (`direction` -1) or to higher ones (1). */
function beyond(curve: SmileCurve, k: number, direction: number): number {
  // If k lies across the forward, take both sides less the part between.
  if (k * direction < 0)
    return beyond(curve, 0, direction) + beyond(curve, 0, -direction) - beyond(curve, k, -direction)
  const { scale } = curve
  const start = SPREADING * Math.asinh(Math.abs(k) / (scale * SPREADING))
  let [sum, greatest] = [0, 0]
  for (let n = 0; ; n++) {
    const u = start + n * STEP
    const k = direction * scale * SPREADING * Math.sinh(u / SPREADING)
    const place = outOfTheMoneyValue(k, totalVarianceAt(curve, k)) * Math.exp(-k) * scale * Math.cosh(u / SPREADING)
    sum += 2 * STEP * place * (n === 0 ? 1 / 3 : n % 2 === 1 ? 4 / 3 : 2 / 3)
    if (!(place > NEGLIGIBLE * greatest)) return sum
    greatest = Math.max(greatest, place)
  }
}

import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { minutesToSettlement, monthOf } from '../variance/model-free.ts'
import { outOfTheMoneyValue } from '../variance/variance-swap.ts'
import { MINUTES_PER_YEAR } from '../variance/vix.ts'
import { SPREADING } from './knot-grid.ts'
import { marketSurface } from './market-surface.ts'
import { type MarketSmile, reachOf, type SmileCurve, totalVarianceAt } from './smile-curve.ts'
import { smileQuality } from './smile-quality.ts'

/** The variance of one market smile, its tails included. */
export interface WholeVariance {
  /** Percent a year of 525,600 minutes, as the strip of the same quotes has it. */
  readonly volatility: number
  /** The share of the variance from strikes beyond the outermost quotes with both sides, 0 to 1. */
  readonly beyond: number
}

/** The variances of the market smiles of a chain, the tails that no strike is listed in included. */
export interface MarketVariances {
  readonly of: ReadonlyMap<MarketSmile, WholeVariance>
  /** Over the next 30 days, percent: between the terms that the month of the strips lies between. */
  readonly month: number | undefined
}

/**
 * What the strips of `modelFreeVolatility` would say if strikes were listed without end: the same options weighed the same
 * way, at the prices of the market smile. Source: variance.ts; terms and minutes are those of the strips.
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

/** Total variance to expiry that a smile replicates, volatility squared times years. */
export interface ReplicatedVariance {
  readonly total: number
  /** The part of it from strikes beyond the outermost ones given. */
  readonly beyond: number
}

const STEP = 0.02
/** The integral ends where it adds less than this share of its greatest place. */
const NEGLIGIBLE = 1e-8

/**
 * Fair variance of a variance swap to expiry, total and not annualised, by replication over the whole smile, with the part
 * that rests on its wings outside `from` and `to`, in k:
 *
 *     2 ∫ otm(k) e^(-k) dk
 *
 * Simpson's rule on each side of the forward, over u with k = s α sinh(u / α): even steps of u are fine at the money and
 * reach twenty deviations soon. A flat smile returns its total variance. Source: Demeterfi, Derman, Kamal and Zou (1999), More Than You Ever
 * Wanted to Know About Volatility Swaps.
 */
export function replicatedVariance(curve: SmileCurve, [from, to] = reachOf(curve)): ReplicatedVariance {
  const total = beyond(curve, 0, -1) + beyond(curve, 0, 1)
  return { total, beyond: beyond(curve, from, -1) + beyond(curve, to, 1) }
}

/** What all strikes add up to that lie in one direction, -1 or 1, from a place k on. */
function beyond(curve: SmileCurve, k: number, direction: number): number {
  // Across the forward lie both sides of it, less what is between.
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

import { outOfTheMoneyValue } from '../variance-swap.ts'
import { SPREADING } from './grid.ts'
import { reachOf, type SmileCurve, totalVarianceAt } from './smile.ts'

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

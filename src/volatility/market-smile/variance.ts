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
  const { scale } = curve
  let [total, beyond] = [0, 0]
  for (const direction of [-1, 1]) {
    let greatest = 0
    for (let n = 0; ; n++) {
      const u = n * STEP
      const k = direction * scale * SPREADING * Math.sinh(u / SPREADING)
      const place = outOfTheMoneyValue(k, totalVarianceAt(curve, k)) * Math.exp(-k) * scale * Math.cosh(u / SPREADING)
      const part = 2 * STEP * place * (n === 0 ? 1 / 3 : n % 2 === 1 ? 4 / 3 : 2 / 3)
      total += part
      if (k < from || k > to) beyond += part
      if (!(place > NEGLIGIBLE * greatest)) break
      greatest = Math.max(greatest, place)
    }
  }
  return { total, beyond }
}

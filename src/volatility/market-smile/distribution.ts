import { normalCdf, normalPdf } from '../../math/normal.ts'
import { findRoot } from '../../math/root.ts'
import { durrlemanOf } from '../svi/svi.ts'
import { pointAt, type SmileCurve } from './smile-curve.ts'

// Risk-neutral distribution of the price at expiry implied by a smile. It prices options and is no forecast. d2 = -k /
// √w - √w / 2.
// Source: Breeden and Litzenberger (1978), Prices of State-Contingent Claims Implicit in Option Prices, Journal of
// Business 51; with a smile, Gatheral and Jacquier (2014), section 2.

/**
 * Risk-neutral probability that the price at expiry is at or below F e^k:
 *
 *     Φ(-d2) + φ(d2) w' / (2 √w)
 */
export function probabilityBelow(curve: SmileCurve, k: number): number {
  const { w, slope } = pointAt(curve, k)
  const d2 = d2Of(k, w)
  return normalCdf(-d2) + (normalPdf(d2) * slope) / (2 * Math.sqrt(w))
}

/**
 * Risk-neutral probability that the price at expiry is above F e^k. It is 1 - `probabilityBelow`, but accurate even if
 * it is small.
 */
export function probabilityAbove(curve: SmileCurve, k: number): number {
  const { w, slope } = pointAt(curve, k)
  const d2 = d2Of(k, w)
  return normalCdf(d2) - (normalPdf(d2) * slope) / (2 * Math.sqrt(w))
}

/** Risk-neutral density of ln(S_T / F) at k, per 1.00 of k: g φ(d2) / √w. */
export function densityAt(curve: SmileCurve, k: number): number {
  const { w, slope, curvature } = pointAt(curve, k)
  return (durrlemanOf(k, w, slope, curvature) * normalPdf(d2Of(k, w))) / Math.sqrt(w)
}

function d2Of(k: number, w: number): number {
  const total = Math.sqrt(w)
  return -k / total - total / 2
}

/** Search range for quantiles in k. No price is ever as high as e^200 times the forward. */
const FURTHEST = 200

/**
 * Quantile of the price at expiry: the k for which the price lies below F e^k with risk-neutral probability `p`, to
 * within 1e-9 standard deviations. Undefined unless 0 < p < 1 and the smile reaches that probability.
 */
export function priceQuantile(curve: SmileCurve, p: number): number | undefined {
  if (!(p > 0 && p < 1)) return undefined
  // The smaller of the two tail probabilities is the more accurate one.
  const excess = (k: number) => (p <= 0.5 ? probabilityBelow(curve, k) - p : 1 - p - probabilityAbove(curve, k))
  const { scale } = curve
  let low = -scale
  while (excess(low) > 0 && low > -FURTHEST) low *= 2
  let high = scale
  while (excess(high) < 0 && high < FURTHEST) high *= 2
  return findRoot(excess, low, high, 1e-9 * scale)
}

import type { IsoDate } from '../../market/units.ts'
import { durrlemanOf } from '../svi/svi.ts'
import { intervalOf, knots, pieces } from './knot-grid.ts'

/**
 * Total variance over k = ln(K / F). The curve is a cubic spline ω in standard deviations: w(k) = s² ω(k / s). Beyond
 * its knots it continues as a straight line in k.
 */
export interface SmileCurve {
  /** s: total volatility at the money, √(σ² T). One standard deviation in k. */
  readonly scale: number
  readonly first: number
  /** Coefficients of the B-splines. There are three more than intervals. */
  readonly coefficients: Float64Array
}

export interface MarketSmile extends SmileCurve {
  /** Index of the expiration in `chain.expirations` and `chain.carries`. */
  readonly at: number
  readonly date: IsoDate
  /** Years to expiry. */
  readonly t: number
  readonly forward: number
}

/** Total variance w, its slope dw/dk and curvature d²w/dk² at one k. */
export interface CurvePoint {
  w: number
  slope: number
  curvature: number
}

/** Range of k that the spline covers, without the straight wings. */
export function reachOf({ scale, first, coefficients }: SmileCurve): readonly [from: number, to: number] {
  return [scale * knots[first], scale * knots[first + coefficients.length - 3]]
}

/** Total variance at k = ln(K / F): volatility squared times years. */
export function totalVarianceAt(curve: SmileCurve, k: number): number {
  const { scale, first, coefficients: c } = curve
  const z = k / scale
  const end = first + c.length - 3
  if (z < knots[first] || z > knots[end]) return pointAt(curve, k).w
  const i = Math.min(intervalOf(z), end - 1)
  const x = z - knots[i]
  let w = 0
  for (let r = 0; r < 4; r++) {
    const p = 16 * i + 4 * r
    w += c[i - first + r] * (pieces[p] + x * (pieces[p + 1] + x * (pieces[p + 2] + x * pieces[p + 3])))
  }
  return scale * scale * w
}

export function pointAt(curve: SmileCurve, k: number): CurvePoint {
  const { scale, first, coefficients } = curve
  const end = first + coefficients.length - 3
  const z = k / scale
  const place = Math.min(knots[end], Math.max(knots[first], z))
  const point = pointOn(curve, Math.min(Math.max(intervalOf(place), first), end - 1), place)
  if (place === z) return point
  const { w, slope } = point
  return { w: w + slope * (k - scale * place), slope, curvature: 0 }
}

/** Total variance, slope and curvature at z = k / s. z must lie on grid interval i, which the curve must cover. */
export function pointOn({ scale, first, coefficients: c }: SmileCurve, i: number, z: number): CurvePoint {
  const x = z - knots[i]
  let w = 0
  let slope = 0
  let curvature = 0
  for (let r = 0; r < 4; r++) {
    const p = 16 * i + 4 * r
    const a = c[i - first + r]
    w += a * (pieces[p] + x * (pieces[p + 1] + x * (pieces[p + 2] + x * pieces[p + 3])))
    slope += a * (pieces[p + 1] + x * (2 * pieces[p + 2] + x * 3 * pieces[p + 3]))
    curvature += a * (2 * pieces[p + 2] + x * 6 * pieces[p + 3])
  }
  return { w: scale * scale * w, slope: scale * slope, curvature }
}

/**
 * Durrleman's function of a curve at k. The smile has no butterfly arbitrage wherever this function is not negative.
 */
export function durrlemanAt(curve: SmileCurve, k: number): number {
  const { w, slope, curvature } = pointAt(curve, k)
  return durrlemanOf(k, w, slope, curvature)
}

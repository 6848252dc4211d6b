import { durrlemanOf } from '../svi/svi.ts'
import { knots } from './knot-grid.ts'
import { type CurvePoint, pointAt, pointOn, reachOf, type SmileCurve, totalVarianceAt } from './smile-curve.ts'

export interface CurveCheck {
  /** Whether the curve passes every test, so that it may be published. */
  readonly holds: boolean
  /** Whether the curve by itself is free of butterfly arbitrage. Other expirations do not matter. */
  readonly butterflyFree: boolean
  /**
   * Calendar arbitrage: the largest fraction by which total variance falls below the earlier expiration's at the same
   * k. 0 if it never does.
   */
  readonly fall: number
}

/** Number of points checked in each interval between knots. At the money they are 0.03 standard deviations apart. */
const PLACES = 6
/** Points checked on the linear wings, as multiples of the distance from the money at which the wing begins. */
const BEYOND = [1, 1.25, 1.6, 2, 3, 5, 10, 100]
/** Lee's bound: the slope dw/dk of a wing may not exceed 2. */
const STEEPEST = 2

/**
 * Checks a curve for arbitrage, at six points per interval and on the wings. It must pass five tests: w is positive,
 * Durrleman's function is not negative, d1 and d2 fall as k grows, w is not below that of the `earlier` expiration at
 * equal k, and no wing ever crosses a wing of that expiration.
 * Source: Gatheral and Jacquier (2014), lemmas 2.1 and 2.2; Fukasawa (2012), The Normalizing Transformation of the
 * Implied Volatility Smile, Mathematical Finance 22; Lee (2004).
 */
export function checkCurve(curve: SmileCurve, earlier: SmileCurve | undefined): CurveCheck {
  const { scale, first, coefficients } = curve
  const intervals = coefficients.length - 3
  let butterflyFree = true
  let fall = 0
  const examine = (k: number, point: CurvePoint) => {
    if (!isButterflyFree(k, point)) butterflyFree = false
    if (earlier === undefined) return
    const share = totalVarianceAt(earlier, k) / point.w - 1
    if (!(share <= fall)) fall = share
  }
  for (let n = 0; n < intervals; n++) {
    const from = knots[first + n]
    const step = (knots[first + n + 1] - from) / PLACES
    for (let place = 0; place < PLACES; place++) {
      const z = from + place * step
      examine(scale * z, pointOn(curve, first + n, z))
    }
  }
  let wingsApart = true
  for (const end of reachOf(curve)) {
    const outward = Math.sign(end)
    const point = pointAt(curve, end)
    examine(end, point)
    for (const multiple of BEYOND) {
      const k = multiple * end
      examine(k, { w: point.w + point.slope * (k - end), slope: point.slope, curvature: 0 })
    }
    const slope = outward * point.slope
    if (!(slope <= STEEPEST)) butterflyFree = false
    if (earlier !== undefined && !(slope >= outward * pointAt(earlier, end).slope)) wingsApart = false
  }
  return { holds: butterflyFree && fall === 0 && wingsApart, butterflyFree, fall }
}

/** Whether the density at k is not negative, and d1 and d2 fall there. False if any value is NaN. */
function isButterflyFree(k: number, { w, slope, curvature }: CurvePoint): boolean {
  if (!(w > 0) || !(durrlemanOf(k, w, slope, curvature) >= 0)) return false
  return 1 - (k * slope) / (2 * w) >= Math.abs(slope) / 4
}

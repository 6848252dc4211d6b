import { durrlemanOf } from '../svi/svi.ts'
import { knots } from './knot-grid.ts'
import { type CurvePoint, pointAt, pointOn, reachOf, type SmileCurve, totalVarianceAt } from './smile-curve.ts'

/** What a fine grid says of a curve. */
export interface CurveCheck {
  /** Whether nothing is wrong anywhere: only then may the curve be published. */
  readonly holds: boolean
  /** Whether the curve alone is free of butterfly arbitrage, whatever the earlier listing says. */
  readonly butterflyFree: boolean
  /** The greatest share by which total variance falls below that of the earlier listing, 0 where it does not. */
  readonly fall: number
}

/** Places in each interval: 0.03 deviations apart at the money. */
const PLACES = 6
/** Places on the straight lines beyond, as multiples of where they begin. */
const BEYOND = [1, 1.25, 1.6, 2, 3, 5, 10, 100]
/** Lee's bound on the slope of a wing, in w per k. */
const STEEPEST = 2

/**
 * Looks for arbitrage at six places of each interval and on the lines beyond: w positive, Durrleman's function not
 * negative, d1 and d2 falling in k, w not below that of the earlier listing at equal k, and wings that never meet its
 * wings again. Source: Gatheral and Jacquier (2014), lemmas 2.1 and 2.2; Fukasawa (2012), The Normalizing Transformation of
 * the Implied Volatility Smile, Mathematical Finance 22; Lee (2004).
 */
export function checkCurve(curve: SmileCurve, earlier: SmileCurve | undefined): CurveCheck {
  const { scale, first, coefficients } = curve
  const intervals = coefficients.length - 3
  let butterflyFree = true
  let fall = 0
  const look = (k: number, point: CurvePoint) => {
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
      look(scale * z, pointOn(curve, first + n, z))
    }
  }
  let wingsApart = true
  for (const end of reachOf(curve)) {
    const outward = Math.sign(end)
    const point = pointAt(curve, end)
    look(end, point)
    for (const multiple of BEYOND) {
      const k = multiple * end
      look(k, { w: point.w + point.slope * (k - end), slope: point.slope, curvature: 0 })
    }
    const slope = outward * point.slope
    if (!(slope <= STEEPEST)) butterflyFree = false
    if (earlier !== undefined && !(slope >= outward * pointAt(earlier, end).slope)) wingsApart = false
  }
  return { holds: butterflyFree && fall === 0 && wingsApart, butterflyFree, fall }
}

/** Whether the density is not negative at a place, and g has the right sign of its root. NaN is not free of anything. */
function isButterflyFree(k: number, { w, slope, curvature }: CurvePoint): boolean {
  if (!(w > 0) || !(durrlemanOf(k, w, slope, curvature) >= 0)) return false
  return 1 - (k * slope) / (2 * w) >= Math.abs(slope) / 4
}

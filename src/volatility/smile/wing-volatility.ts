import { totalVariance } from '../svi/svi.ts'
import { interpolated, type Slice } from './slice.ts'
import { smileVolatility } from './smile-volatility.ts'

/** Number of smile points up to which only the two quotes around k count, and from which on only the fitted curve. */
const FEW_POINTS = 10
const MANY_POINTS = 20

/**
 * Volatility of a smile at k = ln(K / F) away from the forward, an annual fraction. A curve of five parameters through
 * few points follows every quote anywhere in the chain. So with fewer than 20 points the fitted variance is moved
 * towards the one interpolated between the two quotes around k, wholly with 10 or fewer. Beyond the outermost quote, it
 * is moved by the same factor as there.
 */
export function wingVolatility(slice: Slice, k: number): number | undefined {
  const { svi, points, t } = slice
  const { size } = points
  if (svi === undefined || size >= MANY_POINTS) return smileVolatility(slice, k)
  const share = Math.max(0, (size - FEW_POINTS) / (MANY_POINTS - FEW_POINTS))
  const nearest = Math.min(Math.max(k, points.k[0]), points.k[size - 1])
  const moved = share + (1 - share) * (interpolated(points, t, nearest)! / totalVariance(svi, nearest))
  return Math.sqrt((totalVariance(svi, k) * moved) / t)
}

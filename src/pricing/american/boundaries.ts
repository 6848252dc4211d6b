import { type BoundarySystem, guessBoundary, solveBoundary } from './boundary.ts'
import { interpolationRow, lobattoPoints } from './chebyshev.ts'

/** A boundary to a millionth of its depth moves no premium: beside it the derivative of the premium in it is 0. */
const TOLERANCE = 1e-4

/**
 * The boundaries of volatilities at Lobatto points, one row of √h for each, see `solveBoundary`.
 *
 * Every second Lobatto point is one of half the degree. So the solver takes few volatilities first, each from the boundary
 * of the one before, and then those halfway, again and again: a polynomial through the logarithms of the boundaries at
 * hand starts each so close that one round is enough.
 */
export function boundariesOver(system: BoundarySystem, sigmas: Float64Array): Float64Array {
  const { points } = system.tables
  const degree = sigmas.length - 1
  const depths = new Float64Array(sigmas.length * points)
  const logarithms = new Float64Array(depths.length)
  const depth = guessBoundary(system, sigmas[0])
  const solve = (row: number) => {
    solveBoundary(system, sigmas[row], depth, TOLERANCE)
    depths.set(depth, row * points)
    for (let i = 0; i < points; i++) logarithms[row * points + i] = Math.log(depth[i])
  }
  let stride = coarsestStride(degree)
  for (let row = 0; row <= degree; row += stride) {
    if (row > 0) for (let i = 0; i < points; i++) depth[i] *= sigmas[row] / sigmas[row - stride]
    solve(row)
  }
  for (; stride > 1; stride /= 2) {
    const intervals = degree / stride
    const weights = halfwayWeights(intervals)
    for (let k = 0; k < intervals; k++) {
      for (let i = 0; i < points; i++) {
        let sum = 0
        for (let j = 0; j <= intervals; j++) {
          sum += weights[k * (intervals + 1) + j] * logarithms[j * stride * points + i]
        }
        depth[i] = Math.exp(sum)
      }
      solve((k + 0.5) * stride)
    }
  }
  return depths
}

/** The largest power of two that leaves two intervals or more. */
function coarsestStride(degree: number): number {
  let stride = 1
  while (degree % (2 * stride) === 0 && degree >= 4 * stride) stride *= 2
  return stride
}

const made = new Map<number, Float64Array>()

/** For each interval of Lobatto points, the weights of the polynomial through them at the point of twice the degree inside. */
function halfwayWeights(intervals: number): Float64Array {
  let weights = made.get(intervals)
  if (weights === undefined) {
    const points = lobattoPoints(2 * intervals)
    weights = Float64Array.from(
      Array.from({ length: intervals }, (_, k) => [...interpolationRow(intervals, points[2 * k + 1])]).flat()
    )
    made.set(intervals, weights)
  }
  return weights
}

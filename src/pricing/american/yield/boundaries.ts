import { interpolationRow, lobattoPoints } from '../../../math/chebyshev.ts'
import { type BoundarySystem, guessBoundary, solveBoundary } from './boundary.ts'

/** Tolerance for the solver of a boundary. The resulting error, relative to the depth, is about its square. */
const TOLERANCE = 1e-4
/**
 * If the starting values of one refinement were this close to the solved boundaries, the next refinement keeps its
 * interpolated boundaries as they are. Their errors are then below 1e-5, since halving the distance between
 * volatilities squares the error.
 */
const NEAR_ENOUGH = 2e-3

/**
 * Computes the exercise boundaries at several volatilities, which must be Lobatto points. Returns one row of √h for
 * each, see `solveBoundary`.
 * Every second Lobatto point is also a point of half the degree. So the solver begins with a few volatilities, each
 * starting from the boundary of the one before. Then it takes the volatilities halfway between these, and so on. A
 * polynomial through the logarithms of the known boundaries gives starting values so close that one or two rounds are
 * enough, or none.
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
    let moved = 0
    for (let i = 0; i < points; i++) {
      const at = row * points + i
      const logarithm = Math.log(depth[i])
      moved = Math.max(moved, Math.abs(logarithm - logarithms[at]))
      logarithms[at] = logarithm
    }
    return moved
  }
  let stride = coarsestStride(degree)
  for (let row = 0; row <= degree; row += stride) {
    if (row > 0) for (let i = 0; i < points; i++) depth[i] *= sigmas[row] / sigmas[row - stride]
    solve(row)
  }
  let moved = Number.POSITIVE_INFINITY
  for (; stride > 1; stride /= 2) {
    const isNear = moved <= NEAR_ENOUGH
    moved = 0
    for (let row = stride / 2; row < degree; row += stride) {
      interpolate(logarithms, degree, stride, row, points)
      for (let i = 0; i < points; i++) depth[i] = Math.exp(logarithms[row * points + i])
      if (isNear) depths.set(depth, row * points)
      else moved = Math.max(moved, solve(row))
    }
  }
  return depths
}

function interpolate(rows: Float64Array, degree: number, stride: number, row: number, points: number): void {
  const intervals = degree / stride
  const weights = halfwayWeights(intervals)
  const first = Math.trunc(row / stride) * (intervals + 1)
  for (let i = 0; i < points; i++) {
    let sum = 0
    for (let j = 0; j <= intervals; j++) sum += weights[first + j] * rows[j * stride * points + i]
    rows[row * points + i] = sum
  }
}

function coarsestStride(degree: number): number {
  let stride = 1
  while (degree % (2 * stride) === 0 && degree >= 4 * stride) stride *= 2
  return stride
}

const made = new Map<number, Float64Array>()

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

import { interpolationRow, lobattoPoints } from '../../../math/chebyshev.ts'
import { gaussLegendre } from '../../../math/gauss-legendre.ts'

/**
 * Number of points with which a boundary is computed: collocation points, points of the integrals in its equation
 * (`inner`), and points of the integral for a premium (`outer`).
 */
export interface BoundaryShape {
  readonly points: number
  readonly inner: number
  readonly outer: number
}

/**
 * All numbers of a shape that do not depend on rates, time or volatility. Times to expiry are z² T, with z at Lobatto
 * points from 0 to 1. Integrals over u, the time to exercise, use the variable θ with u = τ sin² θ, in which both √u
 * and √(τ - u) are smooth. The boundary is then needed at z cos θ only, so every interpolation has fixed weights.
 */
export interface BoundaryTables extends BoundaryShape {
  /** Lobatto points z on [0, 1], without the first one, which is 0. */
  readonly z: Float64Array
  /** Points and weights of the inner integrals: sin θ, and 2 cos θ dθ. */
  readonly innerSine: Float64Array
  readonly innerWeight: Float64Array
  /**
   * Interpolation weights for the boundary at each z_i cos θ_j, one row of `points` weights after another. The weight
   * of z = 0 is left out, since h is 0 there.
   */
  readonly innerRows: Float64Array
  /** Points, weights and interpolation weights of the outer integral, for which z is 1. */
  readonly outerSine: Float64Array
  readonly outerWeight: Float64Array
  readonly outerRows: Float64Array
  /** Working memory for a round of Newton's method, shared by all boundaries of a shape. */
  readonly residual: Float64Array
}

const made = new Map<string, BoundaryTables>()

export function boundaryTables(shape: BoundaryShape): BoundaryTables {
  const key = `${shape.points} ${shape.inner} ${shape.outer}`
  const tables = made.get(key) ?? makeTables(shape)
  made.set(key, tables)
  return tables
}

function makeTables({ points, inner, outer }: BoundaryShape): BoundaryTables {
  const z = lobattoPoints(points).slice(1)
  const within = gaussLegendre(inner, 0, Math.PI / 2)
  const over = gaussLegendre(outer, 0, Math.PI / 2)
  const rows = (z: number, angles: Float64Array) =>
    Array.from(angles, (theta) => [...interpolationRow(points, z * Math.cos(theta)).slice(1)]).flat()
  return {
    points,
    inner,
    outer,
    z,
    innerSine: within.points.map(Math.sin),
    innerWeight: within.weights.map((weight, j) => 2 * weight * Math.cos(within.points[j])),
    innerRows: Float64Array.from(Array.from(z).flatMap((at) => rows(at, within.points))),
    outerSine: over.points.map(Math.sin),
    outerWeight: over.weights.map((weight, j) => 2 * weight * Math.cos(over.points[j])),
    outerRows: Float64Array.from(rows(1, over.points)),
    residual: new Float64Array(points)
  }
}

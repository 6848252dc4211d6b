import { interpolationRow, lobattoPoints } from '../../../math/chebyshev.ts'
import { gaussLegendre } from '../../../math/gauss-legendre.ts'

/** Fineness of a boundary: collocation points, and points of the quadratures of its equation and of a premium. */
export interface BoundaryShape {
  readonly points: number
  readonly inner: number
  readonly outer: number
}

/**
 * Everything about a shape that does not depend on rates, time or volatility. Time to expiry runs as z² T, with z from
 * 0 to 1 at Lobatto points. Integrals over the time u to exercise run in θ with u = τ sin² θ: √u and √(τ - u) are then
 * both smooth, and the boundary is needed at z cos θ, so that every interpolation is a fixed row.
 */
export interface BoundaryTables extends BoundaryShape {
  /** Lobatto points z of [0, 1] without the first, 0. */
  readonly z: Float64Array
  /** sin θ and 2 cos θ dθ of the inner quadrature. */
  readonly innerSine: Float64Array
  readonly innerWeight: Float64Array
  /**
   * Interpolation rows for z_i cos θ_j, one after another: `points` weights each, without that of z = 0, where h is 0.
   */
  readonly innerRows: Float64Array
  /** Sines, weights and rows of the outer quadrature, at z = 1. */
  readonly outerSine: Float64Array
  readonly outerWeight: Float64Array
  readonly outerRows: Float64Array
  /** Scratch of one Newton round, shared by all boundaries of a shape. */
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

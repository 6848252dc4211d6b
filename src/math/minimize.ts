/**
 * A smooth function of a few variables. It returns its value and fills `slopes` with its derivatives. Outside its
 * domain it returns NaN or infinity.
 */
export type SmoothFunction = (point: Float64Array, slopes: Float64Array) => number

export interface Box {
  readonly lower: ArrayLike<number>
  readonly upper: ArrayLike<number>
}

export interface MinimumOptions {
  /**
   * The search is finished once every slope is below `tolerance` times `scale`. Variables held at a bound do not count.
   */
  readonly tolerance?: number
  /**
   * Typical size of the terms whose sum is the function's value. The rounding error of the value is relative to this
   * size.
   */
  readonly scale?: number
  readonly iterations?: number
}

export interface Minimum {
  readonly point: Float64Array
  readonly value: number
  /**
   * Whether the search converged. It did not if the iterations ran out, or if no step lowered the value as the slopes
   * promised.
   */
  readonly finished: boolean
}

interface Place {
  readonly point: Float64Array
  readonly slopes: Float64Array
  readonly value: number
}

/** A step must lower the value by at least this share of what the slopes promise (Armijo's rule). */
const KEPT = 1e-4
const MIN_STEP = 1e-12
/** Rounding error of the function's value, as a share of `scale`. */
const ROUNDING = 1e-14
/**
 * If no lower point is found, and the slopes promise a descent of at most this share of `scale`, the search counts as
 * finished.
 */
const WORTHLESS = 1e-10

/**
 * Finds a local minimum of a smooth function within a box, downhill from `start`. Variables should be scaled so that a
 * change of 1 is large. A start outside the box is moved to its edge. Equal inputs give equal results.
 * Method: BFGS with Powell's damping, on the variables that no bound holds; steps are bent along the bounds. Source:
 * Bertsekas (1982), Projected Newton Methods for Optimization Problems with Simple Constraints, SIAM Journal on Control
 * and Optimization 20(2); Nocedal and Wright, Numerical Optimization, 2nd ed. (2006), 6.1 and procedure 18.2.
 */
export function minimize(
  f: SmoothFunction,
  start: ArrayLike<number>,
  box: Box,
  { tolerance = 1e-8, scale = 1, iterations = 200 }: MinimumOptions = {}
): Minimum {
  let here = placeAt(f, clamped(Float64Array.from(start), box))
  let curvature: Float64Array[] | undefined
  for (let k = 0; k < iterations && Number.isFinite(here.value); k++) {
    if (steepest(here, box) <= tolerance * scale) return { ...result(here), finished: true }
    const first = curvature === undefined
    curvature ??= sphere(here.slopes)
    const towards = direction(here, box, curvature)
    const next = descend(f, here, towards, box, ROUNDING * scale)
    if (next === undefined) {
      if (first) break
      // No lower point was found and little descent was promised: only rounding keeps the slopes from 0.
      if (-dot(here.slopes, towards) <= WORTHLESS * scale) return { ...result(here), finished: true }
      curvature = undefined // the estimated curvature misleads here: go straight downhill once
      continue
    }
    const step = difference(next.point, here.point)
    const change = difference(next.slopes, here.slopes)
    if (first) rescale(curvature, step, change)
    learn(curvature, step, change)
    here = next
  }
  return { ...result(here), finished: false }
}

const result = ({ point, value }: Place) => ({ point, value })

function placeAt(f: SmoothFunction, point: Float64Array): Place {
  const slopes = new Float64Array(point.length)
  const value = f(point, slopes)
  return { point, slopes, value }
}

function clamped(point: Float64Array, { lower, upper }: Box): Float64Array {
  for (let i = 0; i < point.length; i++) point[i] = Math.min(upper[i], Math.max(lower[i], point[i]))
  return point
}

function held({ point }: Place, { lower, upper }: Box, i: number, towards: number): boolean {
  return (point[i] <= lower[i] && towards < 0) || (point[i] >= upper[i] && towards > 0)
}

function steepest(here: Place, box: Box): number {
  let largest = 0
  for (let i = 0; i < here.slopes.length; i++) {
    if (!held(here, box, i, -here.slopes[i])) largest = Math.max(largest, Math.abs(here.slopes[i]))
  }
  return largest
}

function direction(here: Place, box: Box, curvature: readonly Float64Array[]): Float64Array {
  let free = Array.from(here.slopes.keys()).filter((i) => !held(here, box, i, -here.slopes[i]))
  for (;;) {
    const towards = newton(curvature, here.slopes, free)
    const inside = free.filter((i) => !held(here, box, i, towards[i]))
    if (inside.length === free.length) return towards
    free = inside
  }
}

/**
 * Newton step for the free variables: minus the slopes divided by the curvature matrix, by Gaussian elimination. The
 * matrix is positive definite, so no pivoting is needed.
 */
function newton(curvature: readonly Float64Array[], slopes: Float64Array, free: readonly number[]): Float64Array {
  const rows = free.map((i) => [...free.map((j) => curvature[i][j]), -slopes[i]])
  const size = free.length
  for (let k = 0; k < size; k++) {
    for (let i = k + 1; i < size; i++) {
      const factor = rows[i][k] / rows[k][k]
      for (let j = k; j <= size; j++) rows[i][j] -= factor * rows[k][j]
    }
  }
  const towards = new Float64Array(slopes.length)
  for (let k = size - 1; k >= 0; k--) {
    let value = rows[k][size]
    for (let j = k + 1; j < size; j++) value -= rows[k][j] * towards[free[j]]
    towards[free[k]] = value / rows[k][k]
  }
  return towards
}

/**
 * Tries a full step in a direction, then shorter and shorter ones. Returns the first point whose value is low enough,
 * or undefined if there is none.
 */
function descend(f: SmoothFunction, here: Place, towards: Float64Array, box: Box, rounding: number): Place | undefined {
  let length = 1
  while (length >= MIN_STEP) {
    const point = clamped(
      here.point.map((x, i) => x + length * towards[i]),
      box
    )
    const next = placeAt(f, point)
    const promised = dot(here.slopes, difference(point, here.point))
    if (next.value < here.value && next.value <= here.value + KEPT * promised) return next
    // Close to the minimum the value is all rounding, and the slopes decide which point is better.
    if (next.value <= here.value + rounding && steepest(next, box) < 0.5 * steepest(here, box)) return next
    // Minimum of the parabola with the slope of `here` and the value of `next`.
    const bottom = (-0.5 * promised) / (next.value - here.value - promised)
    length *= Number.isFinite(next.value) && bottom > 0.1 ? Math.min(0.5, bottom) : 0.1
  }
  return undefined
}

function sphere(slopes: Float64Array): Float64Array[] {
  const steepness = 10 * slopes.reduce((largest, slope) => Math.max(largest, Math.abs(slope)), 0)
  return Array.from(slopes, (_, i) => new Float64Array(slopes.length).fill(steepness, i, i + 1))
}

function rescale(curvature: readonly Float64Array[], step: Float64Array, change: Float64Array): void {
  const along = dot(step, change)
  if (!(along > 0)) return
  curvature.forEach((row, i) => {
    row[i] = dot(change, change) / along
  })
}

/**
 * Updates the estimate of the curvature from the change of the slopes over a step (BFGS). The estimate stays positive
 * definite.
 */
function learn(curvature: readonly Float64Array[], step: Float64Array, change: Float64Array): void {
  const expected = Float64Array.from(curvature, (row) => dot(row, step))
  const before = dot(step, expected)
  const seen = dot(step, change)
  const share = seen >= 0.2 * before ? 1 : (0.8 * before) / (before - seen)
  const damped = change.map((value, i) => share * value + (1 - share) * expected[i])
  const along = dot(step, damped)
  if (!(before > 0 && along > 0)) return
  curvature.forEach((row, i) => {
    for (let j = 0; j < row.length; j++) {
      row[j] += (damped[i] * damped[j]) / along - (expected[i] * expected[j]) / before
    }
  })
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - b[i])
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

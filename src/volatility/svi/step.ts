import { type CoordinateBounds, SIZE } from './coordinates.ts'
import type { ResidualRows } from './residuals.ts'

// One Levenberg-Marquardt step that takes bounds and barrier into account before it is taken. A step that was only cut
// off at a bound, or that met the barrier where it landed, would have to be shortened again and again.

export interface StepEquations {
  /**
   * `normal` is the lower triangle of the products of the derivatives with each other. `gradient` holds their products
   * with the residuals.
   */
  readonly normal: Float64Array
  readonly gradient: Float64Array
  /** Like `normal` and `gradient`, but summed over the points alone, without barrier nodes. */
  readonly ofPoints: Float64Array
  readonly gradientOfPoints: Float64Array
  readonly factor: Float64Array
  /** Change of each coordinate that is held at one of its bounds. NaN for a coordinate that is free. */
  readonly held: Float64Array
  /** The step. It is subtracted from the coordinates. */
  readonly step: Float64Array
}

export function emptyStepEquations(): StepEquations {
  const [vector, matrix] = [() => new Float64Array(SIZE), () => new Float64Array(SIZE * SIZE)]
  return {
    normal: matrix(),
    gradient: vector(),
    ofPoints: matrix(),
    gradientOfPoints: vector(),
    factor: matrix(),
    held: vector(),
    step: vector()
  }
}

/** How often a step is solved at most. Each time, another bound or node is taken into account. */
const MAX_SOLUTIONS = 8

/**
 * Computes a damped step from the position that `rows` and `sumPoints` describe. A coordinate that would cross its
 * bound is held there. A barrier node that the step would violate is taken into account. Then the step is computed
 * again. `counted` holds the violated nodes of the previous step on entry, and those of this step on return. Returns
 * false if the equations are not positive definite.
 */
export function solveStep(
  equations: StepEquations,
  here: Float64Array,
  rows: ResidualRows,
  bounds: CoordinateBounds,
  counted: Uint8Array,
  damping: number
): boolean {
  const { held, ofPoints } = equations
  for (let j = 0; j < SIZE; j++) held[j] = ofPoints[SIZE * j + j] > 0 ? Number.NaN : 0
  for (let solution = 0; solution < MAX_SOLUTIONS; solution++) {
    addCounted(equations, rows, counted)
    if (!solve(equations, damping)) return false
    const inside = holdAtBounds(equations, here, bounds)
    const settled = recount(rows, counted, equations.step)
    if (inside && settled) break
  }
  return true
}

/** Holds those coordinates at their bound that the step would take beyond it. Returns true if there were none. */
function holdAtBounds(
  { held, step }: StepEquations,
  here: Float64Array,
  { lowest, highest }: CoordinateBounds
): boolean {
  let inside = true
  for (let j = 0; j < SIZE; j++) {
    const next = here[j] - step[j]
    if (!Number.isNaN(held[j]) || (next >= lowest[j] && next <= highest[j])) continue
    held[j] = here[j] - (next < lowest[j] ? lowest[j] : highest[j])
    inside = false
  }
  return inside
}

/**
 * Revises which nodes the step takes into account. Removes nodes that it does not violate, judged by their derivatives.
 * If there are none to remove, adds the one that it violates most. Returns true if nothing changed. Adding all violated
 * nodes at once would often lead to a cycle.
 */
function recount(
  { points, count, node, residual, slopes }: ResidualRows,
  counted: Uint8Array,
  step: Float64Array
): boolean {
  const [toV, toL, toR, toM, toS] = slopes
  const [v, l, r, m, s] = step
  let settled = true
  let worst = -1
  let furthest = 0
  for (let i = points; i < count; i++) {
    const left = residual[i] - (toV[i] * v + toL[i] * l + toR[i] * r + toM[i] * m + toS[i] * s)
    if (counted[node[i]] === 1) {
      if (left > 0) continue
      counted[node[i]] = 0
      settled = false
    } else if (left > furthest) {
      furthest = left
      worst = node[i]
    }
  }
  if (!settled || worst < 0) return settled
  counted[worst] = 1
  return false
}

function addCounted(equations: StepEquations, rows: ResidualRows, counted: Uint8Array): void {
  const { normal, gradient, ofPoints, gradientOfPoints } = equations
  const { points, count, node, residual, slopes } = rows
  normal.set(ofPoints)
  gradient.set(gradientOfPoints)
  for (let row = points; row < count; row++) {
    if (counted[node[row]] === 0) continue
    for (let j = 0; j < SIZE; j++) {
      const slope = slopes[j][row]
      for (let i = 0; i <= j; i++) normal[SIZE * j + i] += slope * slopes[i][row]
      gradient[j] += slope * residual[row]
    }
  }
}

/**
 * Solves for the damped step by Cholesky's method, with the held coordinates fixed. Returns false if the equations are
 * not positive definite.
 */
function solve({ normal, gradient, factor, held, step }: StepEquations, damping: number): boolean {
  for (let j = 0; j < SIZE; j++) {
    const free = Number.isNaN(held[j])
    let right = free ? gradient[j] : held[j]
    for (let i = 0; i < SIZE; i++) {
      if (free && !Number.isNaN(held[i])) right -= held[i] * normal[i < j ? SIZE * j + i : SIZE * i + j]
    }
    for (let i = 0; i <= j; i++) {
      let sum = 0
      if (i === j) sum = free ? normal[SIZE * j + j] * (1 + damping) : 1
      else if (free && Number.isNaN(held[i])) sum = normal[SIZE * j + i]
      for (let n = 0; n < i; n++) sum -= factor[SIZE * j + n] * factor[SIZE * i + n]
      if (i < j) factor[SIZE * j + i] = sum / factor[SIZE * i + i]
      else if (sum > 0) factor[SIZE * j + j] = Math.sqrt(sum)
      else return false
    }
    for (let n = 0; n < j; n++) right -= factor[SIZE * j + n] * step[n]
    step[j] = right / factor[SIZE * j + j]
  }
  for (let j = SIZE - 1; j >= 0; j--) {
    let sum = step[j]
    for (let n = j + 1; n < SIZE; n++) sum -= factor[SIZE * n + j] * step[n]
    step[j] = sum / factor[SIZE * j + j]
  }
  return true
}

/**
 * Sums the products of the points' derivatives with each other and with the residuals. It is one unrolled pass, because
 * it takes most of the time of a step.
 */
export function sumPoints(
  { ofPoints, gradientOfPoints }: StepEquations,
  { points, residual, slopes }: ResidualRows
): void {
  const [toV, toL, toR, toM, toS] = slopes
  let vv = 0
  let lv = 0
  let ll = 0
  let rv = 0
  let rl = 0
  let rr = 0
  let mv = 0
  let ml = 0
  let mr = 0
  let mm = 0
  let sv = 0
  let sl = 0
  let sr = 0
  let sm = 0
  let ss = 0
  let ev = 0
  let el = 0
  let er = 0
  let em = 0
  let es = 0
  for (let i = 0; i < points; i++) {
    const v = toV[i]
    const l = toL[i]
    const r = toR[i]
    const m = toM[i]
    const s = toS[i]
    const e = residual[i]
    vv += v * v
    lv += l * v
    ll += l * l
    rv += r * v
    rl += r * l
    rr += r * r
    mv += m * v
    ml += m * l
    mr += m * r
    mm += m * m
    sv += s * v
    sl += s * l
    sr += s * r
    sm += s * m
    ss += s * s
    ev += e * v
    el += e * l
    er += e * r
    em += e * m
    es += e * s
  }
  ofPoints.set([vv, 0, 0, 0, 0, lv, ll, 0, 0, 0, rv, rl, rr, 0, 0, mv, ml, mr, mm, 0, sv, sl, sr, sm, ss])
  gradientOfPoints.set([ev, el, er, em, es])
}

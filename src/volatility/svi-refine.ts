import { type Svi, sviBounds } from './svi.ts'

// The whole objective in five coordinates in which the constraints of a slice are bounds: v, the least variance, the
// roots l and r of the wing slopes b (1 - ρ) and b (1 + ρ), m, and ln σ. With x = k - m and R = √(x² + σ²)
//
//     w = v + r² (R + x)/2 + l² (R - x)/2 - σ l r
//
// and |ρ| <= 0.999 says that neither root falls below a certain share of the other.

/** The points of a slice and what they count for. */
export interface FitPoints {
  readonly size: number
  readonly k: Float64Array
  readonly iv: Float64Array
  /** Square root of the weight of a squared error of volatility. */
  readonly rootWeight: Float64Array
  /** Years to expiry. */
  readonly t: number
  /** m stays between these. */
  readonly from: number
  readonly to: number
}

/** Durrleman's function is asked to stay above `margin` at `count` nodes; what it falls short counts with `rootWeight`. */
export interface Barrier {
  readonly nodes: Float64Array
  count: number
  margin: number
  rootWeight: number
}

const SIZE = 5
const [V, L, R, M, S] = [0, 1, 2, 3, 4]
const { steepestRho, smallestSigma, steepestWing } = sviBounds
/** The bounds of the coordinates; those of m are the call's. */
const lowest = Float64Array.of(1e-12, 0, 0, 0, Math.log(smallestSigma))
const highest = Float64Array.of(10, Math.sqrt(steepestWing), Math.sqrt(steepestWing), 0, Math.log(10))
/** The least share of one root of a wing slope in the other. */
const leastShare = Math.sqrt((1 - steepestRho) / (1 + steepestRho))

const mostSteps = 40
/** A step that gains less than this share of the objective is the last one: a barrier only has to be cleared. */
const leastGain = 1e-6
const leastGainAtBarrier = 1e-4
const hardest = 1e8

/** Scratch of one call: residuals, their derivatives by coordinate, and the normal equations. */
let rows = 0
let residual = new Float64Array(0)
let slopes: readonly Float64Array[] = []
const normal = new Float64Array(SIZE * SIZE)
const gradient = new Float64Array(SIZE)
const factor = new Float64Array(SIZE * SIZE)
const step = new Float64Array(SIZE)

/**
 * The slice of least objective near a starting one, within all bounds.
 *
 *     Σ weight (iv_fit - iv)² + Σ over the nodes of a barrier of its weight times max(0, margin - g)²
 *
 * Levenberg-Marquardt with analytic derivatives; a coordinate at a bound it would cross is left there.
 */
export function refine(
  points: FitPoints,
  start: Svi,
  barrier?: Barrier
): { readonly svi: Svi; readonly error: number } {
  reserve(points.size + (barrier?.nodes.length ?? 0))
  lowest[M] = points.from
  highest[M] = points.to
  let here: Float64Array = coordinatesOf(start)
  let trial: Float64Array = new Float64Array(SIZE)
  let error = evaluate(points, here, barrier)
  const enough = barrier === undefined ? leastGain : leastGainAtBarrier
  let damping = 1e-4
  for (let count = 0; count < mostSteps; count++) {
    fillNormal(here)
    let gain = 0
    for (; damping <= hardest; damping *= 8) {
      if (!solve(damping)) continue
      for (let j = 0; j < SIZE; j++) trial[j] = here[j] - step[j]
      bring(trial)
      const next = evaluate(points, trial, barrier)
      if (!(next < error)) continue
      gain = error - next
      error = next
      ;[here, trial] = [trial, here]
      damping = Math.max(1e-12, damping / 20)
      break
    }
    if (gain <= enough * error + 1e-26) break
  }
  return { svi: parametersOf(here), error }
}

function reserve(size: number): void {
  if (residual.length >= size) return
  residual = new Float64Array(2 * size)
  slopes = Array.from({ length: SIZE }, () => new Float64Array(2 * size))
}

/** Residuals and their derivatives at a position; answers the objective. */
function evaluate(points: FitPoints, at: Float64Array, barrier: Barrier | undefined): number {
  const error = evaluatePoints(points, at)
  return barrier === undefined ? error : error + evaluateBarrier(at, barrier)
}

function evaluatePoints({ size, k, iv, rootWeight, t }: FitPoints, at: Float64Array): number {
  const v = at[V]
  const l = at[L]
  const r = at[R]
  const m = at[M]
  const sigma = Math.exp(at[S])
  const squared = sigma * sigma
  const perYear = 1 / t
  const low = v - sigma * l * r
  const [right, left] = [0.5 * r * r, 0.5 * l * l]
  const both = right + left
  const [toV, toL, toR, toM, toS] = slopes
  let error = 0
  for (let i = 0; i < size; i++) {
    const x = k[i] - m
    const root = Math.sqrt(x * x + squared)
    const inverse = 1 / root
    const w = low + right * (root + x) + left * (root - x)
    const sigmaFit = Math.sqrt(w * perYear)
    const off = rootWeight[i] * (sigmaFit - iv[i])
    const scale = (0.5 * perYear * rootWeight[i]) / sigmaFit
    const tilt = x * inverse
    residual[i] = off
    toV[i] = scale
    toL[i] = scale * (l * (root - x) - sigma * r)
    toR[i] = scale * (r * (root + x) - sigma * l)
    toM[i] = -scale * (right * (tilt + 1) + left * (tilt - 1))
    toS[i] = scale * (both * squared * inverse - sigma * l * r)
    error += off * off
  }
  rows = size
  return error
}

function evaluateBarrier(at: Float64Array, { nodes, count, margin, rootWeight }: Barrier): number {
  const v = at[V]
  const l = at[L]
  const r = at[R]
  const m = at[M]
  const sigma = Math.exp(at[S])
  const squared = sigma * sigma
  const low = v - sigma * l * r
  const b = 0.5 * (r * r + l * l)
  const lean = 0.5 * (r * r - l * l)
  const [toV, toL, toR, toM, toS] = slopes
  let error = 0
  for (let n = 0; n < count; n++) {
    const k = nodes[n]
    const x = k - m
    const root = Math.sqrt(x * x + squared)
    const tilt = x / root
    const perRoot = squared / (root * root)
    const w = low + b * root + lean * x
    const slope = lean + b * tilt
    const curvature = (b * perRoot) / root
    const ratio = k / (2 * w)
    const bend = 1 - ratio * slope
    const lack = margin - (bend * bend - 0.25 * slope * slope * (1 / w + 0.25) + 0.5 * curvature)
    if (!(lack > 0)) continue
    // g by w, by w' and by w'', and each of these by coordinate.
    const byW = (2 * bend * ratio * slope) / w + (0.25 * slope * slope) / (w * w)
    const bySlope = -2 * bend * ratio - 0.5 * slope * (1 / w + 0.25)
    const i = rows++
    residual[i] = rootWeight * lack
    toV[i] = -rootWeight * byW
    toL[i] = -rootWeight * (byW * (l * (root - x) - sigma * r) + bySlope * l * (tilt - 1) + (0.5 * l * perRoot) / root)
    toR[i] = -rootWeight * (byW * (r * (root + x) - sigma * l) + bySlope * r * (tilt + 1) + (0.5 * r * perRoot) / root)
    toM[i] = rootWeight * (byW * slope + bySlope * curvature - (1.5 * curvature * tilt) / root)
    toS[i] =
      -rootWeight *
      (byW * (b * root * perRoot - sigma * l * r) - bySlope * b * tilt * perRoot + curvature * (1 - 1.5 * perRoot))
    error += residual[i] * residual[i]
  }
  return error
}

/** The normal equations of the last evaluation, with the coordinates that stand at a bound and push outwards fixed. */
function fillNormal(here: Float64Array): void {
  fillProducts()
  for (let j = 0; j < SIZE; j++) {
    const stuck = (here[j] <= lowest[j] && gradient[j] > 0) || (here[j] >= highest[j] && gradient[j] < 0)
    const idle = !(normal[SIZE * j + j] > 0)
    if (!stuck && !idle) continue
    for (let i = 0; i < SIZE; i++) normal[i < j ? SIZE * j + i : SIZE * i + j] = 0
    normal[SIZE * j + j] = 1
    gradient[j] = 0
  }
}

/** Products of the derivatives with each other and with the residuals: all in one pass, which is what it costs. */
function fillProducts(): void {
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
  for (let i = 0; i < rows; i++) {
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
  normal.set([vv, 0, 0, 0, 0, lv, ll, 0, 0, 0, rv, rl, rr, 0, 0, mv, ml, mr, mm, 0, sv, sl, sr, sm, ss])
  gradient.set([ev, el, er, em, es])
}

/** The damped step by Cholesky; false where the equations are not positive definite in doubles. */
function solve(damping: number): boolean {
  for (let j = 0; j < SIZE; j++) {
    for (let i = 0; i <= j; i++) {
      let sum = i === j ? normal[SIZE * j + j] * (1 + damping) : normal[SIZE * j + i]
      for (let n = 0; n < i; n++) sum -= factor[SIZE * j + n] * factor[SIZE * i + n]
      if (i < j) factor[SIZE * j + i] = sum / factor[SIZE * i + i]
      else if (sum > 0) factor[SIZE * j + j] = Math.sqrt(sum)
      else return false
    }
  }
  for (let j = 0; j < SIZE; j++) {
    let sum = gradient[j]
    for (let n = 0; n < j; n++) sum -= factor[SIZE * j + n] * step[n]
    step[j] = sum / factor[SIZE * j + j]
  }
  for (let j = SIZE - 1; j >= 0; j--) {
    let sum = step[j]
    for (let n = j + 1; n < SIZE; n++) sum -= factor[SIZE * n + j] * step[n]
    step[j] = sum / factor[SIZE * j + j]
  }
  return true
}

/** Moves a position inside all bounds. */
function bring(at: Float64Array): void {
  for (let j = 0; j < SIZE; j++) at[j] = at[j] < lowest[j] ? lowest[j] : at[j] > highest[j] ? highest[j] : at[j]
  if (at[L] < leastShare * at[R]) at[L] = leastShare * at[R]
  else if (at[R] < leastShare * at[L]) at[R] = leastShare * at[L]
}

function coordinatesOf({ a, b, rho, m, sigma }: Svi): Float64Array {
  const at = new Float64Array(SIZE)
  at[V] = a + b * sigma * Math.sqrt(Math.max(0, 1 - rho * rho))
  at[L] = Math.sqrt(Math.max(0, b * (1 - rho)))
  at[R] = Math.sqrt(Math.max(0, b * (1 + rho)))
  at[M] = m
  at[S] = Math.log(sigma)
  bring(at)
  return at
}

function parametersOf([v, l, r, m, logSigma]: Float64Array): Svi {
  const sigma = Math.exp(logSigma)
  const b = (r * r + l * l) / 2
  return { a: v - sigma * l * r, b, rho: b === 0 ? 0 : (r * r - l * l) / (2 * b), m, sigma }
}

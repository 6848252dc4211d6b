import { L, M, MIN_SHARE, R, S, SIZE, V } from './coordinates.ts'

export interface FitPoints {
  readonly size: number
  readonly k: Float64Array
  readonly iv: Float64Array
  /** Square root of the weight that each point's squared volatility error has. */
  readonly rootWeight: Float64Array
  /** Years to expiry. */
  readonly t: number
  /** Least (`from`) and greatest (`to`) value of the parameter m. */
  readonly from: number
  readonly to: number
  /** Upper bound of the parameter σ. */
  readonly widest: number
}

/**
 * Penalty on slices whose Durrleman's function g falls below `margin` at one of the first `count` nodes. The shortfall
 * is multiplied by `rootWeight` before it is squared.
 */
export interface Barrier {
  readonly nodes: Float64Array
  /** 1 for each node that the last step treated as violated. The next step starts with the same nodes. */
  readonly counted: Uint8Array
  count: number
  margin: number
  rootWeight: number
}

/**
 * Residuals of a slice and their derivatives with respect to the coordinates. There is a row for each point, then a row
 * for each barrier node that a step may reach. The row of a node counts only while its residual is positive.
 */
export interface ResidualRows {
  points: number
  count: number
  node: Uint8Array
  residual: Float64Array
  /** Derivatives of the residuals with respect to the coordinates, one column per coordinate. */
  slopes: readonly Float64Array[]
}

/** A node is not within reach of a step if its g is above the margin by more than this. */
const REACH = 0.3

/** Creates rows without memory. `fillResiduals` allocates what it needs, and later fits reuse it. */
export function emptyRows(): ResidualRows {
  return { points: 0, count: 0, node: new Uint8Array(0), residual: new Float64Array(0), slopes: [] }
}

function reserve(rows: ResidualRows, most: number): void {
  if (rows.residual.length >= most) return
  rows.node = new Uint8Array(2 * most)
  rows.residual = new Float64Array(2 * most)
  rows.slopes = Array.from({ length: SIZE }, () => new Float64Array(2 * most))
}

/** Fills the rows for a slice given by its coordinates (see coordinates.ts). Returns the objective. */
export function fillResiduals(
  rows: ResidualRows,
  points: FitPoints,
  at: Float64Array,
  barrier: Barrier | undefined
): number {
  reserve(rows, points.size + (barrier?.nodes.length ?? 0))
  const error = fillPoints(rows, points, at)
  return barrier === undefined ? error : error + fillBarrier(rows, at, barrier)
}

function fillPoints(rows: ResidualRows, { size, k, iv, rootWeight, t }: FitPoints, at: Float64Array): number {
  const { residual, slopes } = rows
  const v = at[V]
  const l = at[L] + MIN_SHARE * at[R]
  const r = at[R] + MIN_SHARE * at[L]
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
    const byL = l * (root - x) - sigma * r
    const byR = r * (root + x) - sigma * l
    toL[i] = scale * (byL + MIN_SHARE * byR)
    toR[i] = scale * (byR + MIN_SHARE * byL)
    toM[i] = -scale * (right * (tilt + 1) + left * (tilt - 1))
    toS[i] = scale * (both * squared * inverse - sigma * l * r)
    error += off * off
  }
  rows.points = rows.count = size
  return error
}

function fillBarrier(rows: ResidualRows, at: Float64Array, { nodes, count, margin, rootWeight }: Barrier): number {
  const { node, residual, slopes } = rows
  const v = at[V]
  const l = at[L] + MIN_SHARE * at[R]
  const r = at[R] + MIN_SHARE * at[L]
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
    if (!(lack > -REACH)) continue
    const byW = (2 * bend * ratio * slope) / w + (0.25 * slope * slope) / (w * w)
    const bySlope = -2 * bend * ratio - 0.5 * slope * (1 / w + 0.25)
    const i = rows.count++
    node[i] = n
    residual[i] = rootWeight * lack
    toV[i] = -rootWeight * byW
    const byL = byW * (l * (root - x) - sigma * r) + bySlope * l * (tilt - 1) + (0.5 * l * perRoot) / root
    const byR = byW * (r * (root + x) - sigma * l) + bySlope * r * (tilt + 1) + (0.5 * r * perRoot) / root
    toL[i] = -rootWeight * (byL + MIN_SHARE * byR)
    toR[i] = -rootWeight * (byR + MIN_SHARE * byL)
    toM[i] = rootWeight * (byW * slope + bySlope * curvature - (1.5 * curvature * tilt) / root)
    toS[i] =
      -rootWeight *
      (byW * (b * root * perRoot - sigma * l * r) - bySlope * b * tilt * perRoot + curvature * (1 - 1.5 * perRoot))
    if (lack > 0) error += residual[i] * residual[i]
  }
  return error
}

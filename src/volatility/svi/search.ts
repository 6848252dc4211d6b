import { type Svi, sviBounds } from './svi.ts'

// Variable projection: with y = (k - m)/σ and z = √(y² + 1) a slice is linear in three parameters,
//
//     w = a + d y + c z,    c = b σ,  d = ρ b σ
//
// so only m and ln σ are searched. Their derivatives of w are combinations of 1, y, z and of two more functions,
// y/z and 1/z, and every product of two of these five is again one of a few sums. So one pass over the points gives
// the inner solution, its error and the Gauss-Newton step of the outer search.
// Source: De Marco and Martini (2009), Quasi-Explicit Calibration of Gatheral's SVI Model, Zeliade; the outer step is
// Kaufman's (1975) for separable least squares.

/** Points to which the search fits a slice: log-moneyness, total variance, and the weight of the squared error. */
export interface SearchPoints {
  readonly size: number
  readonly k: Float64Array
  readonly w: Float64Array
  readonly weight: Float64Array
  /** Sums over all points that do not depend on m and σ: of weight, of weight × w and of weight × w². */
  readonly ofWeight: number
  readonly ofW: number
  readonly ofSquare: number
  /** Least (`from`) and greatest (`to`) value of the parameter m. */
  readonly from: number
  readonly to: number
  /** Upper bound of the parameter σ. */
  readonly widest: number
}

export interface Seed {
  readonly m: number
  readonly sigma: number
}

export interface Found {
  readonly svi: Svi
  readonly error: number
}

/**
 * One stage of the search. For a given m and σ it holds the best slice as a, d and c, its error, and what the next step
 * needs.
 */
interface Iterate {
  readonly m: number
  readonly logSigma: number
  readonly a: number
  readonly d: number
  readonly c: number
  readonly error: number
  /**
   * Normal equations of the functions 1/z (r) and y/z (p), from which the parts explained by 1, y and z have been
   * removed.
   */
  readonly rr: number
  readonly rp: number
  readonly pp: number
  readonly wr: number
  readonly wp: number
}

const { steepestRho, smallestSigma, steepestWing } = sviBounds
const MIN_LOG = Math.log(smallestSigma)
const TRIES = 4

/** The slice that the search reaches from one seed after at most `steps` improvements. */
export function searchFrom(points: SearchPoints, seed: Seed, steps: number): Found {
  let here = iterateAt(points, clamp(seed.m, points.from, points.to), Math.log(Math.min(seed.sigma, points.widest)))
  let damping = 1e-3
  for (let count = 0; count < steps; count++) {
    const next = improved(points, here, damping)
    if (next === undefined) break
    damping = Math.max(1e-9, next.damping * 0.1)
    const gain = here.error - next.iterate.error
    here = next.iterate
    if (gain <= 1e-6 * here.error) break
  }
  const { m, logSigma, a, d, c, error } = here
  const sigma = Math.exp(logSigma)
  return { svi: { a, b: c / sigma, rho: c === 0 ? 0 : d / c, m, sigma }, error }
}

/** Tries a few steps, each shorter than the one before, and returns the first that lowers the error. */
function improved(points: SearchPoints, here: Iterate, from: number) {
  const { m, logSigma, c, error, rr, rp, pp, wr, wp } = here
  if (c === 0) return undefined
  const sigma = Math.exp(logSigma)
  const highest = Math.log(points.widest)
  let damping = from
  for (let count = 0; count < TRIES; count++, damping *= 10) {
    const p = rr * (1 + damping)
    const q = pp * (1 + damping)
    const determinant = p * q - rp * rp
    if (!(determinant > 1e-14 * p * q)) continue
    const dm = (-sigma / c) * ((wr * q - wp * rp) / determinant)
    const dl = (p * wp - rp * wr) / (determinant * c)
    const reach = 2 * sigma
    const nextM = clamp(m + clamp(dm, -reach, reach), points.from, points.to)
    const iterate = iterateAt(points, nextM, clamp(logSigma + clamp(dl, -1, 1), MIN_LOG, highest))
    if (iterate.error < error) return { iterate, damping }
  }
  return undefined
}

function iterateAt(
  { size, k, w, weight, ofWeight: s1, ofW: v1, ofSquare: vv }: SearchPoints,
  m: number,
  logSigma: number
): Iterate {
  const sigma = Math.exp(logSigma)
  const inverse = 1 / sigma
  let sy = 0
  let sz = 0
  let sr = 0
  let sp = 0
  let syy = 0
  let syz = 0
  let srp = 0
  let spp = 0
  let vy = 0
  let vz = 0
  let vr = 0
  let vp = 0
  for (let i = 0; i < size; i++) {
    const y = (k[i] - m) * inverse
    const z = Math.sqrt(y * y + 1)
    const p = 1 / z
    const r = y * p
    const q = weight[i]
    const qy = q * y
    const qp = q * p
    const qw = q * w[i]
    sy += qy
    sz += q * z
    sr += q * r
    sp += qp
    syy += qy * y
    syz += qy * z
    srp += qp * r
    spp += qp * p
    vy += qw * y
    vz += qw * z
    vr += qw * r
    vp += qw * p
  }
  const szz = s1 + syy
  // Cholesky factor of the products of 1, y and z, then the projections of w, y/z and 1/z onto it.
  const l00 = Math.sqrt(s1)
  const l10 = sy / l00
  const l20 = sz / l00
  const l11 = Math.sqrt(Math.max(syy - l10 * l10, 1e-15 * syy + 1e-300))
  const l21 = (syz - l20 * l10) / l11
  const l22 = Math.sqrt(Math.max(szz - l20 * l20 - l21 * l21, 1e-15 * szz))
  const w0 = v1 / l00
  const w1 = (vy - w0 * l10) / l11
  const w2 = (vz - w0 * l20 - w1 * l21) / l22
  const r0 = sr / l00
  const r1 = (sz - sp - r0 * l10) / l11
  const r2 = (sy - r0 * l20 - r1 * l21) / l22
  const p0 = sp / l00
  const p1 = (sr - p0 * l10) / l11
  const p2 = (s1 - p0 * l20 - p1 * l21) / l22
  let c = w2 / l22
  let d = (w1 - l21 * c) / l11
  let a = (w0 - l10 * d - l20 * c) / l00
  let error = Math.max(0, vv - w0 * w0 - w1 * w1 - w2 * w2)
  if (!isAllowed(a, d, c, sigma)) {
    const sums = { s1, sy, sz, syy, syz, szz, v1, vy, vz, vv }
    ;({ a, d, c, error } = bestOnBound(sums, sigma))
  }
  const rr = s1 - spp - r0 * r0 - r1 * r1 - r2 * r2
  const rp = srp - r0 * p0 - r1 * p1 - r2 * p2
  const pp = spp - p0 * p0 - p1 * p1 - p2 * p2
  const wr = vr - w0 * r0 - w1 * r1 - w2 * r2
  const wp = vp - w0 * p0 - w1 * p1 - w2 * p2
  return { m, logSigma, a, d, c, error, rr, rp, pp, wr, wp }
}

/**
 * Whether a, d and c are allowed: b is not negative, and |ρ|, the slopes of the wings and the least variance are within
 * their bounds.
 */
function isAllowed(a: number, d: number, c: number, sigma: number): boolean {
  const lean = Math.abs(d)
  return c >= 0 && lean <= steepestRho * c && c + lean <= steepestWing * sigma && a >= -Math.sqrt(c * c - d * d)
}

interface Sums {
  readonly s1: number
  readonly sy: number
  readonly sz: number
  readonly syy: number
  readonly syz: number
  readonly szz: number
  readonly v1: number
  readonly vy: number
  readonly vz: number
  readonly vv: number
}

/**
 * Best a, d and c on the bounds. For each bound it solves the least squares in the remaining parameters and moves the
 * result inside the other bounds. If two bounds are active, the result is only near the optimum. The refinement after
 * the search satisfies all bounds exactly.
 */
function bestOnBound(sums: Sums, sigma: number) {
  const steepest = steepestWing * sigma
  let best = { a: Math.max(0, sums.v1 / sums.s1), d: 0, c: 0, error: 0 }
  best.error = errorOf(sums, best.a, 0, 0)
  // Each bound is a line d = d0 + d1 x, c = c0 + c1 x.
  for (const sign of [1, -1]) {
    for (const [d0, d1, c0, c1] of [
      [0, sign * steepestRho, 0, 1],
      [0, sign, steepest, -1]
    ]) {
      const vx = d1 * (sums.vy - d0 * sums.syy - c0 * sums.syz) + c1 * (sums.vz - d0 * sums.syz - c0 * sums.szz)
      const v1 = sums.v1 - d0 * sums.sy - c0 * sums.sz
      const sx = d1 * sums.sy + c1 * sums.sz
      const sxx = d1 * d1 * sums.syy + 2 * d1 * c1 * sums.syz + c1 * c1 * sums.szz
      const x = (sums.s1 * vx - sx * v1) / (sums.s1 * sxx - sx * sx)
      if (!Number.isFinite(x)) continue
      const c = clamp(c0 + c1 * x, 0, steepest)
      const lean = Math.min(steepestRho * c, steepest - c)
      const d = clamp(d0 + d1 * x, -lean, lean)
      const a = Math.max((sums.v1 - d * sums.sy - c * sums.sz) / sums.s1, -Math.sqrt(c * c - d * d))
      const error = errorOf(sums, a, d, c)
      if (error < best.error) best = { a, d, c, error }
    }
  }
  return best
}

function errorOf({ s1, sy, sz, syy, syz, szz, v1, vy, vz, vv }: Sums, a: number, d: number, c: number): number {
  const square = a * a * s1 + 2 * a * (d * sy + c * sz) + d * d * syy + 2 * d * c * syz + c * c * szz
  return Math.max(0, vv - 2 * (a * v1 + d * vy + c * vz) + square)
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

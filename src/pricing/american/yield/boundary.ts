import { solveLinear } from '../../../math/linear-system.ts'
import { cumulativeNormal } from '../../../math/normal-table.ts'
import { type PremiumKernels, premiumKernels } from '../simd/premium-kernels.ts'
import { type BoundaryShape, type BoundaryTables, boundaryTables } from './boundary-tables.ts'
import { type ExerciseTerms, logBoundaryAtExpiry } from './exercise.ts'

/**
 * System of equations for the exercise boundary B(τ) of a put with strike 1, for terms whose `exerciseOf` is `below`.
 * At the boundary, the value must have the slope of the exercise value (smooth pasting). This requires B = N/D at each
 * collocation point, with
 *
 *    N = e^(-rτ) φ(d-) / (σ√τ) + r ∫ e^(-ru) φ(e-) / (σ√u) du
 *    D = e^(-qτ) (φ(d+) / (σ√τ) + N(d+)) + q ∫ e^(-qu) (N(e+) + φ(e+) / (σ√u)) du,
 *
 * where d is the argument of Black and Scholes for spot B(τ), strike 1 and time τ, and e the one for spot B(τ), strike
 * B(τ - u) and time u.
 * Source: Andersen, Lake and Offengenden (2016), High-Performance American Option Pricing, Journal of Computational
 * Finance 20(1), 39-87, system A and its unknown h(z) = ln²(B/X) in z = √(τ/T). Quadrature and iteration are our own.
 */
export interface BoundarySystem {
  readonly terms: ExerciseTerms
  readonly tables: BoundaryTables
  /** Logarithm of the exercise boundary just before expiry, see `logBoundaryAtExpiry`. */
  readonly logAtExpiry: number
  /** Columns over the collocation points that do not depend on volatility: √τ, (r - q) τ, e^(-rτ) and e^(-qτ). */
  readonly rootTau: Float64Array
  readonly carryTau: Float64Array
  readonly discountTau: Float64Array
  readonly carriedTau: Float64Array
  /**
   * Columns over the points of all integrals that do not depend on volatility: √u, 1/√u, (r - q) u, r e^(-ru) and q
   * e^(-qu). The last two are multiplied by the weights of the points.
   */
  readonly rootU: Float64Array
  readonly perRootU: Float64Array
  readonly carryU: Float64Array
  readonly interest: Float64Array
  readonly dividend: Float64Array
}

const MAX_ROUNDS = 40

export function boundarySystem(terms: ExerciseTerms, shape: BoundaryShape): BoundarySystem {
  const { t, rate, dividendYield } = terms
  const tables = boundaryTables(shape)
  const { points, inner, z, innerSine, innerWeight } = tables
  const [rootTau, carryTau, discountTau, carriedTau] = columns(4, points)
  const [rootU, perRootU, carryU, interest, dividend] = columns(5, points * inner)
  for (let i = 0; i < points; i++) {
    const tau = t * z[i] * z[i]
    rootTau[i] = Math.sqrt(tau)
    carryTau[i] = (rate - dividendYield) * tau
    discountTau[i] = Math.exp(-rate * tau)
    carriedTau[i] = Math.exp(-dividendYield * tau)
    for (let j = 0; j < inner; j++) {
      const at = i * inner + j
      const root = rootTau[i] * innerSine[j]
      const u = root * root
      const weight = innerWeight[j] * rootTau[i]
      rootU[at] = root
      perRootU[at] = 1 / root
      carryU[at] = (rate - dividendYield) * u
      interest[at] = rate * weight * Math.exp(-rate * u)
      dividend[at] = dividendYield * weight * Math.exp(-dividendYield * u)
    }
  }
  return {
    terms,
    tables,
    logAtExpiry: logBoundaryAtExpiry(terms),
    rootTau,
    carryTau,
    discountTau,
    carriedTau,
    rootU,
    perRootU,
    carryU,
    interest,
    dividend
  }
}

function columns(count: number, size: number): readonly Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(size))
}

/**
 * Solves for the exercise boundary at one volatility. `depth` is √h = ln X - ln B at the collocation points. On entry
 * it holds starting values (from `guessBoundary`, or the boundary of a nearby volatility). On return it holds the
 * boundary, with a relative error of about `tolerance` squared. Returns the number of Newton rounds.
 * If no boundary is found, it returns 40 and leaves the best attempt in `depth`, which is finite and as good as
 * `guessBoundary`. This happens only for a volatility of 1 or 2 % together with a rate or yield of 25 %.
 */
export function solveBoundary(system: BoundarySystem, sigma: number, depth: Float64Array, tolerance: number): number {
  const { points: n, residual } = system.tables
  const { jacobian } = premiumKernels().columns
  for (let round = 1; ; round++) {
    fillEquations(system, sigma, depth)
    let off = 0
    for (let i = 0; i < n; i++) off = Math.max(off, Math.abs(residual[i]))
    solveLinear(jacobian, residual, n)
    if (!areFinite(residual)) {
      depth.set(guessBoundary(system, sigma))
      return MAX_ROUNDS
    }
    let moved = 0
    for (let i = 0; i < n; i++) {
      const next = Math.min(Math.max(depth[i] - residual[i], 0.3 * depth[i]), 2 * depth[i])
      moved = Math.max(moved, Math.abs(next / depth[i] - 1))
      depth[i] = next
    }
    // A step can be small because the slopes are wrong, so the equation itself must hold as well.
    if ((moved < tolerance && off < tolerance) || round === MAX_ROUNDS) return round
  }
}

function areFinite(column: Float64Array): boolean {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return Number.isFinite(sum)
}

export function guessBoundary({ terms, tables, logAtExpiry }: BoundarySystem, sigma: number): Float64Array {
  const depth = new Float64Array(tables.points)
  fillBoundaryGuess(terms, sigma, logAtExpiry, tables.z, depth)
  return depth
}

const HALVINGS = 14
/** Largest distance between a boundary and its value at expiry, in standard deviations. */
const REACH = 8

/**
 * Fills `depth` with rough values of ln X - ln B for the exercise boundary B at times to expiry z² T. At this boundary,
 * a put with strike 1 equals its exercise value in the quadratic approximation.
 * Source: Barone-Adesi and Whaley (1987), Efficient Analytic Approximation of American Option Values, Journal of
 * Finance 42(2), 301-320, equation for the critical price of a put.
 */
function fillBoundaryGuess(
  { t, rate, dividendYield }: ExerciseTerms,
  sigma: number,
  logAtExpiry: number,
  z: Float64Array,
  depth: Float64Array
): void {
  const variance = sigma * sigma
  const drift = (2 * (rate - dividendYield)) / variance - 1
  for (let i = 0; i < z.length; i++) {
    const tau = t * z[i] * z[i]
    const total = sigma * Math.sqrt(tau)
    // 2r / (σ² (1 - e^(-rτ))), whose limit at r = 0 is 2 / (σ² τ).
    const reward = 2 / (variance * (rate > 0 ? -Math.expm1(-rate * tau) / rate : tau))
    const power = -0.5 * (drift + Math.sqrt(drift * drift + 4 * reward))
    const discount = Math.exp(-rate * tau)
    const carried = Math.exp(-dividendYield * tau)
    let lo = 0
    let hi = REACH * total
    for (let round = 0; round < HALVINGS; round++) {
      const middle = 0.5 * (lo + hi)
      const logB = logAtExpiry - middle
      const b = Math.exp(logB)
      const d1 = (logB + (rate - dividendYield) * tau) / total + 0.5 * total
      const beyond = carried * cumulativeNormal(-d1)
      const european = discount * cumulativeNormal(total - d1) - b * beyond
      const worthExercising = 1 - b >= european - ((1 - beyond) * b) / power
      if (worthExercising) hi = middle
      else lo = middle
    }
    depth[i] = 0.5 * (lo + hi)
  }
}

let loaded: BoundarySystem | undefined

/**
 * Fills `residual` with F = ln(N/D) - ln B at each collocation point, and `jacobian` of the kernels with the
 * derivatives of F with respect to all depths.
 */
function fillEquations(system: BoundarySystem, sigma: number, depth: Float64Array): void {
  const kernels = premiumKernels()
  const { tables, logAtExpiry } = system
  const { points, inner, residual } = tables
  const { columns } = kernels
  if (loaded !== system) load(kernels, system)
  for (let i = 0; i < points; i++) columns.depth[i] = depth[i]
  kernels.fillEquations(points, inner, sigma, logAtExpiry)
  for (let i = 0; i < points; i++) residual[i] = Math.log(columns.quotient[i]) - (logAtExpiry - depth[i])
}

function load({ columns, limits }: PremiumKernels, system: BoundarySystem): void {
  const { tables } = system
  const fits = tables.points <= limits.MOST_POINTS && tables.inner <= limits.MOST_INNER
  if (!fits) throw new RangeError('the shape of an exercise boundary does not fit the memory of its kernels')
  if (loaded?.tables !== tables) loadRows(columns, tables)
  columns.rootTau.set(system.rootTau)
  columns.carryTau.set(system.carryTau)
  columns.discountTau.set(system.discountTau)
  columns.carriedTau.set(system.carriedTau)
  columns.rootU.set(system.rootU)
  columns.perRootU.set(system.perRootU)
  columns.carryU.set(system.carryU)
  columns.interestU.set(system.interest)
  columns.dividendU.set(system.dividend)
  loaded = system
}

function loadRows({ rows, turnedRows }: PremiumKernels['columns'], { points, inner, innerRows }: BoundaryTables): void {
  const all = points * inner
  const [width, height] = [points + (points % 2), all + (all % 2)]
  for (let at = 0; at < all; at++) {
    for (let k = 0; k < points; k++) {
      rows[at * width + k] = innerRows[at * points + k]
      turnedRows[k * height + at] = innerRows[at * points + k]
    }
  }
}

import { arePlainKernels } from '../kernel-choice.ts'
import { fillBoundaryGuess } from './boundary-guess.ts'
import { type BoundaryShape, type BoundaryTables, boundaryTables } from './boundary-tables.ts'
import { type ExerciseTerms, logBoundaryAtExpiry } from './exercise.ts'
import { solveLinear } from './linear-system.ts'
import { cumulativeNormal, normalDensity } from './normal-table.ts'
import { quickEquations } from './simd/quick-equations.ts'

/**
 * The equation of the exercise boundary B(τ) of a put with strike 1, for terms whose `exerciseOf` is `below`. Smooth
 * pasting asks at each point of collocation that B = N/D, with
 *
 *     N = e^(-rτ) φ(d-) / (σ√τ) + r ∫ e^(-ru) φ(e-) / (σ√u) du
 *     D = e^(-qτ) (φ(d+) / (σ√τ) + N(d+)) + q ∫ e^(-qu) (N(e+) + φ(e+) / (σ√u)) du,
 *
 * d being the argument of Black and Scholes at spot B(τ) and strike 1 over τ, e that at strike B(τ - u) over u.
 *
 * Source: Andersen, Lake and Offengenden (2016), High-Performance American Option Pricing, Journal of Computational
 * Finance 20(1), 39-87, system A and its unknown h(z) = ln²(B/X) in z = √(τ/T). Quadrature and iteration are our own.
 */
export interface BoundarySystem {
  readonly terms: ExerciseTerms
  readonly tables: BoundaryTables
  /** ln X. */
  readonly logAtExpiry: number
  /** What volatility does not change, for the points of collocation: √τ, (r - q) τ, e^(-rτ) and e^(-qτ). */
  readonly rootTau: Float64Array
  readonly carryTau: Float64Array
  readonly discountTau: Float64Array
  readonly carriedTau: Float64Array
  /** The same for the points of all integrals: √u, 1/√u, (r - q) u, and r e^(-ru) and q e^(-qu) times the weight and σ. */
  readonly rootU: Float64Array
  readonly perRootU: Float64Array
  readonly carryU: Float64Array
  readonly interest: Float64Array
  readonly dividend: Float64Array
}

/** Below this part of the point's own h an interpolated h is no boundary: it is held there, and told to be flat. */
const FLOOR = 1e-4
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
 * Solves for the boundary at one volatility. `depth` is √h = ln X - ln B at the points of collocation: a start on the
 * way in (see `guessBoundary`, or the boundary of a volatility nearby), the boundary on the way out. Answers the rounds
 * of Newton's method it took; the boundary holds to about `tolerance` squared, as a part of its depth.
 *
 * It answers 40 where it found none, and leaves the best it has: finite, and as good as `guessBoundary`. That takes a
 * volatility of 1 or 2 % with a rate or yield of 25 %.
 */
export function solveBoundary(system: BoundarySystem, sigma: number, depth: Float64Array, tolerance: number): number {
  const { points: n, scratch } = system.tables
  const { jacobian, residual } = scratch
  for (let round = 1; ; round++) {
    if (arePlainKernels() || !quickEquations(system, sigma, depth)) plainEquations(system, sigma, depth)
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
    // A step can be small because the slopes are wrong: the equation itself has to hold as well.
    if ((moved < tolerance && off < tolerance) || round === MAX_ROUNDS) return round
  }
}

function areFinite(column: Float64Array): boolean {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return Number.isFinite(sum)
}

/** A start for `solveBoundary` from nothing but the terms. */
export function guessBoundary({ terms, tables, logAtExpiry }: BoundarySystem, sigma: number): Float64Array {
  const depth = new Float64Array(tables.points)
  fillBoundaryGuess(terms, sigma, logAtExpiry, tables.z, depth)
  return depth
}

/** Fills the residuals of the equations, and their slopes in all depths, in the scratch of the system's shape. */
export function plainEquations(system: BoundarySystem, sigma: number, depth: Float64Array): void {
  fillArguments(system, sigma, depth)
  fillIntegrands(system, sigma)
  fillRows(system, sigma, depth)
}

// One round is three loops. Each has room for the formulas it calls: one that holds all of them leaves some as calls, and
// every number that a call returns goes to the heap.

/** e- at each point of each integral, and what a change of h there does to it. */
function fillArguments(system: BoundarySystem, sigma: number, depth: Float64Array): void {
  const { tables, rootU, perRootU, carryU } = system
  const { points: n, inner, innerRows, scratch } = tables
  const { h, argument, share } = scratch
  const perSigma = 1 / sigma
  for (let k = 0; k < n; k++) h[k] = depth[k] * depth[k]
  for (let i = 0; i < n; i++) {
    const own = depth[i]
    const floor = FLOOR * h[i]
    for (let at = i * inner; at < (i + 1) * inner; at++) {
      const row = at * n
      let then = 0
      for (let k = 0; k < n; k++) then += innerRows[row + k] * h[k]
      const held = !(then > floor)
      const there = Math.sqrt(held ? floor : then)
      argument[at] = (there - own + carryU[at]) * perRootU[at] * perSigma - 0.5 * sigma * rootU[at]
      share[at] = held ? 0 : 1 / there
    }
  }
}

/** The terms of the integrals of N and D, and their slopes in √h there. */
function fillIntegrands(system: BoundarySystem, sigma: number): void {
  const { tables, rootU, perRootU, interest, dividend } = system
  const { argument, strikePart, spotPart, strikePull, spotPull } = tables.scratch
  const perSigma = 1 / sigma
  for (let at = 0; at < argument.length; at++) {
    const e2 = argument[at]
    const e1 = e2 + sigma * rootU[at]
    const slope = -e2 * perRootU[at] * perSigma
    const strikeSide = interest[at] * perSigma * normalDensity(e2)
    const spotSide = dividend[at] * perSigma * normalDensity(e1)
    strikePart[at] = strikeSide
    spotPart[at] = spotSide + dividend[at] * rootU[at] * cumulativeNormal(e1)
    strikePull[at] = slope * strikeSide
    spotPull[at] = slope * spotSide
  }
}

/** F = ln(N/D) - ln B at each point, and its slopes in all depths. */
function fillRows(system: BoundarySystem, sigma: number, depth: Float64Array): void {
  const { tables, logAtExpiry, rootTau, carryTau, discountTau, carriedTau } = system
  const { points: n, inner, innerRows, scratch } = tables
  const { share, strikePart, spotPart, strikePull, spotPull, jacobian, residual } = scratch
  for (let i = 0; i < n; i++) {
    const total = sigma * rootTau[i]
    const logB = logAtExpiry - depth[i]
    const d2 = (logB + carryTau[i]) / total - 0.5 * total
    const d1 = d2 + total
    const strikeDensity = (discountTau[i] * normalDensity(d2)) / total
    const spotDensity = (carriedTau[i] * normalDensity(d1)) / total
    let strikeSide = strikeDensity
    let spotSide = spotDensity + carriedTau[i] * cumulativeNormal(d1)
    const end = (i + 1) * inner
    for (let at = i * inner; at < end; at++) {
      strikeSide += strikePart[at]
      spotSide += spotPart[at]
    }
    const perStrike = 1 / strikeSide
    const perSpot = 1 / spotSide
    let ownSlope = 1 + (d2 / total) * (strikeDensity * perStrike - spotDensity * perSpot)
    const first = i * n
    for (let k = 0; k < n; k++) jacobian[first + k] = 0
    for (let at = i * inner; at < end; at++) {
      const slope = strikePull[at] * perStrike - spotPull[at] * perSpot
      const pull = slope * share[at]
      ownSlope -= slope
      for (let k = 0; k < n; k++) jacobian[first + k] += pull * innerRows[at * n + k]
    }
    for (let k = 0; k < n; k++) jacobian[first + k] *= depth[k]
    jacobian[first + i] += ownSlope
    residual[i] = Math.log(strikeSide / spotSide) - logB
  }
}

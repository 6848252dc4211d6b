import { fillBoundaryGuess } from './boundary-guess.ts'
import { type BoundaryShape, type BoundaryTables, boundaryTables } from './boundary-tables.ts'
import { type ExerciseTerms, logBoundaryAtExpiry } from './exercise.ts'
import { solveLinear } from './linear-system.ts'
import { cumulativeNormal, normalDensity } from './normal-table.ts'

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
  /** e^(-ru) and e^(-qu) of every integral. */
  readonly discounted: Float64Array
  readonly carried: Float64Array
  /** Scratch: the rows of Newton's method, and what one row needs of each of its points. */
  readonly jacobian: Float64Array
  readonly residual: Float64Array
  readonly share: Float64Array
  readonly pull: Float64Array
  readonly strikePull: Float64Array
  readonly spotPull: Float64Array
}

/** Below this part of the point's own h an interpolated h is no boundary: it is held there, and told to be flat. */
const FLOOR = 1e-4
const MAX_ROUNDS = 40

export function boundarySystem(terms: ExerciseTerms, shape: BoundaryShape): BoundarySystem {
  const tables = boundaryTables(shape)
  const { points, inner, z, innerSine } = tables
  const discounted = new Float64Array(points * inner)
  const carried = new Float64Array(points * inner)
  for (let at = 0; at < points * inner; at++) {
    const u = terms.t * (z[Math.trunc(at / inner)] * innerSine[at % inner]) ** 2
    discounted[at] = Math.exp(-terms.rate * u)
    carried[at] = Math.exp(-terms.dividendYield * u)
  }
  return {
    terms,
    tables,
    logAtExpiry: logBoundaryAtExpiry(terms),
    discounted,
    carried,
    jacobian: new Float64Array(points * points),
    residual: new Float64Array(points),
    share: new Float64Array(inner),
    pull: new Float64Array(inner),
    strikePull: new Float64Array(inner),
    spotPull: new Float64Array(inner)
  }
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
  const { jacobian, residual, tables } = system
  const n = tables.points
  for (let round = 1; ; round++) {
    for (let i = 0; i < n; i++) fillRow(system, sigma, depth, i)
    let off = 0
    for (let i = 0; i < n; i++) off = Math.max(off, Math.abs(residual[i]))
    solveLinear(jacobian, residual, n)
    if (!residual.every(Number.isFinite)) {
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

/** A start for `solveBoundary` from nothing but the terms. */
export function guessBoundary({ terms, tables, logAtExpiry }: BoundarySystem, sigma: number): Float64Array {
  const depth = new Float64Array(tables.points)
  fillBoundaryGuess(terms, sigma, logAtExpiry, tables.z, depth)
  return depth
}

/** F = ln(N/D) - ln B at point i, and its slopes in all depths. */
function fillRow(system: BoundarySystem, sigma: number, depth: Float64Array, i: number): void {
  const { terms, tables, logAtExpiry, discounted, carried, jacobian, residual } = system
  const { share, pull, strikePull, spotPull } = system
  const { rate, dividendYield } = terms
  const { points: n, inner, innerSine, innerWeight, innerRows, z } = tables
  const carry = rate - dividendYield
  const tau = terms.t * z[i] * z[i]
  const rootTau = Math.sqrt(tau)
  const total = sigma * rootTau
  const own = depth[i]
  const logB = logAtExpiry - own

  const d2 = (logB + carry * tau) / total - 0.5 * total
  const d1 = d2 + total
  const spotDiscount = Math.exp(-dividendYield * tau)
  const strikeDensity = (Math.exp(-rate * tau) * normalDensity(d2)) / total
  const spotDensity = (spotDiscount * normalDensity(d1)) / total
  let strikeSide = strikeDensity
  let spotSide = spotDensity + spotDiscount * cumulativeNormal(d1)
  const strikeSlope = (-strikeDensity * d2) / total
  const spotSlope = (-spotDensity * d2) / total

  const perTotal = rootTau / sigma
  const floor = FLOOR * own * own
  for (let j = 0; j < inner; j++) {
    const row = (i * inner + j) * n
    let h = 0
    for (let k = 0; k < n; k++) h += innerRows[row + k] * depth[k] * depth[k]
    const held = !(h > floor)
    const there = Math.sqrt(held ? floor : h)
    const gap = there - own
    const rootU = rootTau * innerSine[j]
    const u = rootU * rootU
    const step = sigma * rootU
    const e2 = (gap + carry * u) / step - 0.5 * step
    const e1 = e2 + step
    const weight = innerWeight[j] * perTotal
    const strikePart = rate * weight * discounted[i * inner + j] * normalDensity(e2)
    const spotWeight = dividendYield * weight * carried[i * inner + j]
    const spotPart = spotWeight * normalDensity(e1)
    strikeSide += strikePart
    spotSide += spotPart + spotWeight * step * cumulativeNormal(e1)
    strikePull[j] = (-e2 / step) * strikePart
    spotPull[j] = (-e2 / step) * spotPart
    share[j] = held ? 0 : 1 / there
  }

  const perStrike = 1 / strikeSide
  const perSpot = 1 / spotSide
  let ownSlope = spotSlope * perSpot - strikeSlope * perStrike + 1
  for (let j = 0; j < inner; j++) {
    const slope = strikePull[j] * perStrike - spotPull[j] * perSpot
    ownSlope -= slope
    pull[j] = slope * share[j]
  }
  for (let k = 0; k < n; k++) {
    let sum = 0
    for (let j = 0; j < inner; j++) sum += pull[j] * innerRows[(i * inner + j) * n + k]
    jacobian[i * n + k] = sum * depth[k]
  }
  jacobian[i * n + i] += ownSlope
  residual[i] = Math.log(strikeSide / spotSide) - logB
}

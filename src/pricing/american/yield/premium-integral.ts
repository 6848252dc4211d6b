import { cumulativeNormal, normalDensity } from '../../../math/normal-table.ts'
import type { BoundarySystem } from './boundary.ts'
import type { ExerciseTerms } from './exercise.ts'

/**
 * Early-exercise premium of a put with strike 1 at spot e^x, as an integral over u, the time to exercise:
 *
 *    P(x) = ∫ [ r e^(-ru) N(-d-) - q e^(x - qu) N(-d+) ] du,   d± = (x - ln B(T - u) + (r - q) u) / (σ√u) ± σ√u / 2
 *
 * The fields are columns over the points of this integral, for one boundary. They serve any number of spots.
 * Source: Kim (1990), The Analytic Valuation of American Options, Review of Financial Studies 3(4), 547-572.
 */
export interface PremiumIntegral {
  readonly terms: ExerciseTerms
  /** ln B(T) of the exercise boundary B. At this x and below, the put is exercised at once. */
  readonly logBoundary: number
  /** σ√u and its reciprocal 1 / (σ√u). */
  readonly total: Float64Array
  readonly perTotal: Float64Array
  /** Value of d- at x = 0: ((r - q) u - ln B(T - u)) / (σ√u) - σ√u / 2. */
  readonly offset: Float64Array
  /** r e^(-ru) and q e^(-qu), both multiplied by the weight of the point. */
  readonly interest: Float64Array
  readonly dividend: Float64Array
  /**
   * `discounted` is e^(-ru) multiplied by the weight of the point; `logB` is ln B(T - u). Only derivatives use them.
   */
  readonly discounted: Float64Array
  readonly logB: Float64Array
}

/**
 * Creates the columns that do not depend on volatility. The others are empty, and `fillPremiumIntegral` may fill them
 * any number of times.
 */
export function premiumIntegral({ terms, tables }: BoundarySystem): PremiumIntegral {
  const { t, rate, dividendYield } = terms
  const { outer, outerSine, outerWeight } = tables
  const column = () => new Float64Array(outer)
  const [interest, dividend, discounted] = [column(), column(), column()]
  const rootT = Math.sqrt(t)
  for (let j = 0; j < outer; j++) {
    const rootU = rootT * outerSine[j]
    const u = rootU * rootU
    const weight = outerWeight[j] * rootT * rootU
    discounted[j] = weight * Math.exp(-rate * u)
    interest[j] = rate * discounted[j]
    dividend[j] = dividendYield * (weight * Math.exp(-dividendYield * u))
  }
  const own = { total: column(), perTotal: column(), offset: column(), logB: column() }
  return { terms, logBoundary: Number.NaN, ...own, interest, dividend, discounted }
}

export function fillPremiumIntegral(
  { terms, tables, logAtExpiry }: BoundarySystem,
  sigma: number,
  depth: Float64Array,
  columns: PremiumIntegral
): PremiumIntegral {
  const { t, rate, dividendYield } = terms
  const { points: n, outer, outerSine, outerRows } = tables
  const { total, perTotal, offset, logB } = columns
  const rootT = Math.sqrt(t)
  const carry = rate - dividendYield
  for (let j = 0; j < outer; j++) {
    let h = 0
    for (let k = 0; k < n; k++) h += outerRows[j * n + k] * depth[k] * depth[k]
    const rootU = rootT * outerSine[j]
    const u = rootU * rootU
    logB[j] = logAtExpiry - (h > 0 ? Math.sqrt(h) : 0)
    total[j] = sigma * rootU
    perTotal[j] = 1 / total[j]
    offset[j] = (carry * u - logB[j]) / total[j] - 0.5 * total[j]
  }
  return { ...columns, logBoundary: logAtExpiry - depth[n - 1] }
}

/**
 * P(x), in units of the strike. The formula also holds below the boundary: there, the European value plus P equals the
 * exercise value.
 */
export function premiumAt(integral: PremiumIntegral, x: number): number {
  const { total, perTotal, offset, interest, dividend } = integral
  const spot = Math.exp(x)
  let strikeSide = 0
  let spotSide = 0
  for (let j = 0; j < total.length; j++) {
    const d2 = x * perTotal[j] + offset[j]
    strikeSide += interest[j] * cumulativeNormal(-d2)
    spotSide += dividend[j] * cumulativeNormal(-d2 - total[j])
  }
  return strikeSide - spot * spotSide
}

export interface PremiumSlopes {
  readonly value: number
  readonly first: number
  readonly second: number
  readonly third: number
}

/**
 * Premium P and its derivatives at an x above the boundary. Each derivative is computed as an integral, not as a
 * difference of premiums.
 */
export function premiumSlopesAt(integral: PremiumIntegral, x: number): PremiumSlopes {
  const { terms, total, perTotal, offset, dividend, discounted, logB } = integral
  const { rate, dividendYield } = terms
  const spot = Math.exp(x)
  let first = 0
  let second = 0
  let third = 0
  for (let j = 0; j < total.length; j++) {
    const v = perTotal[j]
    const d2 = x * v + offset[j]
    const density = normalDensity(d2)
    const held = -spot * dividend[j] * cumulativeNormal(-d2 - total[j])
    const boundary = Math.exp(logB[j])
    const fall = (rate - dividendYield * boundary) * discounted[j] * density * v
    const paid = dividendYield * boundary * discounted[j] * density * v
    first += held - fall
    second += held + fall * d2 * v + paid
    third += held + fall * (1 - d2 * d2) * v * v + paid * (1 - d2 * v)
  }
  return { value: premiumAt(integral, x), first, second, third }
}

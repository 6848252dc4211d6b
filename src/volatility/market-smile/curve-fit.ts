import { type CurveCheck, checkCurve } from './arbitrage-check.ts'
import { emptyBandEquations, solve } from './band-equations.ts'
import type { FitProblem } from './fit-problem.ts'
import { INTERVALS } from './knot-grid.ts'
import { addConditions, addMids, addQuadraticTerms, addQuotes } from './penalties.ts'
import type { SmileCurve } from './smile-curve.ts'

export interface Fit {
  readonly curve: SmileCurve
  readonly check: CurveCheck
  readonly evaluations: number
}

/**
 * Initial weight of the no-arbitrage conditions. `FIRMER` is the factor by which the weight grows each time the
 * arbitrage check fails.
 */
export const FIRMNESS = 300
export const FIRMER = 30
const ROUNDS = 3
const MAX_EVALUATIONS = 40
/** A round of the fit ends with a step that reduces the objective by less than this fraction. */
const ENOUGH = 1e-3
const MIN_STEP = 1 / 20

// Scratch memory of a thread, whose fits run one after another; no result refers to it. It has four entries more than
// intervals, because the last row of a listing reaches one place beyond its unknowns.
const ROOM = INTERVALS + 4
const quadratic = emptyBandEquations(ROOM)
const equations = emptyBandEquations(ROOM)
const solution = new Float64Array(ROOM)

/**
 * Fits a curve to the quotes of one expiration by the Gauss-Newton method, with penalties against arbitrage. Each round
 * has heavier penalties, until the arbitrage check passes or the heaviest have been tried. `start` holds unknowns of
 * the same problem from which to continue; without it, the fit starts from least squares of the mids. Equal inputs give
 * equal results. Undefined if the quotes leave an unknown undetermined.
 */
export function fitCurve(
  problem: FitProblem,
  earlier: SmileCurve | undefined,
  firmness = FIRMNESS,
  start?: Float64Array
): Fit | undefined {
  const { scale, first, intervals } = problem
  const size = intervals + 3
  clear(quadratic)
  const constant = addQuadraticTerms(problem, quadratic)
  let c = start?.slice() ?? leastSquares(problem, size)
  if (c === undefined) return undefined
  let evaluations = 0
  let weight = firmness
  const meritAt = (unknowns: Float64Array) => {
    evaluations++
    equations.band.set(quadratic.band)
    equations.right.set(quadratic.right)
    const merit = constant + quadraticMerit(unknowns, size)
    return merit + addQuotes(problem.quotes, unknowns, equations) + addConditions(problem, unknowns, weight, equations)
  }
  let check: CurveCheck | undefined
  for (let round = 0; round <= ROUNDS; round++) {
    let merit = meritAt(c)
    for (;;) {
      if (!solve(equations, size, solution)) return undefined
      const next: Float64Array = solution.slice(0, size)
      let reached = meritAt(next)
      for (let step = 0.5; !(reached < merit) && step >= MIN_STEP; step /= 2) {
        for (let m = 0; m < size; m++) next[m] = c[m] + step * (solution[m] - c[m])
        reached = meritAt(next)
      }
      const gain = merit - reached
      c = next
      merit = reached
      if (gain <= ENOUGH * merit || evaluations >= MAX_EVALUATIONS) break
    }
    check = checkCurve({ scale, first, coefficients: c }, earlier)
    if (check.holds || evaluations >= MAX_EVALUATIONS) break
    weight *= FIRMER
  }
  return { curve: { scale, first, coefficients: c }, check: check!, evaluations }
}

function clear({ band, right }: typeof equations): void {
  band.fill(0)
  right.fill(0)
}

function leastSquares(problem: FitProblem, size: number): Float64Array | undefined {
  equations.band.set(quadratic.band)
  equations.right.set(quadratic.right)
  addMids(problem, equations)
  return solve(equations, size, solution) ? solution.slice(0, size) : undefined
}

/** Quadratic terms of the objective at the unknowns c, without their constant part: cᵀ A c - 2 bᵀ c. */
function quadraticMerit(c: Float64Array, size: number): number {
  const { band, right } = quadratic
  let merit = 0
  for (let i = 0; i < size; i++) {
    let across = 0
    for (let d = Math.min(3, size - 1 - i); d >= 1; d--) across += band[4 * i + d] * c[i + d]
    merit += c[i] * (band[4 * i] * c[i] + 2 * across - 2 * right[i])
  }
  return merit
}

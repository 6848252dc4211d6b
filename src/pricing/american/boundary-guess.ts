import type { ExerciseTerms } from './exercise.ts'
import { cumulativeNormal } from './normal-table.ts'

/** Enough to place a boundary within a ten-thousandth of the range it is sought in. */
const HALVINGS = 14
/** A boundary lies no more than so many standard deviations below its start. */
const REACH = 8

/**
 * Rough depths ln X - ln B of the exercise boundary at times to expiry z² T: where a put with strike 1 equals its exercise value
 * in the quadratic approximation.
 * Source: Barone-Adesi and Whaley (1987), Efficient Analytic Approximation of American Option Values, Journal of Finance
 * 42(2), 301-320, equation for the critical price of a put.
 */
export function fillBoundaryGuess(
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

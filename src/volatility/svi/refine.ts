import { boundsBetween, bring, coordinatesOf, SIZE, sviAt } from './coordinates.ts'
import { type Barrier, type FitPoints, fillResiduals } from './residuals.ts'
import { solveStep, sumPoints } from './step.ts'
import type { Svi } from './svi.ts'
import type { Workspace } from './workspace.ts'

const MAX_STEPS = 25
/**
 * The fit ends with a step that reduces the objective by less than this fraction. With a barrier it ends earlier,
 * because it only has to clear the barrier.
 */
const MIN_GAIN = 1e-5
const MIN_GAIN_AT_BARRIER = 1e-4
const MAX_DAMPING = 1e8
const ROUNDING = 1e-18
const nothing = new Uint8Array(0)

/**
 * Finds the slice with the least objective near `start`, within all bounds:
 *
 *     Σ weight (iv_fit - iv)² + Σ over the nodes of a barrier of its weight times max(0, margin - g)²
 *
 * Levenberg-Marquardt with analytic derivatives in the coordinates of coordinates.ts.
 */
export function refine(
  points: FitPoints,
  start: Svi,
  workspace: Workspace,
  barrier?: Barrier
): { readonly svi: Svi; readonly error: number } {
  const bounds = boundsBetween(points.from, points.to, points.widest)
  const { equations } = workspace
  let { rows, trialRows } = workspace
  let here: Float64Array = coordinatesOf(start, bounds)
  let trial: Float64Array = new Float64Array(SIZE)
  let error = fillResiduals(rows, points, here, barrier)
  const counted = barrier?.counted ?? nothing
  const enough = barrier === undefined ? MIN_GAIN : MIN_GAIN_AT_BARRIER
  let damping = 1e-4
  let crawled = false
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    sumPoints(equations, rows)
    let [gain, shortened] = [0, false]
    for (; damping <= MAX_DAMPING; damping *= 8, shortened = true) {
      if (!solveStep(equations, here, rows, bounds, counted, damping)) continue
      for (let j = 0; j < SIZE; j++) trial[j] = here[j] - equations.step[j]
      bring(trial, bounds)
      const next = fillResiduals(trialRows, points, trial, barrier)
      if (!(next < error)) continue
      gain = error - next
      error = next
      ;[here, trial] = [trial, here]
      ;[rows, trialRows] = [trialRows, rows]
      damping = Math.max(1e-12, damping / 20)
      break
    }
    const small = gain <= enough * error + ROUNDING
    // A full step with little gain has reached the bottom. A shortened step may only have met a bend, but not twice in
    // a row.
    if (small && (crawled || !shortened || gain === 0)) break
    crawled = small
  }
  return { svi: sviAt(here), error }
}

import { emptyRows, type ResidualRows } from './residuals.ts'
import { emptySearchColumns, type SearchColumns } from './start.ts'
import { emptyStepEquations, type StepEquations } from './step.ts'

/**
 * Scratch memory of fits, which overwrite it one after another; no result refers to it. Allocating it anew would cost
 * more than half the time of a fit.
 */
export interface Workspace {
  readonly searched: SearchColumns
  /** Residual rows at the current position; then at the trial position. */
  readonly rows: ResidualRows
  readonly trialRows: ResidualRows
  readonly equations: StepEquations
}

/** An empty workspace; fits allocate what they need and later fits reuse it. */
export function emptyWorkspace(): Workspace {
  return {
    searched: emptySearchColumns(),
    rows: emptyRows(),
    trialRows: emptyRows(),
    equations: emptyStepEquations()
  }
}

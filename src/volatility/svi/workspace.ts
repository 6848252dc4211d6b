import { emptyRows, type ResidualRows } from './residuals.ts'
import { emptySearchColumns, type SearchColumns } from './start.ts'
import { emptyStepEquations, type StepEquations } from './step.ts'

/**
 * Working memory of fits, which run one after another and overwrite it. No result refers to it. Allocating new memory
 * for each fit would cost more than half the time of a fit.
 */
export interface Workspace {
  readonly searched: SearchColumns
  /** `rows` are the residuals at the current position, `trialRows` those at the position that is being tried. */
  readonly rows: ResidualRows
  readonly trialRows: ResidualRows
  readonly equations: StepEquations
}

/** Creates a workspace without memory. Fits allocate what they need, and later fits reuse it. */
export function emptyWorkspace(): Workspace {
  return {
    searched: emptySearchColumns(),
    rows: emptyRows(),
    trialRows: emptyRows(),
    equations: emptyStepEquations()
  }
}

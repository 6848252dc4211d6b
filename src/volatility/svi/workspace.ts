import { emptyRows, type ResidualRows } from './residuals.ts'
import { emptySearchColumns, type SearchColumns } from './start.ts'
import { emptyStepEquations, type StepEquations } from './step.ts'

/**
 * The memory a fit works in. One fit after another may use the same: a fit begins by overwriting it, and nothing a fit
 * returns refers to it. To make it anew would cost more than half of what a fit does.
 */
export interface Workspace {
  /** The points of the search for a start. */
  readonly searched: SearchColumns
  /** The rows where the refinement stands, and those where it would step. */
  readonly rows: ResidualRows
  readonly trialRows: ResidualRows
  readonly equations: StepEquations
}

/** A workspace with room for nothing yet: a fit makes the room it needs, and the next one finds it. */
export function emptyWorkspace(): Workspace {
  return {
    searched: emptySearchColumns(),
    rows: emptyRows(),
    trialRows: emptyRows(),
    equations: emptyStepEquations()
  }
}

import type { Assumptions } from '../pricing/assumptions.ts'

/**
 * Version of the formulas behind stored rows of figures. Raise it whenever a figure is added to these rows
 * (`endpoints/series/row.ts`) or a formula changes: rows with another version are then recomputed.
 */
const FIGURE_VERSION = 5

/**
 * Key that identifies how stored figures were computed: with which formulas, assumptions and `confidence` (see
 * `confidenceFor`). Stored rows with another key are recomputed before they are used.
 */
export function figureVersion(assumptions: Assumptions, confidence?: number | undefined): string {
  return JSON.stringify([FIGURE_VERSION, assumptions, confidence ?? null])
}

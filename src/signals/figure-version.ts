import type { Assumptions } from '../pricing/assumptions.ts'

/**
 * Raise it whenever a figure is added to the stored rows or a formula behind one changes (`endpoints/series/row.ts`),
 * so that rows of other versions are recomputed.
 */
const FIGURE_VERSION = 2

/**
 * Version key of stored figures: rows computed with other formulas, assumptions or `confidence` (see `confidenceFor`)
 * have another key and are recomputed before they are used.
 */
export function figureVersion(assumptions: Assumptions, confidence?: number | undefined): string {
  return JSON.stringify([FIGURE_VERSION, assumptions, confidence ?? null])
}

import type { Assumptions } from '../pricing/assumptions.ts'

/**
 * Raise it whenever a stored figure over time is added or a formula behind one changes (`endpoints/series/row.ts`), so
 * that stored rows of another version are recomputed.
 */
const FIGURE_VERSION = 2

/**
 * Version key of stored figures: rows computed with other formulas, assumptions or `confidence` (see `confidenceFor`)
 * have another key and are recomputed before they are used.
 */
export function figureVersion(assumptions: Assumptions, confidence?: number | undefined): string {
  return JSON.stringify([FIGURE_VERSION, assumptions, confidence ?? null])
}

import type { Assumptions } from '../pricing/assumptions.ts'

/**
 * Raised whenever a figure that is kept over time is added, or a formula behind one changes (`endpoints/series/row.ts`),
 * so that stored rows of another version are made anew.
 */
const FIGURE_VERSION = 2

/**
 * What tells rows of figures apart that formulas or assumptions make differ: a row of another version is made anew before
 * it is answered, as the answer about its moment would be another one too. `confidence`: see `confidenceFor`.
 */
export function figureVersion(assumptions: Assumptions, confidence?: number | undefined): string {
  return JSON.stringify([FIGURE_VERSION, assumptions, confidence ?? null])
}

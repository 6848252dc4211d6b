import type { Assumptions } from '../../pricing/assumptions.ts'
import { FIGURE_VERSION } from './fields.ts'

/**
 * What tells rows of figures apart that formulas or assumptions make differ: a row of another version is made anew before
 * it is answered, as the answer about its moment would be another one too. `confidence`: see `confidenceFor`.
 */
export function figureVersion(assumptions: Assumptions, confidence?: number | undefined): string {
  return JSON.stringify([FIGURE_VERSION, assumptions, confidence ?? null])
}

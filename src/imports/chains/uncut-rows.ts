import type { ReadMoments } from './import-chains.ts'
import type { Moment, MomentRow } from './moment-rows.ts'
import { contractText } from './resolve-moment.ts'

/**
 * Rows of a moment without those of tables that broke off in it, if other tables hold all their contracts. Otherwise all
 * rows, which are not complete.
 */
export function uncutRows(
  moment: Moment,
  { rows, cut }: Pick<ReadMoments, 'rows' | 'cut'>
): { readonly rows: readonly MomentRow[]; readonly isComplete: boolean } {
  const all = rows.rowsOf(moment)
  const broken = cut.get(moment)
  if (broken === undefined) return { rows: all, isComplete: true }
  const whole = all.filter(({ table }) => !broken.includes(table))
  const listed = new Set(whole.map(contractText))
  const isComplete = all.every((row) => listed.has(contractText(row)))
  return { rows: isComplete ? whole : all, isComplete }
}

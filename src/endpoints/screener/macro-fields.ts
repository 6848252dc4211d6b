import { IndexPoints, Percent, Score } from '../../api/quantity.ts'
import { fearAndGreed } from '../../macro/fear-and-greed.ts'
import { vixTermStructure } from '../../macro/vix-term-structure.ts'
import type { Macro } from '../../market/macro.ts'
import type { ScreenerField } from '../../screener/screener-field.ts'
import { fieldOf, figure } from './field-kinds.ts'

export interface MacroField extends ScreenerField {
  readonly of: (macro: Macro) => number | undefined
}

const field = (key: string, kind: Parameters<typeof fieldOf>[2], of: MacroField['of'], note?: string): MacroField => ({
  ...fieldOf('macro', key, kind, note === undefined ? {} : { note }),
  of
})
const points = figure(IndexPoints())

export const macroFields: readonly MacroField[] = [
  field('vix', points, ({ levels }) => levels.vix?.value),
  field('vix_3m', points, ({ levels }) => levels.vix3m?.value),
  field('vvix', points, ({ levels }) => levels.vvix?.value),
  field('move', points, ({ levels }) => levels.move?.value),
  field('vix_term_slope_pct', figure(Percent()), (macro) => vixTermStructure(macro)?.basis, '100 (vix_3m - vix) / vix'),
  field('fear_and_greed', figure(Score()), (macro) => fearAndGreed(macro)?.score)
]

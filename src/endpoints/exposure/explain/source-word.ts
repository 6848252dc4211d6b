import { BETWEEN, SIBLING, SMILE } from '../../../pricing/sources.ts'

export const sourceWords = ['own_mid', 'twin', 'smile'] as const
export type SourceWord = (typeof sourceWords)[number]

/**
 * Wire word for the source of a contract's greeks. Interpolated values count as the smile, and prices without time
 * value as the contract's own mid, because both come from quotes.
 */
export function sourceWord(source: number): SourceWord {
  if (source === SIBLING) return 'twin'
  return source === SMILE || source === BETWEEN ? 'smile' : 'own_mid'
}

import { BETWEEN, SIBLING, SMILE } from '../../../pricing/sources.ts'

export const sourceWords = ['own_mid', 'twin', 'smile'] as const
export type SourceWord = (typeof sourceWords)[number]

/**
 * The word of the wire contract for the source of a contract's greeks. What was read between its neighbours counts as the
 * smile, and a price without time value as its own mid: both are those of the quotes.
 */
export function sourceWord(source: number): SourceWord {
  if (source === SIBLING) return 'twin'
  return source === SMILE || source === BETWEEN ? 'smile' : 'own_mid'
}

import { BETWEEN, SIBLING, SMILE } from '../../../pricing/sources.ts'

export const sourceWords = ['own_mid', 'twin', 'smile'] as const
export type SourceWord = (typeof sourceWords)[number]

/**
 * Word in responses for where a contract's volatility came from. Interpolated volatilities count as taken from the
 * smile. Contracts without time value count as priced from their own mid. In both cases the price came from quotes.
 */
export function sourceWord(source: number): SourceWord {
  if (source === SIBLING) return 'twin'
  return source === SMILE || source === BETWEEN ? 'smile' : 'own_mid'
}

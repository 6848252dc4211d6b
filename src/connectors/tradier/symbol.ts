import type { Ticker } from '../../market/units.ts'

/** A symbol as Tradier writes it: BRK/B for BRK.B, an index without any mark. */
export function tradierSymbol(symbol: Ticker): string {
  return symbol.replace('.', '/')
}

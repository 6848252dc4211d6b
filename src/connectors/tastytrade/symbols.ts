import type { Ticker } from '../../market/units.ts'

/** A share, fund or index as the stream names it: BRK/B for BRK.B. */
export function streamSymbol(symbol: Ticker): string {
  return symbol.replace('.', '/')
}

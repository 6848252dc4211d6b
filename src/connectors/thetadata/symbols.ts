import type { Ticker } from '../../market/units.ts'

/** The name of an underlying: an index without any mark, everything else as it is. */
export function underlyingName(symbol: Ticker): string {
  return symbol.replace(/^\^/, '')
}

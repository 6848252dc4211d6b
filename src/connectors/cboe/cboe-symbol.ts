import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import { parseTicker } from '../../market/units.ts'

/** The symbol of a payload as its users write it: Cboe marks an index with `_` in addresses and `^` in data. */
export function tickerOfCboe(symbol: string): Ticker | undefined {
  return parseTicker(symbol.replace(/^[_^]/, ''))
}

/** The symbol as Cboe's addresses want it: `_SPX` for the index SPX, everything else as it is, ^SPX included. */
export function cboeSymbol(ticker: Ticker): string {
  return securityKind(ticker) === 'index' && !ticker.startsWith('^') ? `_${ticker}` : ticker
}

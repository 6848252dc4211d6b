import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import { parseTicker } from '../../market/units.ts'

/** Converts a payload's symbol to a ticker: Cboe marks an index with `_` in addresses and `^` in data. */
export function tickerOfCboe(symbol: string): Ticker | undefined {
  return parseTicker(symbol.replace(/^[_^]/, ''))
}

/**
 * Name of a symbol in Cboe's addresses: `_SPX` for the index SPX. Other tickers are unchanged, and so are those that
 * begin with `^`.
 */
export function cboeSymbol(ticker: Ticker): string {
  return securityKind(ticker) === 'index' && !ticker.startsWith('^') ? `_${ticker}` : ticker
}

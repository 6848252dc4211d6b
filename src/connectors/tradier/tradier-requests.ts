import { DAYS_OF_BARS } from '../../market/bar.ts'
import { addDays } from '../../market/calendar.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { TradierRequest } from './tradier-rest.ts'

/** Tradier's name of a symbol, e.g. BRK/B for BRK.B. Indexes have no prefix. */
export function tradierSymbol(symbol: Ticker): string {
  return symbol.replace('.', '/')
}

export const quoteRequest = (symbols: string): TradierRequest => ({
  path: '/markets/quotes',
  query: { symbols, greeks: 'false' }
})

/**
 * Requests the expirations of all option roots. Without `includeAllRoots`, an index's weekly series would be missing.
 */
export const expirationsRequest = (symbol: string): TradierRequest => ({
  path: '/markets/options/expirations',
  query: { symbol, includeAllRoots: 'true' }
})

export const chainRequest = (symbol: string, expiration: IsoDate): TradierRequest => ({
  path: '/markets/options/chains',
  query: { symbol, expiration, greeks: 'false' }
})

export const historyRequest = (symbol: string, end: IsoDate): TradierRequest => ({
  path: '/markets/history',
  query: { symbol, interval: 'daily', start: addDays(end, -DAYS_OF_BARS), end }
})

/** Starts a stream session, which ends the user's previous session. */
export const sessionRequest: TradierRequest = {
  path: '/markets/events/session',
  query: {},
  method: 'POST',
  isSecret: true
}

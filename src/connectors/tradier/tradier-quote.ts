import { newestOf, type PayloadMoment } from '../../market/payload-moment.ts'
import { securityKind } from '../../market/security.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { fieldReader } from '../port/http/vendor-fields.ts'
import { tradierSymbol } from './tradier-requests.ts'

export const tradierReader = fieldReader('Tradier')

/** Quote of an underlying. Prices in USD per share, NaN if absent. */
export interface TradierQuote {
  readonly bid: number
  readonly ask: number
  readonly last: number
  /** Closing price; absent while the session is open. */
  readonly close: number
  readonly previousClose: number
  /** Time of the last trade; undefined if there is none. `newest` is the newest time of trade, bid and ask. */
  readonly traded: Instant | undefined
  readonly newest: Instant | undefined
}

/** Reads a response of `/markets/quotes` for one symbol; undefined if the vendor does not know it. */
export function readQuote(bytes: Uint8Array, symbol: Ticker): TradierQuote | undefined {
  const quotes = tradierReader.object(tradierReader.body(bytes), 'quotes')
  if (quotes['quote'] === undefined && quotes['unmatched_symbols'] !== undefined) return undefined
  const found = tradierReader.list(quotes, 'quote')?.map((quote) => tradierReader.element(quote, 'quote')) ?? []
  const [quote] = found
  if (quote === undefined || found.length > 1) throw tradierReader.malformed('it has not one quote')
  const name = tradierReader.text(quote, 'symbol')
  if (name !== tradierSymbol(symbol)) {
    throw tradierReader.malformed(`its symbol is ${name.slice(0, 20)} where ${symbol} was asked for`)
  }
  const [traded, bidAt, askAt] = ['trade_date', 'bid_date', 'ask_date'].map((name) =>
    tradierReader.timeOrNever(quote, name)
  )
  return {
    bid: tradierReader.priceOrNone(quote, 'bid'),
    ask: tradierReader.priceOrNone(quote, 'ask'),
    last: tradierReader.priceOrNone(quote, 'last'),
    close: tradierReader.priceOrNone(quote, 'close'),
    previousClose: tradierReader.priceOrNone(quote, 'prevclose'),
    traded,
    newest: newestOf([traded, bidAt, askAt])
  }
}

/** Spot and quote of a chain's underlying, at the market time of the chain. */
export function tradierUnderlyingAt(quote: TradierQuote, symbol: Ticker, { closed, preOpen, asOf }: PayloadMoment) {
  const { close, previousClose, traded } = quote
  // Between sessions `last` is an after-hours price. Some time before the opening the vendor moves the value of `close`
  // to `prevclose`.
  const last = firstPrice(closed ? [close, quote.last] : preOpen ? [close, previousClose] : [quote.last])
  if (last === undefined)
    throw tradierReader.malformed(`the field ${closed ? 'close' : 'last'} has no price of ${symbol}`)
  // The quote of an index is not tradable.
  const isQuoted = !closed && !preOpen && securityKind(symbol) !== 'index'
  const bid = isQuoted ? firstPrice([quote.bid]) : undefined
  const ask = isQuoted ? firstPrice([quote.ask]) : undefined
  const spot = bid !== undefined && ask !== undefined && bid <= ask ? (bid + ask) / 2 : last
  const time = closed ? asOf : Math.min(traded ?? asOf, asOf)
  return { spot, quote: { bid, ask, last, time } }
}

function firstPrice(prices: readonly number[]): number | undefined {
  return prices.find((price) => price > 0)
}

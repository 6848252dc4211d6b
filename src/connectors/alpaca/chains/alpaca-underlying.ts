import { easternDate } from '../../../market/eastern.ts'
import type { PayloadMoment } from '../../../market/payload-moment.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { alpacaReader, optional, timeIn } from '../alpaca-fields.ts'

/** A stock from a response of `/v2/stocks/{symbol}/snapshot`. Prices in USD per share. */
export interface AlpacaShare {
  readonly trade: { readonly price: number; readonly time: Instant } | undefined
  readonly quote: { readonly bid: number; readonly ask: number; readonly time: Instant } | undefined
  /** Closing prices of the newest day and the day before. */
  readonly days: readonly { readonly date: IsoDate; readonly close: number }[]
}

export function readShare(fields: VendorFields): AlpacaShare {
  const dayIn = (name: string) =>
    optional(fields, name, (bar) => ({ date: easternDate(timeIn(bar, 't')), close: alpacaReader.number(bar, 'c') }))
  return {
    trade: optional(fields, 'latestTrade', (trade) => ({
      price: alpacaReader.number(trade, 'p'),
      time: timeIn(trade, 't')
    })),
    quote: optional(fields, 'latestQuote', (quote) => ({
      bid: alpacaReader.number(quote, 'bp'),
      ask: alpacaReader.number(quote, 'ap'),
      time: timeIn(quote, 't')
    })),
    days: [dayIn('dailyBar'), dayIn('prevDailyBar')].filter((day) => day !== undefined)
  }
}

/** Price and quote of a chain's underlying, USD per share. */
export interface AlpacaUnderlying {
  readonly spot: number
  readonly bid: number | undefined
  readonly ask: number | undefined
  readonly time: Instant
}

/**
 * How much newer than the options the underlying's price may be, milliseconds; options of the free feed arrive late.
 */
const MAX_AHEAD = 60_000

/**
 * Price of the underlying at the time of its chain; undefined if the snapshot has none. `isConsolidated` is true if the
 * quote covers all exchanges. A single exchange's quote is often far from the market, so the last trade then gives the
 * price.
 */
export function alpacaUnderlyingAt(
  share: AlpacaShare,
  moment: PayloadMoment,
  isConsolidated: boolean
): AlpacaUnderlying | undefined {
  const { closed, preOpen, session, completed, asOf } = moment
  const { trade, quote } = share
  if (closed || preOpen) {
    const spot = share.days.find(({ date }) => date === (completed ?? session).date)?.close
    return spot === undefined || !(spot > 0) ? undefined : { spot, bid: undefined, ask: undefined, time: asOf }
  }
  const isOf = (time: Instant) => time - asOf <= MAX_AHEAD
  if (isConsolidated && quote !== undefined && isOf(quote.time) && quote.bid > 0 && quote.bid <= quote.ask) {
    const { bid, ask, time } = quote
    return { spot: (bid + ask) / 2, bid, ask, time: Math.min(time, asOf) }
  }
  if (trade === undefined || !isOf(trade.time) || !(trade.price > 0)) return undefined
  return { spot: trade.price, bid: undefined, ask: undefined, time: Math.min(trade.time, asOf) }
}

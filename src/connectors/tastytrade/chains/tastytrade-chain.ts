import { buildChain, type Chain } from '../../../market/chain.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type ListedContract, listedRows } from '../../../market/listed-contracts.ts'
import { momentOf, newestOf, type PayloadMoment } from '../../../market/payload-moment.ts'
import type { PayloadRows } from '../../../market/payload-rows.ts'
import { securityKind } from '../../../market/security.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import { type TastytradeContract, tastytradeReader } from '../tastytrade-contracts.ts'
import type { SymbolEvents } from './tastytrade-events.ts'

export interface TastytradeChainEvents {
  readonly symbol: Ticker
  readonly underlying: SymbolEvents
  readonly contracts: readonly (readonly [TastytradeContract, SymbolEvents])[]
  /** Time of the last event. */
  readonly fetched: Instant
}

/**
 * Builds a chain from the events. The vendor's quotes state no times, so the chain has the time of the last event, or
 * of the close after a session.
 */
export function mapTastytradeChain({ symbol, underlying, contracts, fetched }: TastytradeChainEvents): {
  readonly chain: Chain
  readonly reading: PayloadRows
} {
  const traded = newestOf([underlying.trade?.time, ...contracts.map(([, { trade }]) => trade?.time)])
  if (traded === undefined) throw tastytradeReader.malformed('by the time of Trade nothing in it was ever traded')
  const moment = momentOf({ fetched, newestTrade: Math.min(traded, fetched) })
  const isInSession = !moment.closed && !moment.preOpen
  const asOf = isInSession ? Math.min(fetched, moment.session.close) : moment.asOf
  const delay = isInSession ? (fetched - asOf) / 1000 : moment.delay
  const listed = contracts.map(([contract, events]) => listedAt(contract, events, moment.session.date))
  const { rows, leftOut, reading } = listedRows(listed, symbol, moment.session.date)
  if (leftOut.unreadable * 2 > contracts.length) {
    throw tastytradeReader.malformed(
      `by call and put ${leftOut.unreadable} of its ${contracts.length} contracts cannot be read`
    )
  }
  return {
    chain: buildChain({ symbol, asOf, delay, ...underlyingAt(symbol, underlying, moment, asOf) }, rows),
    reading
  }
}

/**
 * Converts a contract for a session. Until a contract trades, the vendor repeats the volume of an earlier session, so
 * that volume counts as 0.
 */
function listedAt(
  { occ, isStandard }: TastytradeContract,
  { quote, summary, trade }: SymbolEvents,
  session: IsoDate
): ListedContract {
  const isOfSession = trade?.time !== undefined && easternDate(trade.time) === session
  return {
    occ,
    isStandard,
    bid: quote?.bid ?? Number.NaN,
    ask: quote?.ask ?? Number.NaN,
    last: trade?.price ?? Number.NaN,
    bidSize: quote?.bidSize ?? Number.NaN,
    askSize: quote?.askSize ?? Number.NaN,
    volume: trade === undefined ? Number.NaN : isOfSession ? trade.volume : 0,
    openInterest: summary?.openInterest ?? Number.NaN
  }
}

/** Price and quote of a chain's underlying at the chain's time. */
function underlyingAt(symbol: Ticker, { quote, summary, trade }: SymbolEvents, moment: PayloadMoment, asOf: Instant) {
  const { closed, preOpen } = moment
  const closes = closed ? [summary?.close, trade?.price] : [summary?.close, summary?.previousClose, trade?.price]
  const last = firstPrice(closed || preOpen ? closes : [trade?.price])
  const isQuoted = !closed && !preOpen && securityKind(symbol) !== 'index'
  const bid = isQuoted ? firstPrice([quote?.bid]) : undefined
  const ask = isQuoted ? firstPrice([quote?.ask]) : undefined
  const middle = bid !== undefined && ask !== undefined && bid <= ask ? (bid + ask) / 2 : undefined
  const spot = middle ?? last
  if (spot === undefined)
    throw tastytradeReader.malformed(`the events Quote, Trade and Summary have no price of ${symbol}`)
  const time = closed ? asOf : Math.min(trade?.time ?? asOf, asOf)
  return { spot, quote: { bid, ask, last: last ?? spot, time } }
}

function firstPrice(prices: readonly (number | undefined)[]): number | undefined {
  return prices.find((price) => price !== undefined && price > 0 && price < Number.POSITIVE_INFINITY)
}

/** Rough price of the underlying, used to choose the nearest contracts; undefined if no event has a price. */
export function roughPrice({ quote, summary, trade }: SymbolEvents): number | undefined {
  return firstPrice([trade?.price, quote?.bid, summary?.close, summary?.previousClose])
}

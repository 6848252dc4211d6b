import { buildChain, type Chain } from '../../market/chain.ts'
import { listedRows, type OmittedContracts } from '../../market/listed-contracts.ts'
import { momentOf, newestOf } from '../../market/payload-moment.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type TradierContract, tradierListedAt } from './tradier-contracts.ts'
import { type TradierQuote, tradierReader, tradierUnderlyingAt } from './tradier-quote.ts'

export interface TradierAnswersOfChain {
  readonly symbol: Ticker
  readonly quote: TradierQuote
  readonly contracts: readonly TradierContract[]
  /** Time of the first request. */
  readonly fetched: Instant
}

/** A chain, and the number of rows left out by reason. */
export interface MappedTradierChain {
  readonly chain: Chain
  readonly leftOut: OmittedContracts
  readonly reading: PayloadRows
}

/**
 * Builds a chain from the responses for the underlying and each expiration. The chain's time is the newest quote or
 * trade in them, but no later than the first request. The vendor's volatilities and greeks are not read: they are
 * computed once an hour, and a put has the values of the call with its strike.
 */
export function mapTradierChain({ symbol, quote, contracts, fetched }: TradierAnswersOfChain): MappedTradierChain {
  const traded = newestOf([quote.traded, ...contracts.map((contract) => contract.traded)])
  if (traded === undefined) throw tradierReader.malformed('by trade_date nothing in it was ever traded')
  const newest = newestOf([quote.newest, ...contracts.map((contract) => contract.newest)])!
  const moment = momentOf({ fetched, newestTrade: Math.min(traded, fetched) })
  const isInSession = !moment.closed && !moment.preOpen
  const asOf = isInSession ? Math.min(newest, fetched, moment.session.close) : moment.asOf
  const delay = isInSession ? (fetched - asOf) / 1000 : moment.delay
  const { date } = moment.session
  const listed = contracts.map((contract) => tradierListedAt(contract, date))
  const { rows, leftOut, reading } = listedRows(listed, symbol, date)
  if (leftOut.unreadable * 2 > contracts.length) {
    throw tradierReader.malformed(`by symbol ${leftOut.unreadable} of its ${contracts.length} contracts cannot be read`)
  }
  const chain = buildChain({ symbol, asOf, delay, ...tradierUnderlyingAt(quote, symbol, { ...moment, asOf }) }, rows)
  return { chain, leftOut, reading }
}

import { buildChain, type Chain } from '../../market/chain.ts'
import { listedRows, type OmittedContracts } from '../../market/listed-contracts.ts'
import { momentOf, newestOf } from '../../market/payload-moment.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type TradierContract, tradierListedAt } from './tradier-contracts.ts'
import { type TradierQuote, tradierReader, tradierUnderlyingAt } from './tradier-quote.ts'

/** What was fetched of a symbol. */
export interface TradierAnswersOfChain {
  readonly symbol: Ticker
  readonly quote: TradierQuote
  readonly contracts: readonly TradierContract[]
  /** When the first of its answers was asked for. */
  readonly fetched: Instant
}

/** A chain, and how many of its rows are not in it, by reason. */
export interface MappedTradierChain {
  readonly chain: Chain
  readonly leftOut: OmittedContracts
  readonly reading: PayloadRows
}

/**
 * The chain of the answers for the underlying and for each expiration. It stands at the newest quote or trade in them, and
 * no later than the first of them was asked for: what came after shows that moment or a later one. The vendor's volatilities
 * and greeks are not read: they are made once an hour, and a put carries those of its call.
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

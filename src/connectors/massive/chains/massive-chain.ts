import { buildChain, type Chain } from '../../../market/chain.ts'
import { listedRows } from '../../../market/listed-contracts.ts'
import { momentOf, newestOf, type PayloadMoment } from '../../../market/payload-moment.ts'
import type { PayloadRows } from '../../../market/payload-rows.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import { SourceError } from '../../port/source-error.ts'
import { type MassiveSnapshotRow, massiveListedAt, massiveReader, newestInMassiveRow } from './massive-snapshot.ts'

export interface MassiveSnapshot {
  readonly symbol: Ticker
  readonly rows: readonly MassiveSnapshotRow[]
  readonly fetched: Instant
}

/** Market time of a snapshot, with the underlying's price at that time. */
export interface MassiveSnapshotMoment extends PayloadMoment {
  readonly price: number
}

/**
 * Finds the market time of a snapshot. Throws if the account's plan does not include option quotes, or if its plan for
 * stocks or indexes does not include the price of the underlying.
 */
export function momentOfMassiveSnapshot({ symbol, rows, fetched }: MassiveSnapshot): MassiveSnapshotMoment {
  if (rows.every(({ quote }) => quote === undefined)) {
    throw lacking('quotes of options (no last_quote), without which there is no chain')
  }
  const assets = rows.map(({ underlying }) => underlying).filter(({ price }) => price !== undefined)
  const newest = newestOf(assets.map(({ time }) => time))
  const price = assets.find(({ time }) => time === newest)?.price
  if (price === undefined || !(price > 0)) {
    throw lacking(
      `the price of ${symbol} (no price or value in underlying_asset), which its plans of stocks and indexes have`
    )
  }
  const traded = newestOf([newest, ...rows.map(({ trade }) => trade?.time)])
  if (traded === undefined)
    throw massiveReader.malformed('by last_updated and sip_timestamp nothing in it was ever traded')
  return { ...momentOf({ fetched, newestTrade: Math.min(traded, fetched) }), price }
}

/**
 * Builds a chain from a snapshot, as of its newest quote or trade. `close` is the underlying's closing price if the
 * session is over and the close is known; the snapshot then holds an after-hours price. The vendor's volatilities and
 * greeks are not read.
 */
export function mapMassiveSnapshot(
  { symbol, rows, fetched }: MassiveSnapshot,
  moment: MassiveSnapshotMoment,
  close: number | undefined
): { readonly chain: Chain; readonly reading: PayloadRows } {
  const isInSession = !moment.closed && !moment.preOpen
  const newest = newestOf(rows.map(newestInMassiveRow)) ?? moment.asOf
  const asOf = isInSession ? Math.min(newest, fetched, moment.session.close) : moment.asOf
  const delay = isInSession ? (fetched - asOf) / 1000 : moment.delay
  const { date } = moment.session
  const listed = rows.map((row) => massiveListedAt(row, date, !moment.preOpen))
  const { rows: contracts, leftOut, reading } = listedRows(listed, symbol, date)
  if (leftOut.unreadable * 2 > rows.length) {
    throw massiveReader.malformed(`by ticker ${leftOut.unreadable} of its ${rows.length} contracts cannot be read`)
  }
  const spot = isInSession ? moment.price : (close ?? moment.price)
  const quote = { bid: undefined, ask: undefined, last: spot, time: asOf }
  return { chain: buildChain({ symbol, asOf, delay, spot, quote }, contracts), reading }
}

const lacking = (what: string) => new SourceError('refused', `the plan of the key at Massive does not include ${what}`)

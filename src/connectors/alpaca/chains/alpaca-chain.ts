import { buildChain, type Chain } from '../../../market/chain.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type ListedContract, listedRows, type OmittedContracts } from '../../../market/listed-contracts.ts'
import { momentOf, newestOf, type PayloadMoment } from '../../../market/payload-moment.ts'
import type { PayloadRows } from '../../../market/payload-rows.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import { alpacaReader } from '../alpaca-fields.ts'
import type { AlpacaContract, AlpacaContracts } from './alpaca-contracts.ts'
import { type AlpacaSnapshotRow, newestInAlpacaRow } from './alpaca-snapshot.ts'
import type { AlpacaShare, AlpacaUnderlying } from './alpaca-underlying.ts'

export interface AlpacaAnswers {
  readonly symbol: Ticker
  readonly rows: readonly AlpacaSnapshotRow[]
  readonly terms: AlpacaContracts
  readonly share: AlpacaShare
  /** Time of the first request. */
  readonly fetched: Instant
}

/**
 * Market time of a chain: the newest quote or trade of its options, but no later than the first request. After the
 * session it is the close; before the opening, the time of the fetch.
 */
export function momentOfAlpacaChain({ rows, share, fetched }: AlpacaAnswers): PayloadMoment {
  if (rows.every(({ quote }) => quote === undefined))
    throw alpacaReader.malformed('no contract has the field latestQuote')
  const traded = newestOf([share.trade?.time, ...rows.map(({ trade }) => trade?.time)])
  if (traded === undefined) throw alpacaReader.malformed('by latestTrade nothing in it was ever traded')
  const moment = momentOf({ fetched, newestTrade: Math.min(traded, fetched) })
  if (moment.closed || moment.preOpen) return moment
  const asOf = Math.min(newestOf(rows.map(newestInAlpacaRow))!, fetched, moment.session.close)
  return { ...moment, asOf, delay: (fetched - asOf) / 1000 }
}

/**
 * Builds a chain from the responses, with counts of rows left out. The vendor's volatilities and greeks are not read.
 */
export function mapAlpacaChain(
  { symbol, rows, terms }: AlpacaAnswers,
  { asOf, delay, session, preOpen }: PayloadMoment,
  { spot, bid, ask, time }: AlpacaUnderlying
): { readonly chain: Chain; readonly leftOut: OmittedContracts; readonly reading: PayloadRows } {
  const listed = rows.map((row) => listedAt(row, terms.get(row.occ), session.date, !preOpen))
  const { rows: contracts, leftOut, reading } = listedRows(listed, symbol, session.date)
  if (leftOut.unreadable * 2 > rows.length) {
    throw alpacaReader.malformed(
      `by the names in snapshots ${leftOut.unreadable} of its ${rows.length} contracts cannot be read`
    )
  }
  const quote = { bid, ask, last: spot, time }
  return { chain: buildChain({ symbol, asOf, delay, spot, quote }, contracts), leftOut, reading }
}

/**
 * Whether an open interest with this date was known in a session. The date may be the day of the count or the day of
 * its publication.
 */
const isKnownIn = (session: IsoDate, date: string | undefined) => date !== undefined && date <= session

/**
 * Converts a contract for a session. Once the session has begun, a quote from an earlier session is dropped. Volume is
 * 0 if the last trade was in an earlier session, otherwise the day bar's volume; unknown without a day bar. Open
 * interest counts only if it was published by that session.
 */
function listedAt(
  { occ, quote: newest, trade, day }: AlpacaSnapshotRow,
  terms: AlpacaContract | undefined,
  session: IsoDate,
  hasBegun: boolean
): ListedContract {
  const isOfSession = (time: Instant | undefined) => time !== undefined && easternDate(time) === session
  const quote = hasBegun && !isOfSession(newest?.time) ? undefined : newest
  const isQuiet = !hasBegun || (trade !== undefined && !isOfSession(trade.time))
  return {
    occ,
    isStandard: terms?.isStandard ?? true,
    bid: quote?.bid ?? Number.NaN,
    ask: quote?.ask ?? Number.NaN,
    last: trade?.price ?? Number.NaN,
    bidSize: quote?.bidSize ?? Number.NaN,
    askSize: quote?.askSize ?? Number.NaN,
    volume: isQuiet ? 0 : day !== undefined && isOfSession(day.time) ? day.volume : Number.NaN,
    openInterest: isKnownIn(session, terms?.openInterestDate) ? terms!.openInterest : Number.NaN
  }
}

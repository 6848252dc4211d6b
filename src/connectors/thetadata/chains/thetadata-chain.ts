import { buildChain, type Chain } from '../../../market/chain.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type ListedContract, listedRows } from '../../../market/listed-contracts.ts'
import { momentOf, newestOf, type PayloadMoment } from '../../../market/payload-moment.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import type { ReceivedPayload } from '../../port/connector.ts'
import { SourceError } from '../../port/source-error.ts'
import type { contractQuotes, contractReports, contractVolumes, ThetaDataInterestRow } from '../thetadata-answers.ts'
import { malformedThetaData } from '../thetadata-table.ts'
import type { UnderlyingPrice } from './thetadata-underlying.ts'

type RowOf<Answer> = Answer extends { read(row: never): infer Read } ? Read : never

export type OpenInterestByContract = ReadonlyMap<string, number>

/** Data of a symbol that was requested during a session or on the evening after it. */
export interface ThetaDataSnapshot {
  readonly symbol: Ticker
  /** Quotes of the symbol's contracts, one list per option root. */
  readonly quotes: readonly (readonly RowOf<typeof contractQuotes>[])[]
  readonly volumes: readonly RowOf<typeof contractVolumes>[]
  readonly interest: OpenInterestByContract
  readonly underlying: UnderlyingPrice
  /** Time when the responses arrived. */
  readonly fetched: Instant
}

/** End-of-day reports of a symbol's contracts for one session. */
export interface ThetaDataClosing {
  readonly symbol: Ticker
  readonly reports: readonly RowOf<typeof contractReports>[]
  readonly interest: OpenInterestByContract
  readonly close: number
  readonly moment: PayloadMoment
}

export interface MappedThetaDataChain extends ReceivedPayload {
  readonly chain: Chain
}

/**
 * Milliseconds by which option quotes may be newer than the underlying's price. A larger difference shows that the plan
 * for stocks is delayed, by 15 minutes.
 */
const DELAYED = 14 * 60_000

export const interestOf = (rows: readonly ThetaDataInterestRow[], date: IsoDate): OpenInterestByContract =>
  new Map(rows.filter((row) => row.date === date).map(({ occ, openInterest }) => [occ, openInterest]))

/**
 * Market time of a snapshot. Undefined if it contains nothing from a session that has begun; the previous session is
 * shown instead. Throws if the price of the underlying is delayed and the options are not.
 */
export function momentOfThetaDataSnapshot({
  symbol,
  quotes,
  volumes,
  underlying,
  fetched
}: ThetaDataSnapshot): PayloadMoment | undefined {
  const quoted = newestOf(quotes.flat().map(({ time }) => time))
  const newest = newestOf([quoted, underlying.time, ...volumes.map(({ time }) => time)])!
  const moment = momentOf({ fetched, newestTrade: Math.min(newest, fetched) })
  if (moment.preOpen || newest < moment.session.open || easternDate(newest) !== moment.session.date) return undefined
  if (!moment.closed && quoted !== undefined && quoted - underlying.time > DELAYED) {
    const minutes = Math.floor((quoted - underlying.time) / 60_000)
    throw new SourceError(
      'refused',
      `the price of ${symbol} at ThetaData is ${minutes} minutes older than its options: the plan of stocks or indexes is a delayed one`
    )
  }
  return moment
}

/**
 * Builds a chain from a snapshot by joining quotes, volumes and open interest by contract. A contract without a volume
 * row has not traded. A contract without an open-interest row has an unknown open interest. During the session, the
 * chain's time is the newest quote of the option root whose quotes are oldest. `close` is the closing price after the
 * session.
 */
export function mapThetaDataSnapshot(
  snapshot: ThetaDataSnapshot,
  moment: PayloadMoment,
  close: number | undefined
): MappedThetaDataChain {
  const { symbol, quotes, volumes, interest, underlying, fetched } = snapshot
  const { session, closed } = moment
  const newest = Math.min(...quotes.map((rows) => newestOf(rows.map(({ time }) => time)) ?? moment.asOf))
  const asOf = closed ? session.close : Math.max(session.open, Math.min(newest, fetched, session.close))
  const delay = closed ? moment.delay : (fetched - asOf) / 1000
  const traded = new Map(volumes.map((row) => [row.occ, row]))
  const listed = quotes.flat().map((row): ListedContract => {
    const { occ, time } = row
    const isOfSession = easternDate(time) === session.date
    const volume = traded.get(occ)
    const hasTraded = volume !== undefined && easternDate(volume.time) === session.date
    return {
      occ,
      isStandard: true,
      bid: isOfSession ? row.bid : Number.NaN,
      ask: isOfSession ? row.ask : Number.NaN,
      bidSize: row.bidSize,
      askSize: row.askSize,
      last: hasTraded ? volume.last : Number.NaN,
      volume: hasTraded ? volume.volume : 0,
      openInterest: interest.get(occ) ?? Number.NaN
    }
  })
  const spot = closed ? (close ?? underlying.price) : underlying.price
  const quote = closed
    ? { bid: undefined, ask: undefined, last: spot, time: asOf }
    : { bid: underlying.bid, ask: underlying.ask, last: spot, time: Math.min(underlying.time, asOf) }
  return chainOf({ symbol, asOf, delay, spot, quote }, listed, session.date, snapshot)
}

/** Builds a chain from end-of-day reports. It is as of the close; before the next opening it is shown with volume 0. */
export function mapThetaDataClosing(closing: ThetaDataClosing): MappedThetaDataChain {
  const { symbol, reports, interest, close, moment } = closing
  const { session, preOpen, asOf, delay } = moment
  const listed = reports.map(
    ({ occ, bid, ask, bidSize, askSize, last, volume }): ListedContract => ({
      occ,
      isStandard: true,
      bid,
      ask,
      bidSize,
      askSize,
      last,
      volume: preOpen ? 0 : volume,
      openInterest: interest.get(occ) ?? Number.NaN
    })
  )
  const quote = { bid: undefined, ask: undefined, last: close, time: asOf }
  return chainOf({ symbol, asOf, delay, spot: close, quote }, listed, session.date, closing)
}

function chainOf(
  header: Parameters<typeof buildChain>[0],
  listed: readonly ListedContract[],
  session: IsoDate,
  fetched: ThetaDataSnapshot | ThetaDataClosing
): MappedThetaDataChain {
  const { rows, leftOut, reading } = listedRows(listed, header.symbol, session)
  if (leftOut.unreadable * 2 > listed.length) {
    throw malformedThetaData(`by symbol ${leftOut.unreadable} of its ${listed.length} contracts are of another root`)
  }
  return {
    chain: buildChain(header, rows),
    reading,
    // The raw payload joins several responses. It is serialized only when it is requested.
    get payload() {
      return Buffer.from(JSON.stringify({ ...fetched, interest: [...fetched.interest] }))
    }
  }
}

import { CALL, type ContractRow, PUT, UNKNOWN } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import { parseOcc } from '../../market/occ.ts'
import { rootsOf, settlementOf } from '../../market/security.ts'
import { type Instant, type IsoDate, parseIsoDate, type Ticker } from '../../market/units.ts'
import type { Fields } from '../port/fields.ts'
import { newestOf, priceOf, reader, timeOf } from './quote.ts'

/** A contract as the vendor lists it: everything that is read of it, once. */
export interface Contract {
  readonly symbol: string
  /** Shares that it delivers. */
  readonly size: number
  /** When it was traded last; undefined: never. */
  readonly traded: Instant | undefined
  /** The newest time of its trade and its quotes. */
  readonly newest: Instant | undefined
  readonly fields: Fields
}

/** The expirations that an answer of `/markets/options/expirations` lists, ascending; none for a symbol without options. */
export function readExpirations(bytes: Uint8Array): readonly IsoDate[] {
  const expirations = reader.objectOrNone(reader.body(bytes), 'expirations')
  const dates = expirations === undefined ? [] : (reader.list(expirations, 'date') ?? [])
  return dates
    .map((text) => {
      const date = typeof text === 'string' ? parseIsoDate(text) : undefined
      if (date === undefined) throw reader.malformed('the field date is no date')
      return date
    })
    .sort()
}

/** The contracts of an answer of `/markets/options/chains`; none where nothing is listed. */
export function readContracts(bytes: Uint8Array): readonly Contract[] {
  const options = reader.objectOrNone(reader.body(bytes), 'options')
  const listed = options === undefined ? [] : (reader.list(options, 'option') ?? [])
  return listed.map((element) => {
    const fields = reader.element(element, 'option')
    const traded = timeOf(fields, 'trade_date')
    return {
      symbol: reader.text(fields, 'symbol'),
      size: reader.number(fields, 'contract_size'),
      traded,
      newest: newestOf([traded, timeOf(fields, 'bid_date'), timeOf(fields, 'ask_date')]),
      fields
    }
  })
}

/** Rows of contracts that are not in a chain, by reason. */
export interface LeftOut {
  /** They deliver something else than 100 shares, as after a split. */
  adjusted: number
  /** Their expiration lies before the session. */
  expired: number
  /** Their symbol cannot be read, or is of another underlying. */
  unreadable: number
  /** Their quote is below zero or without end. */
  unusable: number
  /** Those of them with open interest or volume. */
  unusableLiquid: number
}

/** The rows of a chain at a session, and those that are none of it. */
export function contractRows(contracts: readonly Contract[], symbol: Ticker, session: IsoDate) {
  const rows: ContractRow[] = []
  const leftOut: LeftOut = { adjusted: 0, expired: 0, unreadable: 0, unusable: 0, unusableLiquid: 0 }
  const roots = new Set(rootsOf(symbol).map((root) => root.replace(/[^A-Z0-9]/g, '')))
  for (const contract of contracts) {
    const row = contractRow(contract, roots, session)
    if (typeof row === 'string') leftOut[row]++
    else if (isQuoteUsable(contract.fields)) rows.push(row)
    else {
      leftOut.unusable++
      if (row.openInterest > 0 || row.volume > 0) leftOut.unusableLiquid++
    }
  }
  return { rows, leftOut }
}

/**
 * A contract as a row, or why it is none. Its volume is of the session of its last trade: until it trades again the vendor
 * repeats that of an earlier one.
 */
function contractRow(
  { symbol, size, traded, fields }: Contract,
  roots: ReadonlySet<string>,
  session: IsoDate
): ContractRow | 'adjusted' | 'expired' | 'unreadable' {
  const occ = parseOcc(symbol)
  if (occ === undefined || !roots.has(occ.underlying)) return 'unreadable'
  if (occ.adjusted || size !== 100) return 'adjusted'
  const { root, expiration, strike } = occ
  if (expiration < session) return 'expired'
  const bid = reader.numberOrNone(fields, 'bid') // 0: nobody bids, which is a fact
  const ask = priceOf(fields, 'ask')
  const volume = countOf(fields, 'volume')
  return {
    root,
    expiration,
    settlement: settlementOf(root, expiration),
    right: occ.right === 'call' ? CALL : PUT,
    strike,
    bid,
    ask,
    last: priceOf(fields, 'last'),
    bidSize: sizeOf(fields, 'bidsize', bid),
    askSize: sizeOf(fields, 'asksize', ask),
    volume: traded !== undefined && easternDate(traded) === session ? volume : 0,
    openInterest: countOf(fields, 'open_interest')
  }
}

/** Whether both sides are prices, zero or absent: what is below zero or endless tells of a fault. */
function isQuoteUsable(fields: Fields): boolean {
  return ['bid', 'ask'].every((name) => {
    const value = reader.numberOrNone(fields, name)
    return !(value < 0 || value === Number.POSITIVE_INFINITY)
  })
}

function countOf(fields: Fields, name: string): number {
  const value = reader.numberOrNone(fields, name)
  return value >= 0 && value < 2 ** 31 && Number.isInteger(value) ? value : UNKNOWN
}

/** A size of 0 beside a price is not stated. */
function sizeOf(fields: Fields, name: string, price: number): number {
  const size = countOf(fields, name)
  return size === 0 && price > 0 ? UNKNOWN : size
}

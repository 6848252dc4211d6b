import { easternDate } from '../../../market/eastern.ts'
import type { ListedContract } from '../../../market/listed-contracts.ts'
import { newestOf } from '../../../market/payload-moment.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { fieldReader, type VendorFields } from '../../port/http/vendor-fields.ts'
import { SourceError } from '../../port/source-error.ts'
import { occOfMassive } from '../massive-symbols.ts'

export const massiveReader = fieldReader('Massive')

const NANOSECONDS_PER_MILLISECOND = 1e6

/** One contract's row of `/v3/snapshot/options`. Prices in USD per share. */
export interface MassiveSnapshotRow {
  /** OCC symbol; the vendor's own name if the row describes something other than an option. */
  readonly occ: string
  readonly isStandard: boolean
  readonly openInterest: number
  /** Volume in contracts on the day that contains the time `counted`. */
  readonly volume: number
  readonly counted: Instant | undefined
  /** Undefined if the contract has no quote, or if the account's plan does not include quotes. */
  readonly quote: RowQuote | undefined
  readonly trade: { readonly price: number; readonly time: Instant | undefined } | undefined
  readonly underlying: { readonly price: number | undefined; readonly time: Instant | undefined }
}

interface RowQuote {
  readonly bid: number
  readonly ask: number
  readonly bidSize: number
  readonly askSize: number
  readonly time: Instant | undefined
}

/** Reads a snapshot row; undefined if the vendor does not know the symbol. */
export function readMassiveSnapshotRow(value: unknown): MassiveSnapshotRow | undefined {
  const fields = massiveReader.element(value, 'results')
  if (fields['error'] !== undefined) return withoutRow(massiveReader.text(fields, 'error'))
  const details = massiveReader.object(fields, 'details')
  const name = massiveReader.text(details, 'ticker')
  const type = massiveReader.text(details, 'contract_type')
  const day = massiveReader.object(fields, 'day')
  const hasDay = Object.keys(day).length > 0
  return {
    occ: occOfMassive(name) ?? name,
    isStandard: massiveReader.number(details, 'shares_per_contract') === 100 && (type === 'call' || type === 'put'),
    openInterest: massiveReader.numberOrNone(fields, 'open_interest'),
    volume: hasDay ? massiveReader.numberOrNone(day, 'volume') : 0,
    counted: hasDay ? timeOf(day, 'last_updated') : undefined,
    quote: optional(fields, 'last_quote', (quote) => ({
      bid: massiveReader.numberOrNone(quote, 'bid'),
      ask: massiveReader.numberOrNone(quote, 'ask'),
      bidSize: massiveReader.numberOrNone(quote, 'bid_size'),
      askSize: massiveReader.numberOrNone(quote, 'ask_size'),
      time: timeOf(quote, 'last_updated')
    })),
    trade: optional(fields, 'last_trade', (trade) => ({
      price: massiveReader.numberOrNone(trade, 'price'),
      time: timeOf(trade, 'sip_timestamp')
    })),
    underlying: underlyingOf(massiveReader.object(fields, 'underlying_asset'))
  }
}

export const newestInMassiveRow = ({ quote, trade }: MassiveSnapshotRow) => newestOf([quote?.time, trade?.time])

/**
 * Converts a snapshot row to a contract of a session. A row may still hold data of an earlier session: its volume then
 * counts as 0, and its quote is dropped once the session has begun.
 */
export function massiveListedAt(row: MassiveSnapshotRow, session: IsoDate, hasBegun: boolean): ListedContract {
  const { occ, isStandard, openInterest, trade } = row
  const isOfSession = (time: Instant | undefined) => time !== undefined && easternDate(time) === session
  const quote = hasBegun && !isOfSession(row.quote?.time) ? undefined : row.quote
  return {
    occ,
    isStandard,
    bid: quote?.bid ?? Number.NaN,
    ask: quote?.ask ?? Number.NaN,
    last: trade?.price ?? Number.NaN,
    bidSize: quote?.bidSize ?? Number.NaN,
    askSize: quote?.askSize ?? Number.NaN,
    volume: isOfSession(row.counted) ? row.volume : 0,
    openInterest
  }
}

function withoutRow(error: string): undefined {
  if (error === 'NOT_FOUND') return undefined
  if (error !== 'NOT_ENTITLED') throw massiveReader.malformed('the field error of a row says what is not documented')
  throw new SourceError('refused', 'the plan of the key at Massive does not include this symbol')
}

/**
 * Reads price and time of the underlying. The price of a stock is in the field `price`, the level of an index in
 * `value`. Without the right plan neither field is present.
 */
function underlyingOf(asset: VendorFields) {
  const name = asset['price'] === undefined ? 'value' : 'price'
  const price = asset[name] === undefined ? undefined : massiveReader.number(asset, name)
  return { price, time: price === undefined ? undefined : timeOf(asset, 'last_updated') }
}

function optional<Read>(fields: VendorFields, name: string, read: (inner: VendorFields) => Read): Read | undefined {
  return fields[name] === undefined ? undefined : read(massiveReader.object(fields, name))
}

function timeOf(fields: VendorFields, name: string): Instant | undefined {
  return massiveReader.timeOrNever(fields, name, NANOSECONDS_PER_MILLISECOND)
}

import { easternDate } from '../../market/eastern.ts'
import type { ListedContract } from '../../market/listed-contracts.ts'
import { newestOf } from '../../market/payload-moment.ts'
import { type Instant, type IsoDate, parseIsoDate } from '../../market/units.ts'
import type { Fields } from '../port/http/vendor-fields.ts'
import { reader } from './quote.ts'

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
    const traded = reader.timeOrNever(fields, 'trade_date')
    return {
      symbol: reader.text(fields, 'symbol'),
      size: reader.number(fields, 'contract_size'),
      traded,
      newest: newestOf([traded, reader.timeOrNever(fields, 'bid_date'), reader.timeOrNever(fields, 'ask_date')]),
      fields
    }
  })
}

/**
 * A contract as it counts in a session. Its volume is of the session of its last trade: until it trades again the vendor
 * repeats that of an earlier one.
 */
export function listedAt({ symbol, size, traded, fields }: Contract, session: IsoDate): ListedContract {
  const volume = reader.numberOrNone(fields, 'volume')
  return {
    occ: symbol,
    isStandard: size === 100,
    bid: reader.numberOrNone(fields, 'bid'),
    ask: reader.numberOrNone(fields, 'ask'),
    last: reader.numberOrNone(fields, 'last'),
    bidSize: reader.numberOrNone(fields, 'bidsize'),
    askSize: reader.numberOrNone(fields, 'asksize'),
    volume: traded !== undefined && easternDate(traded) === session ? volume : 0,
    openInterest: reader.numberOrNone(fields, 'open_interest')
  }
}

import { easternDate } from '../../market/eastern.ts'
import type { ListedContract } from '../../market/listed-contracts.ts'
import { newestOf } from '../../market/payload-moment.ts'
import { type Instant, type IsoDate, parseIsoDate } from '../../market/units.ts'
import type { VendorFields } from '../port/http/vendor-fields.ts'
import { tradierReader } from './tradier-quote.ts'

/** A contract as the vendor lists it: everything that is read of it, once. */
export interface TradierContract {
  readonly symbol: string
  /** Shares that it delivers. */
  readonly size: number
  /** When it was traded last; undefined: never. */
  readonly traded: Instant | undefined
  /** The newest time of its trade and its quotes. */
  readonly newest: Instant | undefined
  readonly fields: VendorFields
}

/** The expirations that an answer of `/markets/options/expirations` lists, ascending; none for a symbol without options. */
export function readExpirations(bytes: Uint8Array): readonly IsoDate[] {
  const expirations = tradierReader.objectOrNone(tradierReader.body(bytes), 'expirations')
  const dates = expirations === undefined ? [] : (tradierReader.list(expirations, 'date') ?? [])
  return dates
    .map((text) => {
      const date = typeof text === 'string' ? parseIsoDate(text) : undefined
      if (date === undefined) throw tradierReader.malformed('the field date is no date')
      return date
    })
    .sort()
}

/** The contracts of an answer of `/markets/options/chains`; none where nothing is listed. */
export function readContracts(bytes: Uint8Array): readonly TradierContract[] {
  const options = tradierReader.objectOrNone(tradierReader.body(bytes), 'options')
  const listed = options === undefined ? [] : (tradierReader.list(options, 'option') ?? [])
  return listed.map((element) => {
    const fields = tradierReader.element(element, 'option')
    const traded = tradierReader.timeOrNever(fields, 'trade_date')
    return {
      symbol: tradierReader.text(fields, 'symbol'),
      size: tradierReader.number(fields, 'contract_size'),
      traded,
      newest: newestOf([
        traded,
        tradierReader.timeOrNever(fields, 'bid_date'),
        tradierReader.timeOrNever(fields, 'ask_date')
      ]),
      fields
    }
  })
}

/**
 * A contract as it counts in a session. Its volume is of the session of its last trade: until it trades again the vendor
 * repeats that of an earlier one.
 */
export function tradierListedAt({ symbol, size, traded, fields }: TradierContract, session: IsoDate): ListedContract {
  const volume = tradierReader.numberOrNone(fields, 'volume')
  return {
    occ: symbol,
    isStandard: size === 100,
    bid: tradierReader.numberOrNone(fields, 'bid'),
    ask: tradierReader.numberOrNone(fields, 'ask'),
    last: tradierReader.numberOrNone(fields, 'last'),
    bidSize: tradierReader.numberOrNone(fields, 'bidsize'),
    askSize: tradierReader.numberOrNone(fields, 'asksize'),
    volume: traded !== undefined && easternDate(traded) === session ? volume : 0,
    openInterest: tradierReader.numberOrNone(fields, 'open_interest')
  }
}

import { easternDate } from '../../market/eastern.ts'
import type { ListedContract } from '../../market/listed-contracts.ts'
import { newestOf } from '../../market/payload-moment.ts'
import { type Instant, type IsoDate, parseIsoDate } from '../../market/units.ts'
import type { VendorFields } from '../port/http/vendor-fields.ts'
import { tradierReader } from './tradier-quote.ts'

export interface TradierContract {
  readonly symbol: string
  /** Number of shares that the contract delivers. */
  readonly size: number
  /** Time of the last trade; undefined if the contract never traded. */
  readonly traded: Instant | undefined
  readonly newest: Instant | undefined
  readonly fields: VendorFields
}

/**
 * Reads the expirations from a response of `/markets/options/expirations`, ascending; empty for a symbol without
 * options.
 */
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
 * Converts a contract for a session. Its volume counts only if its last trade was in that session: until a contract
 * trades again, the vendor repeats the volume of an earlier session.
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

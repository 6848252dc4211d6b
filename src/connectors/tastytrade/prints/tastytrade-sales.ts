import { EXTENDED, MULTI_LEG } from '../../../market/print.ts'
import { combinedConditions, type SaleCondition, saleConditions } from '../../../market/sale-conditions.ts'
import type { Ticker } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import type { Print, TapeMessage } from '../../port/prints/print-feed.ts'
import { RecentValues } from '../../port/recent-values.ts'
import { type DxlinkEventFields, dxlinkReader, figureIn } from '../dxlink/dxlink-events.ts'

export const saleFields: DxlinkEventFields = new Map([
  [
    'TimeAndSale',
    [
      ...['eventSymbol', 'time', 'index', 'sequence', 'type', 'price', 'size', 'exchangeCode'],
      ...['exchangeSaleConditions', 'bidPrice', 'askPrice', 'spreadLeg', 'extendedTradingHours']
    ]
  ]
])

/** Largest accepted size, because the tape stores 32-bit numbers. */
const MAX_COUNT = 2 ** 31 - 1
const MAX_PRICE = 1e6

/** Minimum number of recent sales kept to recognize repeats and changes. */
const REMEMBERED = 50_000

/**
 * Converts TimeAndSale events to tape messages. Repeated sales are refused, because a new connection repeats the newest
 * sale of each contract.
 */
export class TastytradeSales {
  /** Print of each known sale, or `cancelled`. The key consists of contract, index and sequence. */
  readonly #known = new RecentValues<Print | 'cancelled'>(REMEMBERED)

  /** Returns the event's tape message, or a short reason for refusing the event. */
  read(event: VendorFields, symbol: Ticker, contract: string): TapeMessage | string {
    const type = dxlinkReader.text(event, 'type')
    // The index has more digits than a JSON number can hold; the sequence holds its last digits.
    const name = `${contract} ${figureIn(event, 'index')} ${figureIn(event, 'sequence')}`
    const known = this.#known.get(name)
    const found = printIn(event, symbol, contract)
    if (typeof found === 'string') return found
    const { print } = found
    if (type !== 'NEW' && type !== 'CORRECTION' && type !== 'CANCEL') return 'a sale of an unknown type (type)'
    if (type === 'NEW' && known !== undefined) return 'a sale that was reported before'
    if (type === 'CANCEL' || found.isCancel) {
      if (known === 'cancelled') return 'a cancel that was reported before'
      this.#known.set(name, 'cancelled')
      return { cancel: { ...cancelOf(known ?? print), time: print.time } }
    }
    if (type === 'CORRECTION' && (known === undefined || known === 'cancelled')) {
      return 'a correction of a sale that was not reported'
    }
    this.#known.set(name, print)
    if (known === undefined || known === 'cancelled') return { print }
    return { cancel: { ...cancelOf(known), time: print.time, corrected: print } }
  }
}

const cancelOf = ({ symbol, contract, time, price, size, exchange, sequence }: Print) => ({
  symbol,
  contract,
  time,
  price,
  size,
  exchange,
  sequence
})

/**
 * Converts an event to a print. The vendor's index is unique only per contract, so the print has no sequence number on
 * the tape and is identified by its contract, time, price and size.
 */
function printIn(
  event: VendorFields,
  symbol: Ticker,
  contract: string
): { readonly print: Print; readonly isCancel: boolean } | string {
  const time = dxlinkReader.timeOrNever(event, 'time')
  const [price, size, bid, ask] = ['price', 'size', 'bidPrice', 'askPrice'].map((name) => figureIn(event, name))
  if (time === undefined) return 'a sale without its time (time)'
  if (!(price > 0 && price < MAX_PRICE)) return 'a sale without a price (price)'
  if (!(size >= 1 && size <= MAX_COUNT) || !Number.isInteger(size)) return 'a sale without a size (size)'
  const meaning = meaningOf(textOrNone(event, 'exchangeSaleConditions'))
  if (meaning === undefined) return 'an unknown sale condition (exchangeSaleConditions)'
  if (meaning === 'exclude') return 'a compression at closing prices'
  const flags =
    (meaning === 'cancel' ? 0 : meaning) |
    flagOf(event, 'spreadLeg', MULTI_LEG) |
    flagOf(event, 'extendedTradingHours', EXTENDED)
  const exchange = (textOrNone(event, 'exchangeCode').charCodeAt(0) || 0) & 0xff
  const quote = bid >= 0 && ask > 0 && bid < MAX_PRICE && ask < MAX_PRICE ? { bid, ask, time } : undefined
  const figures = { symbol, contract, time, price, size, exchange, sequence: undefined }
  return { print: { ...figures, flags, quote, spot: undefined }, isCancel: meaning === 'cancel' }
}

/** Combined meaning of OPRA's condition letters. Blanks or no letter mean a regular trade. */
function meaningOf(text: string) {
  const words: SaleCondition[] = []
  for (const letter of text.replaceAll(/[\s\0]/g, '')) {
    const word = /[A-Za-z]/.test(letter) ? saleConditions.option.get(letter) : undefined
    if (word === undefined) return undefined
    words.push(word)
  }
  return combinedConditions(words)
}

const textOrNone = (event: VendorFields, name: string) => (event[name] === null ? '' : dxlinkReader.text(event, name))

function flagOf(event: VendorFields, name: string, flag: number): number {
  const value = event[name]
  if (typeof value !== 'boolean') throw dxlinkReader.malformed(`the field ${name} is neither true nor false`)
  return value ? flag : 0
}

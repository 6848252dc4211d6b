import { combinedConditions, type SaleConditions, saleConditions } from '../../../market/sale-conditions.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { QuoteAtPrint } from '../../port/prints/print-feed.ts'
import type { TradeRead } from '../../whole-market/wanted-trades.ts'

/** A trade of an option as the stream and past answers tell it alike. */
export interface ThetaDataTrade {
  /** OCC symbol without spaces. */
  readonly contract: string
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Contracts. */
  readonly size: number
  /** The vendor's number of the exchange. */
  readonly exchange: number
  /** The vendor's number of its sale condition; further ones do not exist for options. */
  readonly condition: number
  /** Grows with every trade of the feed, and may be below 0: a signed number of 32 bits. */
  readonly sequence: number
  /** The quote that stood before it; undefined in the stream, which tells quotes by themselves. */
  readonly quote: QuoteAtPrint | undefined
}

/** The vendor's numbers end before those of others begin. */
const FIRST_OF_OTHERS = 200
/** Late by its name in the vendor's list; imports of other tables know the number as a regular one. */
const LATE_IN_SEQUENCE = 13

const conditionsByNumber: ReadonlyMap<number, SaleConditions> = new Map(
  [...saleConditions.option]
    .map(([code, word]) => [Number(code), word] as const)
    .filter(([number]) => number < FIRST_OF_OTHERS)
    .map(([number, word]) => [number, combinedConditions([number === LATE_IN_SEQUENCE ? 'late' : word])] as const)
)

/** No column of a tape holds more. */
const MAX_COUNT = 2 ** 31 - 1
const MAX_EXCHANGE = 255

/**
 * A trade as message of the tape of a symbol. On a tape a number is unique with its exchange; the vendor does not say that
 * its are, so a print has none there and is known by its figures.
 */
export function readThetaDataTrade(trade: ThetaDataTrade, symbol: Ticker): TradeRead {
  const { contract, time, price, size, condition, quote } = trade
  if (!(price > 0 && price < MAX_COUNT)) return { refused: 'a trade without a price (price)' }
  if (!Number.isInteger(size) || size < 1 || size > MAX_COUNT) return { refused: 'a trade without a size (size)' }
  const said = conditionsByNumber.get(condition)
  if (said === undefined) return { refused: unknownCondition(condition) }
  if (said === 'exclude') return { refused: 'a compression at closing prices' }
  const isOfTape = Number.isInteger(trade.exchange) && trade.exchange >= 0 && trade.exchange <= MAX_EXCHANGE
  const exchange = isOfTape ? trade.exchange : 0
  const sequence = undefined
  if (said === 'cancel') return { message: { cancel: { symbol, contract, time, price, size, exchange, sequence } } }
  const spot = undefined
  return { message: { print: { symbol, contract, time, price, size, exchange, sequence, flags: said, quote, spot } } }
}

/** Reasons are counted by their text, so there may be only so many of them. */
function unknownCondition(number: number): string {
  return number >= 0 && number < 1000 ? `the unknown sale condition ${number}` : 'an unknown sale condition'
}

import { combinedConditions, type SaleConditions, saleConditions } from '../../../market/sale-conditions.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { QuoteAtPrint } from '../../port/prints/print-feed.ts'
import type { TradeRead } from '../../whole-market/wanted-trades.ts'

export interface ThetaDataTrade {
  /** OCC symbol without spaces. */
  readonly contract: string
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Number of contracts. */
  readonly size: number
  /** Vendor's number of the exchange. */
  readonly exchange: number
  /** Vendor's number of the sale condition; an option trade has only one. */
  readonly condition: number
  /** Vendor's sequence number, a signed 32-bit integer that grows with every trade of the feed. */
  readonly sequence: number
  /** Quote just before the trade; undefined in the stream, which sends quotes separately. */
  readonly quote: QuoteAtPrint | undefined
}

/** First condition number that stands for another vendor's condition. ThetaData's own numbers are smaller. */
const FIRST_OF_OTHERS = 200
/**
 * ThetaData's number for trades that are reported late. Our importer of trade tables reads the same number as a regular
 * trade.
 */
const LATE_IN_SEQUENCE = 13

const conditionsByNumber: ReadonlyMap<number, SaleConditions> = new Map(
  [...saleConditions.option]
    .map(([code, word]) => [Number(code), word] as const)
    .filter(([number]) => number < FIRST_OF_OTHERS)
    .map(([number, word]) => [number, combinedConditions([number === LATE_IN_SEQUENCE ? 'late' : word])] as const)
)

/** Largest accepted value, because the tape stores 32-bit numbers. */
const MAX_COUNT = 2 ** 31 - 1
const MAX_EXCHANGE = 255

/**
 * Converts a trade to a tape message. The tape needs sequence numbers that are unique per exchange, which the vendor
 * does not promise. The print therefore has none and is identified by its contract, time, price and size.
 */
export function readThetaDataTrade(trade: ThetaDataTrade, symbol: Ticker): TradeRead {
  const { contract, time, price, size, condition, quote } = trade
  if (!(price > 0 && price < MAX_COUNT)) return { refused: 'a trade without a price (price)' }
  if (!Number.isInteger(size) || size < 1 || size > MAX_COUNT) return { refused: 'a trade without a size (size)' }
  const meaning = conditionsByNumber.get(condition)
  if (meaning === undefined) return { refused: unknownCondition(condition) }
  if (meaning === 'exclude') return { refused: 'a compression at closing prices' }
  const isOfTape = Number.isInteger(trade.exchange) && trade.exchange >= 0 && trade.exchange <= MAX_EXCHANGE
  const exchange = isOfTape ? trade.exchange : 0
  const sequence = undefined
  if (meaning === 'cancel') return { message: { cancel: { symbol, contract, time, price, size, exchange, sequence } } }
  const spot = undefined
  return {
    message: { print: { symbol, contract, time, price, size, exchange, sequence, flags: meaning, quote, spot } }
  }
}

/**
 * Reason for refusing a trade with an unknown condition. Reasons are counted by their text, so there must be few
 * different ones.
 */
function unknownCondition(number: number): string {
  return number >= 0 && number < 1000 ? `the unknown sale condition ${number}` : 'an unknown sale condition'
}

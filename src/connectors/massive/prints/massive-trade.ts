import {
  combinedConditions,
  type SaleCondition,
  type SaleConditions,
  saleConditions
} from '../../../market/sale-conditions.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { TradeRead } from '../../whole-market/wanted-trades.ts'

export interface MassiveTrade {
  /** OCC symbol without spaces. */
  readonly contract: string
  /** Time on the consolidated tape, in whole milliseconds. */
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Number of contracts. */
  readonly size: number
  /** Vendor's number of the exchange. */
  readonly exchange: number
  /** Vendor's numbers of the sale conditions; empty for a regular trade. */
  readonly conditions: readonly number[]
  /** Vendor's sequence number, unique within a contract; absent in REST responses. */
  readonly sequence: number | undefined
}

/** Vendor's numbers of OPRA's condition letters: 201 to 226 for A to Z, 227 to 252 for a to z. */
const FIRST_CONDITION = 201
const conditionsByNumber: ReadonlyMap<number, SaleCondition> = new Map(
  [...saleConditions.option]
    .map(([code, word]) => [Number(code), word] as const)
    .filter(([number]) => number >= FIRST_CONDITION)
)

/**
 * Converts a trade to a tape message. The tape needs sequence numbers that are unique per exchange; the vendor's are
 * unique only per contract and absent over REST. The print therefore has none and is identified by its contract, time,
 * price and size.
 */
export function readMassiveTrade(trade: MassiveTrade, symbol: Ticker): TradeRead {
  const { contract, time, price, size, conditions } = trade
  const meaning = meaningOf(conditions)
  if (meaning === undefined) return { refused: unknownCondition(conditions) }
  if (meaning === 'exclude') return { refused: 'a compression at closing prices' }
  const exchange = exchangeOf(trade.exchange)
  const sequence = undefined
  if (meaning === 'cancel') return { message: { cancel: { symbol, contract, time, price, size, exchange, sequence } } }
  const [quote, spot] = [undefined, undefined]
  const print = { symbol, contract, time, price, size, exchange, sequence, flags: meaning, quote, spot }
  return { message: { print } }
}

/** Combined meaning of a trade's sale conditions; undefined if one is unknown. */
function meaningOf(numbers: readonly number[]): SaleConditions | undefined {
  const words: SaleCondition[] = []
  for (const number of numbers) {
    const word = conditionsByNumber.get(number)
    if (word === undefined) return undefined
    words.push(word)
  }
  return combinedConditions(words)
}

/**
 * Reason for refusing a trade with unknown conditions. Reasons are counted by their text, so there must be few
 * different ones.
 */
function unknownCondition(numbers: readonly number[]): string {
  const number = numbers.find((each) => !conditionsByNumber.has(each))!
  return number >= 0 && number < 1000 ? `the unknown sale condition ${number}` : 'an unknown sale condition'
}

/** Maps an exchange number to a byte. The vendor numbers option exchanges from 300, stock exchanges from 1. */
function exchangeOf(number: number): number {
  if (number >= 300 && number <= 355) return number - 100
  return number < 200 ? number : 0
}

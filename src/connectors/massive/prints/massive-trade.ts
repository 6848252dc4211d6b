import {
  combinedConditions,
  type SaleCondition,
  type SaleConditions,
  saleConditions
} from '../../../market/sale-conditions.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { TradeRead } from '../../whole-market/wanted-trades.ts'

/** A trade of an option as stream and REST tell it alike. */
export interface MassiveTrade {
  /** OCC symbol without spaces. */
  readonly contract: string
  /** When the consolidated tape had it, whole milliseconds. */
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Contracts. */
  readonly size: number
  /** The vendor's number of the exchange. */
  readonly exchange: number
  /** The vendor's numbers of sale conditions; none: a regular trade. */
  readonly conditions: readonly number[]
  /** Tells the trades of a contract apart; REST answers have none. */
  readonly sequence: number | undefined
}

/** The vendor's numbers of conditions are OPRA's letters: 201 to 226 for A to Z, 227 to 252 for a to z. */
const FIRST_CONDITION = 201
const conditionsByNumber: ReadonlyMap<number, SaleCondition> = new Map(
  [...saleConditions.option]
    .map(([code, word]) => [Number(code), word] as const)
    .filter(([number]) => number >= FIRST_CONDITION)
)

/**
 * A trade as message of the tape of a symbol. On a tape a number is unique with its exchange; the vendor's are so for each
 * contract only, and its REST answers have none. So a print has no number there and is known by its figures.
 */
export function readMassiveTrade(trade: MassiveTrade, symbol: Ticker): TradeRead {
  const { contract, time, price, size, conditions } = trade
  const said = saidBy(conditions)
  if (said === undefined) return { refused: unknownCondition(conditions) }
  if (said === 'exclude') return { refused: 'a compression at closing prices' }
  const exchange = exchangeOf(trade.exchange)
  const sequence = undefined
  if (said === 'cancel') return { message: { cancel: { symbol, contract, time, price, size, exchange, sequence } } }
  const [quote, spot] = [undefined, undefined]
  const print = { symbol, contract, time, price, size, exchange, sequence, flags: said, quote, spot }
  return { message: { print } }
}

/** What conditions say together; undefined where one of them is not known. */
function saidBy(numbers: readonly number[]): SaleConditions | undefined {
  const words: SaleCondition[] = []
  for (const number of numbers) {
    const word = conditionsByNumber.get(number)
    if (word === undefined) return undefined
    words.push(word)
  }
  return combinedConditions(words)
}

/** Reasons are counted by their text, so there may be only so many of them. */
function unknownCondition(numbers: readonly number[]): string {
  const number = numbers.find((each) => !conditionsByNumber.has(each))!
  return number >= 0 && number < 1000 ? `the unknown sale condition ${number}` : 'an unknown sale condition'
}

/** A tape has room for 255 exchanges. The vendor numbers those of options from 300 on, of stocks from 1. */
function exchangeOf(number: number): number {
  if (number >= 300 && number <= 355) return number - 100
  return number < 200 ? number : 0
}

import { combinedConditions, saleConditions } from '../../../market/sale-conditions.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { TradeRead } from '../../whole-market/wanted-trades.ts'
import { instantOf } from '../alpaca-fields.ts'
import { PackedTime } from './alpaca-message-pack.ts'

/** A trade of an option as stream and REST tell it alike. */
export interface AlpacaTrade {
  /** OCC symbol without spaces. */
  readonly contract: string
  /** To whole microseconds. */
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Contracts. */
  readonly size: number
  /** The letter of the exchange as a number; 0: not told. */
  readonly exchange: number
  /** OPRA's letter of the sale condition; blank: a regular trade. */
  readonly condition: string
}

/** No field holds more. */
const MAX_COUNT = 2 ** 31 - 1
const MAX_PRICE = 1e6
/** Times before 2000 and after 2100 are none. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)

/** The fields of a trade by the vendor's letters; they may be anything. */
export interface AlpacaTradeFields {
  readonly t?: unknown
  readonly p?: unknown
  readonly s?: unknown
  readonly x?: unknown
  readonly c?: unknown
}

/** A trade of these fields; in few words what is wrong where one of them cannot be. */
export function alpacaTradeFrom(
  contract: string,
  { t, p: price, s: size, x, c }: AlpacaTradeFields
): AlpacaTrade | string {
  if (!isFigure(price, Number.MIN_VALUE, MAX_PRICE)) return 'a trade without a price (p)'
  if (!isFigure(size, 1, MAX_COUNT) || !Number.isInteger(size)) return 'a trade without a size (s)'
  const time = alpacaTimeFrom(t)
  if (time === undefined) return 'a trade without its time (t)'
  if (typeof x !== 'string' || x.length > 1) return 'a trade without its exchange (x)'
  if (typeof c !== 'string') return 'a trade without its condition (c)'
  return { contract, time, price, size, exchange: x === '' ? 0 : x.charCodeAt(0) & 0xff, condition: c.trim() }
}

/** A time of the stream, which is one of MessagePack, or text as in answers of REST. */
export function alpacaTimeFrom(value: unknown): Instant | undefined {
  const time = value instanceof PackedTime ? value.instant : typeof value === 'string' ? instantOf(value) : undefined
  return isFigure(time, EARLIEST, LATEST) ? time : undefined
}

export function isFigure(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

/** A trade as message of the tape of a symbol. It has no number there and is known by its figures. */
export function readAlpacaTrade(
  { contract, time, price, size, exchange, condition }: AlpacaTrade,
  symbol: Ticker
): TradeRead {
  const word = condition === '' ? 'regular' : saleConditions.option.get(condition)
  if (word === undefined || /\d/.test(condition)) return { refused: unknownCondition(condition) }
  const said = combinedConditions([word])
  if (said === 'exclude') return { refused: 'a compression at closing prices' }
  const named = { symbol, contract, time, price, size, exchange, sequence: undefined }
  if (said === 'cancel') return { message: { cancel: named } }
  return { message: { print: { ...named, flags: said, quote: undefined, spot: undefined } } }
}

/** Reasons are counted by their text, so there may be only so many of them. */
function unknownCondition(condition: string): string {
  return /^[A-Za-z]$/.test(condition) ? `the unknown sale condition ${condition}` : 'an unknown sale condition'
}

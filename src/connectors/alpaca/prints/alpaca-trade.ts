import { combinedConditions, saleConditions } from '../../../market/sale-conditions.ts'
import type { Instant, Ticker } from '../../../market/units.ts'
import type { TradeRead } from '../../whole-market/wanted-trades.ts'
import { instantOf } from '../alpaca-fields.ts'
import { PackedTime } from './alpaca-message-pack.ts'

export interface AlpacaTrade {
  /** OCC symbol without spaces. */
  readonly contract: string
  /** Trade time, in whole microseconds. */
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Number of contracts. */
  readonly size: number
  /** Exchange letter as an ASCII code; 0 if absent. */
  readonly exchange: number
  /** OPRA's sale condition letter; empty for a regular trade. */
  readonly condition: string
}

/** Largest accepted size, because the tape stores 32-bit numbers. */
const MAX_COUNT = 2 ** 31 - 1
const MAX_PRICE = 1e6
/** Trade times outside 2000 to 2100 are refused as invalid. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)

/** Unchecked fields of a trade, under the vendor's one-letter names. */
export interface AlpacaTradeFields {
  readonly t?: unknown
  readonly p?: unknown
  readonly s?: unknown
  readonly x?: unknown
  readonly c?: unknown
}

/** Checks the fields of a trade; returns the trade, or a short reason if a field is invalid. */
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

/** Reads a trade time: a MessagePack timestamp in the stream, text in REST responses. */
export function alpacaTimeFrom(value: unknown): Instant | undefined {
  const time = value instanceof PackedTime ? value.instant : typeof value === 'string' ? instantOf(value) : undefined
  return isFigure(time, EARLIEST, LATEST) ? time : undefined
}

export function isFigure(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

/**
 * Converts a trade to a tape message. The vendor gives no sequence number, so the print is identified by its contract,
 * time, price and size.
 */
export function readAlpacaTrade(
  { contract, time, price, size, exchange, condition }: AlpacaTrade,
  symbol: Ticker
): TradeRead {
  const word = condition === '' ? 'regular' : saleConditions.option.get(condition)
  if (word === undefined || /\d/.test(condition)) return { refused: unknownCondition(condition) }
  const meaning = combinedConditions([word])
  if (meaning === 'exclude') return { refused: 'a compression at closing prices' }
  const named = { symbol, contract, time, price, size, exchange, sequence: undefined }
  if (meaning === 'cancel') return { message: { cancel: named } }
  return { message: { print: { ...named, flags: meaning, quote: undefined, spot: undefined } } }
}

/**
 * Reason for refusing a trade with an unknown condition. Reasons are counted by their text, so there must be few
 * different ones.
 */
function unknownCondition(condition: string): string {
  return /^[A-Za-z]$/.test(condition) ? `the unknown sale condition ${condition}` : 'an unknown sale condition'
}

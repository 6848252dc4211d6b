import { parseEasternDateTime } from '../../market/eastern.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { SourceError } from '../connector.ts'
import { tickerOfCboe } from './symbol.ts'

/** What a payload says of itself and of the underlying: everything but its contracts. */
export interface PayloadHead {
  readonly symbol: Ticker
  /** When the payload was fetched from the exchange: its `timestamp`, which is UTC. */
  readonly fetched: Instant
  /** The newest trade of the underlying or of any contract: `last_trade_time`, which is New York wall-clock. */
  readonly newestTrade: Instant
  readonly underlying: Fields
}

export interface Payload extends PayloadHead {
  readonly options: readonly unknown[]
}

/** Fields as they came: nothing is known of them before they are read one by one. */
export type Fields = Readonly<Record<string, unknown>>

/** Reads a whole payload. Throws `malformed` where it is not one. */
export function parsePayload(text: string): Payload {
  const document = parseDocument(text)
  const options = fieldsOf(document['data'])?.['options']
  if (!Array.isArray(options)) throw malformed('it lists no options')
  return { ...headOf(document, tradeTimesOf(document, options)), options }
}

/**
 * Reads the head of a payload without parsing its contracts, which takes a fifth of the time: the contracts are cut out
 * of the text (they hold no bracket) and searched for their trade times only.
 */
export function scanPayload(text: string): PayloadHead {
  const key = text.indexOf('"options"')
  const start = key < 0 ? -1 : text.indexOf('[', key)
  const end = start < 0 ? -1 : text.indexOf(']', start)
  if (end < 0) throw malformed('it lists no options')
  return headOf(parseDocument(`${text.slice(0, start)}[${text.slice(end)}`), tradeTimesIn(text))
}

function parseDocument(text: string): Fields {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw malformed('it is not JSON, or not all of it')
  }
  const fields = fieldsOf(document)
  if (fields === undefined) throw malformed('it is not an object')
  return fields
}

function headOf(document: Fields, tradeTimes: Iterable<unknown>): PayloadHead {
  const underlying = fieldsOf(document['data'])
  if (underlying === undefined) throw malformed('it has no data')
  const symbol = symbolOf(document, underlying)
  const fetched = parseUtcDateTime(document['timestamp'])
  if (fetched === undefined) throw malformed('it does not say when it was fetched')
  const newestTrade = newestOf(tradeTimes, fetched)
  if (newestTrade === undefined) throw malformed('nothing in it was ever traded, so its session is unknown')
  return { symbol, fetched, newestTrade, underlying }
}

function symbolOf(document: Fields, underlying: Fields): Ticker {
  const named = [document['symbol'], underlying['symbol']].filter((name) => typeof name === 'string')
  const symbols = new Set(named.map(tickerOfCboe))
  const [symbol] = symbols
  if (symbol === undefined || symbols.size > 1) throw malformed('it does not name one symbol')
  return symbol
}

/** A trade later than the fetch cannot have been: such a time is ignored rather than believed. */
function newestOf(tradeTimes: Iterable<unknown>, fetched: Instant): Instant | undefined {
  let newestText = ''
  let newest: Instant | undefined
  for (const text of tradeTimes) {
    if (typeof text !== 'string' || text <= newestText) continue // the text sorts as the time does
    const time = parseEasternDateTime(text)
    if (time === undefined || time > fetched) continue
    newestText = text
    newest = time
  }
  return newest
}

function* tradeTimesOf(document: Fields, options: readonly unknown[]): Generator<unknown> {
  yield fieldsOf(document['data'])?.['last_trade_time']
  for (const option of options) yield fieldsOf(option)?.['last_trade_time']
}

function* tradeTimesIn(text: string): Generator<string> {
  for (const match of text.matchAll(/"last_trade_time"\s*:\s*"([^"]*)"/g)) yield match[1]
}

/** Fields of an object; undefined for anything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

const utcShape = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/

function parseUtcDateTime(value: unknown): Instant | undefined {
  const match = typeof value === 'string' ? utcShape.exec(value) : null
  if (match === null) return undefined
  const instant = Date.parse(`${match[1]}T${match[2]}Z`)
  return Number.isNaN(instant) ? undefined : instant
}

/** The error of a payload that cannot be used, with the reason as the end of a sentence. */
export function malformed(reason: string): SourceError {
  return new SourceError('malformed', `the Cboe payload cannot be used: ${reason}`)
}

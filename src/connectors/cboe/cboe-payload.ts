import { parseEasternDateTime } from '../../market/eastern.ts'
import { jsonFault } from '../../market/json-fault.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { SourceError } from '../port/source-error.ts'
import { tickerOfCboe } from './cboe-symbol.ts'

/** Everything in a payload except its contracts. */
export interface PayloadHead {
  readonly symbol: Ticker
  /** When the payload was fetched from the exchange: its `timestamp`, which is UTC. */
  readonly fetched: Instant
  /** Time of the newest trade of the underlying or of any contract: `last_trade_time`, New York wall-clock time. */
  readonly newestTrade: Instant
  readonly underlying: PayloadFields
}

export interface CboePayload extends PayloadHead {
  readonly contracts: readonly PayloadFields[]
}

export type PayloadFields = Readonly<Record<string, unknown>>

/** Positions of the bytes between the brackets of the list of contracts. */
export interface ContractSpan {
  readonly start: number
  readonly end: number
}

/** A payload of which everything but the contracts is parsed. */
export interface OpenPayload {
  readonly head: Omit<PayloadHead, 'newestTrade'>
  /** Time of the newest trade found so far. At first only the underlying's last trade is known. */
  readonly trades: NewestTrade
  readonly list: ContractSpan
}

export interface NewestTrade {
  /**
   * Time of the trade in New York wall-clock time, as the feed writes it. Such texts sort by time. Empty before the
   * first trade.
   */
  text: string
  time: Instant | undefined
  /** Time at which the payload was fetched. Later trade times are impossible and ignored. */
  readonly fetched: Instant
}

const OPENING = 91
const CLOSING = 93
const PLACEHOLDER = '@'

/** Parses a payload as JSON. Throws a `malformed` error if it is not a valid payload. */
export function parsePayload(bytes: Buffer): CboePayload {
  const text = bytes.toString('utf8')
  const document = parseDocument(text)
  if (document === undefined) throw malformed(jsonFault(text, 'it is not JSON, or not all of it'))
  const rows = contractsIn(document)
  if (rows === undefined) throw malformed('it lists no options: the field data.options is no list')
  const { head, trades } = headOf(document)
  const contracts = rows.map((row) => fieldsOf(row) ?? {})
  for (const contract of contracts) noteTrade(trades, contract['last_trade_time'])
  return { ...head, newestTrade: newestOf(trades), contracts }
}

/**
 * Parses a payload except for its contracts. Undefined if the list of contracts cannot be located for certain. Throws a
 * `malformed` error if the payload is not valid.
 */
export function openPayload(bytes: Buffer): OpenPayload | undefined {
  const list = contractList(bytes)
  const document = list === undefined ? undefined : documentAround(bytes, list)
  return list === undefined || document === undefined ? undefined : { ...headOf(document), list }
}

/**
 * Reads the head of a payload in a third of the time of a full parse, because contracts are only searched for their
 * trade times. The whole payload is parsed if the list of contracts cannot be located for certain.
 */
export function readPayloadHead(bytes: Buffer): PayloadHead {
  const opened = openPayload(bytes)
  if (opened === undefined) return parsePayload(bytes)
  const { head, trades, list } = opened
  const contracts = bytes.toString('latin1', list.start, list.end)
  for (const match of contracts.matchAll(/"last_trade_time"\s*:\s*"([^"]*)"/g)) noteTrade(trades, match[1])
  return { ...head, newestTrade: newestOf(trades) }
}

export function noTradeYet(fetched: Instant): NewestTrade {
  return { text: '', time: undefined, fetched }
}

/** Stores `text` if it is a trade time and newer than the stored one. */
export function noteTrade(newest: NewestTrade, text: unknown): void {
  if (typeof text !== 'string' || text <= newest.text) return
  const time = parseEasternDateTime(text)
  if (time === undefined || time > newest.fetched) return
  newest.text = text
  newest.time = time
}

/** Finds the list of contracts. Contracts contain no brackets, so the first closing bracket ends the list. */
function contractList(bytes: Buffer): ContractSpan | undefined {
  const key = bytes.indexOf('"options"')
  const start = key < 0 ? -1 : bytes.indexOf(OPENING, key)
  const end = start < 0 ? -1 : bytes.indexOf(CLOSING, start)
  return end < 0 ? undefined : { start: start + 1, end }
}

/**
 * Parses the payload with a placeholder in place of the bytes from `start` to `end`. Undefined if the list of contracts
 * is then not exactly the placeholder, because the wrong bytes were cut out.
 */
function documentAround(bytes: Buffer, { start, end }: ContractSpan): PayloadFields | undefined {
  const text = `${bytes.toString('utf8', 0, start)}"${PLACEHOLDER}"${bytes.toString('utf8', end)}`
  const document = parseDocument(text)
  const contracts = document === undefined ? undefined : contractsIn(document)
  return contracts?.length === 1 && contracts[0] === PLACEHOLDER ? document : undefined
}

function parseDocument(text: string): PayloadFields | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  const fields = fieldsOf(document)
  if (fields === undefined) throw malformed('it is not an object')
  return fields
}

function contractsIn(document: PayloadFields): readonly unknown[] | undefined {
  const options = fieldsOf(document['data'])?.['options']
  return Array.isArray(options) ? options : undefined
}

function headOf(document: PayloadFields): Omit<OpenPayload, 'list'> {
  const underlying = fieldsOf(document['data'])
  if (underlying === undefined) throw malformed('it has no data: the field data is no object')
  const symbol = symbolOf(document, underlying)
  const fetched = parseUtcDateTime(document['timestamp'])
  if (fetched === undefined) throw malformed('it does not say when it was fetched: the field timestamp is no moment')
  const trades = noTradeYet(fetched)
  const traded = underlying['last_trade_time']
  if (traded !== null && typeof traded !== 'string') {
    throw malformed(`the field last_trade_time of the underlying is ${traded === undefined ? 'missing' : 'no text'}`)
  }
  noteTrade(trades, traded)
  return { head: { symbol, fetched, underlying }, trades }
}

function newestOf({ time }: NewestTrade): Instant {
  if (time === undefined) throw malformed('nothing in it was ever traded, so its session is unknown')
  return time
}

function symbolOf(document: PayloadFields, underlying: PayloadFields): Ticker {
  const named = [document['symbol'], underlying['symbol']].filter((name) => typeof name === 'string')
  const symbols = new Set(named.map(tickerOfCboe))
  const [symbol] = symbols
  if (symbol === undefined || symbols.size > 1) throw malformed('it does not name one symbol')
  return symbol
}

function fieldsOf(value: unknown): PayloadFields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PayloadFields) : undefined
}

const utcShape = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/

function parseUtcDateTime(value: unknown): Instant | undefined {
  const match = typeof value === 'string' ? utcShape.exec(value) : null
  if (match === null) return undefined
  const instant = Date.parse(`${match[1]}T${match[2]}Z`)
  return Number.isNaN(instant) ? undefined : instant
}

/** Builds the error for an unusable payload. `reason` completes its message: `the Cboe payload cannot be used: …`. */
export function malformed(reason: string): SourceError {
  return new SourceError('malformed', `the Cboe payload cannot be used: ${reason}`)
}

import type { Instant, Ticker } from '../../market/units.ts'
import { SourceError } from '../port/source-error.ts'
import { type NewestTrade, noTradeYet, takeTrade } from './scan/newest-trade.ts'
import { scanOptions } from './scan/option-scan.ts'
import { addOption, figureNames, noOptions, noteNoNumber, type PayloadOptions } from './scan/options.ts'
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
  readonly options: PayloadOptions
}

/** Fields as they came: nothing is known of them before they are read one by one. */
export type Fields = Readonly<Record<string, unknown>>

/** Where a list of contracts stands: the bytes between its brackets. */
export interface Span {
  readonly start: number
  readonly end: number
}

const OPENING = 91
const CLOSING = 93
const CUT_OUT = '@'

/** Reads a whole payload. Throws `malformed` where it is not one. */
export function parsePayload(bytes: Buffer): Payload {
  return scannedPayload(bytes) ?? parsePlainly(bytes)
}

/** A payload whose contracts are laid out as the exchange writes them; undefined for any other. */
function scannedPayload(bytes: Buffer): Payload | undefined {
  const opened = openPayload(bytes)
  if (opened === undefined) return undefined
  const { head, trades, list } = opened
  const options = scanOptions(bytes, list.start, list.end, trades)
  return options === undefined ? undefined : { ...head, newestTrade: newestOf(trades), options }
}

/** A payload whose head is read, and where its contracts stand. */
export interface OpenPayload extends OpenHead {
  readonly list: Span
}

/** Reads all but the contracts. Undefined where it cannot be told which list is theirs; throws as `parsePayload`. */
export function openPayload(bytes: Buffer): OpenPayload | undefined {
  const list = optionList(bytes)
  const document = list === undefined ? undefined : documentAround(bytes, list)
  return list === undefined || document === undefined ? undefined : { ...headOf(document), list }
}

/** The same for any layout and by JSON alone, in half as much time again: what the scan has to agree with. */
export function parsePlainly(bytes: Buffer): Payload {
  const document = parseDocument(bytes.toString('utf8'))
  if (document === undefined) throw malformed('it is not JSON, or not all of it')
  const rows = optionsIn(document)
  if (rows === undefined) throw malformed('it lists no options: the field data.options is no list')
  const { head, trades } = headOf(document)
  const options = noOptions()
  for (const row of rows) {
    const fields = fieldsOf(row) ?? {}
    const symbol = fields['option']
    const first = addOption(options, typeof symbol === 'string' ? symbol : undefined)
    for (const [k, name] of figureNames.entries()) {
      const value = fields[name]
      options.figures[first + k] = numberOf(value)
      if (typeof value !== 'number' && value !== undefined && value !== null) noteNoNumber(options, k)
    }
    takeTrade(trades, fields['last_trade_time'])
  }
  return { ...head, newestTrade: newestOf(trades), options }
}

/**
 * Reads the head of a payload without reading its contracts, which takes a third of the time: they are searched for
 * their trade times only. Where it cannot be told which list is theirs, the payload is read whole.
 */
export function scanPayload(bytes: Buffer): PayloadHead {
  const opened = openPayload(bytes)
  if (opened === undefined) return parsePlainly(bytes)
  const { head, trades, list } = opened
  const contracts = bytes.toString('latin1', list.start, list.end)
  for (const match of contracts.matchAll(/"last_trade_time"\s*:\s*"([^"]*)"/g)) takeTrade(trades, match[1])
  return { ...head, newestTrade: newestOf(trades) }
}

/** Contracts hold no bracket, so the next one closes their list. */
function optionList(bytes: Buffer): Span | undefined {
  const key = bytes.indexOf('"options"')
  const start = key < 0 ? -1 : bytes.indexOf(OPENING, key)
  const end = start < 0 ? -1 : bytes.indexOf(CLOSING, start)
  return end < 0 ? undefined : { start: start + 1, end }
}

/**
 * The payload with a mark in the place of the contracts. Undefined where the mark is not all there is in their list:
 * what was cut out is then another list, or not the whole of it.
 */
function documentAround(bytes: Buffer, { start, end }: Span): Fields | undefined {
  const text = `${bytes.toString('utf8', 0, start)}"${CUT_OUT}"${bytes.toString('utf8', end)}`
  const document = parseDocument(text)
  const options = document === undefined ? undefined : optionsIn(document)
  return options?.length === 1 && options[0] === CUT_OUT ? document : undefined
}

/** Undefined for what is not JSON. */
function parseDocument(text: string): Fields | undefined {
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

function optionsIn(document: Fields): readonly unknown[] | undefined {
  const options = fieldsOf(document['data'])?.['options']
  return Array.isArray(options) ? options : undefined
}

interface OpenHead {
  readonly head: Omit<PayloadHead, 'newestTrade'>
  /** The trade of the underlying, if any: those of the contracts are still to be taken. */
  readonly trades: NewestTrade
}

function headOf(document: Fields): OpenHead {
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
  takeTrade(trades, traded)
  return { head: { symbol, fetched, underlying }, trades }
}

function newestOf({ time }: NewestTrade): Instant {
  if (time === undefined) throw malformed('nothing in it was ever traded, so its session is unknown')
  return time
}

function symbolOf(document: Fields, underlying: Fields): Ticker {
  const named = [document['symbol'], underlying['symbol']].filter((name) => typeof name === 'string')
  const symbols = new Set(named.map(tickerOfCboe))
  const [symbol] = symbols
  if (symbol === undefined || symbols.size > 1) throw malformed('it does not name one symbol')
  return symbol
}

/** Fields of an object; undefined for anything else. */
function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
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

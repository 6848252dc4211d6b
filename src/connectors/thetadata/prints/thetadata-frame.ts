import { instantOfEastern } from '../../../market/eastern.ts'
import { type Instant, isoDate, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../../../market/units.ts'
import type { ContractQuote } from '../../whole-market/wanted-trades.ts'
import type { ThetaDataTrade } from './thetadata-trade.ts'

export interface ThetaDataFrameSink {
  /** Receives whether the terminal is connected to the vendor; the terminal reports it every second. */
  status(isConnected: boolean): void
  /** Receives the vendor's response to the request with this id. */
  response(id: number, response: string): void
  /** Receives a trade and the option root of its contract. */
  trade(trade: ThetaDataTrade, root: string): void
  quote(quote: ContractQuote, root: string): void
  /**
   * Called with a short reason when a frame is ignored. Reasons are counted by their text, so there must be few
   * different ones.
   */
  refused(reason: string): void
}

type Fields = Readonly<Record<string, unknown>>

/** Frame types that are ignored: totals of the day, which come with each trade, and session states. */
const unused: ReadonlySet<unknown> = new Set(['OHLC', 'STATE'])
const MAX_PRICE = 1e6
const MAX_STRIKE = 99_999_999

/** Reads a frame, a single JSON object. Trades and quotes are read only for option roots that `isWanted` accepts. */
export function readThetaDataFrame(text: string, isWanted: (root: string) => boolean, sink: ThetaDataFrameSink): void {
  const frame = fieldsOf(parsed(text))
  const header = frame && fieldsOf(frame['header'])
  const { type, status, req_id: id, response } = header ?? {}
  if (frame === undefined || header === undefined) sink.refused('a frame without a header')
  else if (type === 'STATUS') sink.status(status === undefined || status === 'CONNECTED')
  else if (type === 'TRADE' || type === 'QUOTE') readMarketFrame(frame, type, isWanted, sink)
  else if (type === 'REQ_RESPONSE') {
    if (typeof id === 'number' && typeof response === 'string') sink.response(id, response)
    else sink.refused('a response without its number (req_id, response)')
  } else if (!unused.has(type)) sink.refused('an unknown frame (type)')
}

function readMarketFrame(
  frame: Fields,
  type: 'TRADE' | 'QUOTE',
  isWanted: (root: string) => boolean,
  sink: ThetaDataFrameSink
): void {
  const named = fieldsOf(frame['contract']) ?? {}
  const root = named['symbol'] ?? named['root']
  if (typeof root === 'string' && !isWanted(root)) return
  const contract = typeof root === 'string' ? contractOf(root, named) : undefined
  const fields = fieldsOf(frame[type === 'TRADE' ? 'trade' : 'quote'])
  const time = fields && timeOf(fields)
  if (typeof root !== 'string' || contract === undefined)
    sink.refused('a frame of no option (contract: symbol or root, expiration, strike, right)')
  else if (time === undefined)
    sink.refused(`a ${type === 'TRADE' ? 'trade' : 'quote'} without its time (date, ms_of_day)`)
  else if (type === 'TRADE') readTrade(fields!, contract, root, time, sink)
  else readQuote(fields!, contract, root, time, sink)
}

function readTrade(fields: Fields, contract: string, root: string, time: Instant, sink: ThetaDataFrameSink): void {
  const { price, size, exchange, condition, sequence } = fields
  if (!isNumber(price)) sink.refused('a trade without a price (price)')
  else if (!isNumber(size)) sink.refused('a trade without a size (size)')
  else if (!isNumber(condition)) sink.refused('a trade without its condition (condition)')
  else if (!isNumber(sequence)) sink.refused('a trade without its number (sequence)')
  else if (!isNumber(exchange)) sink.refused('a trade without its exchange (exchange)')
  else sink.trade({ contract, time, price, size, exchange, condition, sequence, quote: undefined }, root)
}

/** Reads a quote; a side without orders is 0. */
function readQuote(
  { bid, ask }: Fields,
  contract: string,
  root: string,
  time: Instant,
  sink: ThetaDataFrameSink
): void {
  const isPrice = (value: unknown): value is number => isNumber(value) && value >= 0 && value <= MAX_PRICE
  if (isPrice(bid) && isPrice(ask)) sink.quote({ contract, bid, ask, time }, root)
  else sink.refused('a quote without prices (bid, ask)')
}

/**
 * Builds an OCC symbol from the vendor's fields: expiration such as 20260320, strike in thousandths of a dollar, and C
 * or P.
 */
function contractOf(root: string, { expiration, strike, right }: Fields): string | undefined {
  const isStrike = isNumber(strike) && Number.isInteger(strike) && strike > 0 && strike <= MAX_STRIKE
  if (dateOf(expiration) === undefined || !isStrike || (right !== 'C' && right !== 'P')) return undefined
  return `${root}${String(expiration).slice(2)}${right}${String(strike).padStart(8, '0')}`
}

/** Builds a time from a date such as 20260320 and milliseconds since midnight in New York. */
function timeOf({ date, ms_of_day: milliseconds }: Fields): Instant | undefined {
  const day = dateOf(date)
  if (day === undefined || !isNumber(milliseconds)) return undefined
  if (!(milliseconds >= 0 && milliseconds < MILLISECONDS_PER_DAY)) return undefined
  return instantOfEastern(day, milliseconds / MILLISECONDS_PER_MINUTE)
}

function dateOf(value: unknown) {
  if (!isNumber(value) || !(value >= 20_000_101 && value <= 20_991_231)) return undefined
  return isoDate(Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100)
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

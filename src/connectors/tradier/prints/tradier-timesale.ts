import { EXTENDED } from '../../../market/print.ts'
import { combinedConditions, type SaleConditions, saleConditions } from '../../../market/sale-conditions.ts'
import type { Instant } from '../../../market/units.ts'

/** An option trade, correction or cancellation from the stream. */
export interface TradierTimesale {
  /** OCC symbol without spaces. */
  readonly contract: string
  readonly time: Instant
  /** USD per share. */
  readonly price: number
  /** Number of contracts. */
  readonly size: number
  /** Exchange letter as an ASCII code; 0 if absent. */
  readonly exchange: number
  /** Combined meaning of the sale conditions. */
  readonly meaning: SaleConditions
  readonly bid: number
  readonly ask: number
  /** Vendor's sequence number of the trade. */
  readonly sequence: number
  /** Whether the event cancels or corrects the trade with this sequence number; undefined for a new trade. */
  readonly change: 'cancel' | 'correction' | undefined
}

export interface TradierEventSink {
  timesale(timesale: TradierTimesale): void
  error(text: string): void
  /**
   * Called with a short reason when an event is ignored. Reasons are counted by their text, so there must be few
   * different ones.
   */
  refused(reason: string): void
}

type Fields = Readonly<Record<string, unknown>>

/** Times outside 2000 to 2100 are refused: invalid, or not in milliseconds. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)
const MAX_COUNT = 2 ** 31 - 1
const MAX_PRICE = 1e6
const NUMBER = /^\d+(\.\d+)?$/
const CONTRACT = /^[A-Z0-9]{1,6}\d{6}[CP]\d{8}$/

const unused: ReadonlySet<unknown> = new Set(['quote', 'trade', 'tradex', 'summary'])
/** Flags of regular trades: no flag, or the stock market's mark. */
const regular: ReadonlySet<string> = new Set(['', '@'])

/** Reads a frame of JSON objects, one per line. Returns whether the frame held a timesale. */
export function readTradierFrame(text: string, sink: TradierEventSink): boolean {
  let hasTimesale = false
  for (const line of text.split('\n')) if (line.trim() !== '' && readEvent(line, sink)) hasTimesale = true
  return hasTimesale
}

function readEvent(line: string, sink: TradierEventSink): boolean {
  const fields = objectIn(line)
  const { type, error } = fields ?? {}
  if (fields === undefined) sink.refused('a line that is no object')
  else if (type === 'timesale') {
    const read = timesaleIn(fields)
    if (typeof read !== 'string') {
      sink.timesale(read)
      return true
    }
    sink.refused(read)
  } else if (typeof error === 'string') sink.error(error)
  else sink.refused(unused.has(type) ? `the event ${type}, which is not used` : 'an unknown event (type)')
  return false
}

/**
 * Reads a timesale; returns a short reason if it must be refused. The vendor writes numbers as text, and times in
 * milliseconds.
 */
function timesaleIn({
  symbol,
  exch,
  bid: bidText,
  ask: askText,
  last,
  size: sizeText,
  date,
  seq,
  flag,
  cancel,
  correction,
  session
}: Fields): TradierTimesale | string {
  if (typeof symbol !== 'string' || !CONTRACT.test(symbol)) return 'a timesale of no option (symbol)'
  const [price, size, time] = [figure(last), figure(sizeText), figure(date)]
  if (!(price > 0 && price < MAX_PRICE)) return 'a timesale without a price (last)'
  if (!Number.isInteger(size) || size < 1 || size > MAX_COUNT) return 'a timesale without a size (size)'
  if (!(time >= EARLIEST && time <= LATEST)) return 'a timesale without its time (date)'
  const [bid, ask] = [figure(bidText), figure(askText)]
  if (!(bid < MAX_PRICE && ask < MAX_PRICE)) return 'a timesale without its quote (bid, ask)'
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq)) return 'a timesale without its number (seq)'
  if (typeof cancel !== 'boolean' || typeof correction !== 'boolean') {
    return 'a timesale that does not say what it is (cancel, correction)'
  }
  if (typeof session !== 'string') return 'a timesale without its session (session)'
  if (exch !== undefined && exch !== null && typeof exch !== 'string') return 'a timesale with no exchange (exch)'
  if (typeof flag !== 'string') return 'a timesale without its flag (flag)'
  const meaning = conditionOf(flag)
  if (meaning === undefined) return /^[!-~]$/.test(flag) ? `the unknown flag ${flag}` : 'an unknown flag'
  const isOutside = session !== 'normal' && typeof meaning === 'number'
  return {
    contract: symbol,
    time: Math.floor(time),
    price,
    size,
    exchange: typeof exch === 'string' && /^[A-Za-z]$/.test(exch) ? exch.charCodeAt(0) : 0,
    meaning: isOutside ? meaning | EXTENDED : meaning,
    bid,
    ask,
    sequence: seq,
    change: cancel ? 'cancel' : correction ? 'correction' : undefined
  }
}

/** OPRA's sale condition by its letter; undefined if there is none. */
function conditionOf(flag: string): SaleConditions | undefined {
  if (regular.has(flag)) return 0
  const word = /^[A-Za-z]$/.test(flag) ? saleConditions.option.get(flag) : undefined
  return word && combinedConditions([word])
}

/** Parses a number of 0 or more, written as text; NaN for anything else. */
function figure(value: unknown): number {
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : Number.NaN
}

function objectIn(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

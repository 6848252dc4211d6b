import type { Instant } from '../../../market/units.ts'
import type { ContractQuote } from '../../whole-market/wanted-trades.ts'
import { occOfMassive } from '../massive-symbols.ts'
import type { MassiveTrade } from './massive-trade.ts'

export interface MassiveEventSink {
  status(status: string, message: string): void
  trade(trade: MassiveTrade): void
  quote(quote: ContractQuote): void
  /**
   * Called with a short reason when an event is ignored. Reasons are counted by their text, so there must be few
   * different ones.
   */
  refused(reason: string): void
}

/** Times outside 2000 to 2100 are refused: invalid, or not in milliseconds. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)
/** Largest size or exchange number accepted; the tape stores 32-bit numbers. */
const MAX_COUNT = 2 ** 31 - 1
const MAX_PRICE = 1e6
/** Maximum number of conditions of a trade; usually there are few. */
const MAX_CONDITIONS = 10

/** Types of bar and index events, to which we do not subscribe. */
const unused: ReadonlySet<unknown> = new Set(['A', 'AM', 'V', 'FMV', 'LULD', 'NOI'])

type Fields = Readonly<Record<string, unknown>>

/** Reads a frame, a JSON array of events. Trades and quotes are read only for contracts that `isWanted` accepts. */
export function readMassiveFrame(text: string, isWanted: (contract: string) => boolean, sink: MassiveEventSink): void {
  const events = parsed(text)
  if (!Array.isArray(events)) sink.refused('a frame that is no list')
  else for (const event of events) readEvent(event, isWanted, sink)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readEvent(event: unknown, isWanted: (contract: string) => boolean, sink: MassiveEventSink): void {
  const fields = typeof event === 'object' && event !== null ? (event as Fields) : {}
  const { ev } = fields
  if (ev === 'T' || ev === 'Q') readMarketEvent(fields, isWanted, sink)
  else if (ev === 'status') readStatus(fields, sink)
  else sink.refused(unused.has(ev) ? `the event ${ev}, which is not used` : 'an unknown event (ev)')
}

function readStatus({ status, message }: Fields, sink: MassiveEventSink): void {
  if (typeof status !== 'string') sink.refused('a status without a name (status)')
  else sink.status(status, typeof message === 'string' ? message : '')
}

function readMarketEvent(fields: Fields, isWanted: (contract: string) => boolean, sink: MassiveEventSink): void {
  const { ev, sym, x, p, s, c, t, q } = fields
  const contract = typeof sym === 'string' ? occOfMassive(sym) : undefined
  if (contract === undefined) sink.refused('an event of no option (sym)')
  else if (!isWanted(contract)) return
  else if (ev === 'Q') readQuote(fields, contract, sink)
  else {
    const trade = massiveTradeFrom(
      { contract, time: t, price: p, size: s, exchange: x, conditions: c, sequence: q },
      inStream
    )
    if (typeof trade === 'string') sink.refused(trade)
    else if (trade.sequence === undefined) sink.refused('a trade without its number (q)')
    else sink.trade(trade)
  }
}

/** Reads a quote; a side without orders is absent or 0. */
function readQuote({ bp: bid = 0, ap: ask = 0, t: time }: Fields, contract: string, sink: MassiveEventSink): void {
  const isQuoted = isFigure(bid, 0, MAX_PRICE) && isFigure(ask, 0, MAX_PRICE)
  if (isQuoted && isTime(time)) sink.quote({ contract, bid, ask, time })
  else sink.refused(isQuoted ? 'a quote without its time (t)' : 'a quote without prices (bp, ap)')
}

/** Vendor's names of a trade's fields, for error messages. */
export type MassiveTradeNames = Readonly<Record<'time' | 'price' | 'size' | 'exchange' | 'conditions', string>>

const inStream: MassiveTradeNames = { time: 't', price: 'p', size: 's', exchange: 'x', conditions: 'c' }

/**
 * Checks the fields of a trade; returns the trade, or a short reason if a field is invalid. A regular trade has no
 * conditions.
 */
export function massiveTradeFrom(
  fields: { readonly [Name in keyof MassiveTrade]: Name extends 'contract' ? string : unknown },
  names: MassiveTradeNames
): MassiveTrade | string {
  const { contract, time, price, size, exchange, conditions, sequence } = fields
  if (!isFigure(price, Number.MIN_VALUE, MAX_PRICE)) return `a trade without a price (${names.price})`
  if (!isFigure(size, 1, MAX_COUNT) || !Number.isInteger(size)) return `a trade without a size (${names.size})`
  if (!isTime(time)) return `a trade without its time (${names.time})`
  const numbers = conditions ?? []
  if (!Array.isArray(numbers) || numbers.length > MAX_CONDITIONS || !numbers.every(Number.isInteger)) {
    return `a trade with unreadable conditions (${names.conditions})`
  }
  if (!isFigure(exchange, 0, MAX_COUNT) || !Number.isInteger(exchange)) {
    return `a trade without its exchange (${names.exchange})`
  }
  // The fields are written out because this runs for every trade; object spread takes several times as long.
  return {
    contract,
    time: Math.floor(time),
    price,
    size,
    exchange,
    conditions: numbers as readonly number[],
    sequence: Number.isSafeInteger(sequence) ? (sequence as number) : undefined
  }
}

function isFigure(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

const isTime = (value: unknown): value is Instant => isFigure(value, EARLIEST, LATEST)

import { BUY, MICROSECONDS_PER_MILLISECOND, MID, PRICE_UNIT, SELL } from '../../../market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import type { QuoteAtPrint, TapeMessage } from '../../port/prints/print-feed.ts'
import { securities } from '../securities/securities.ts'
import { drawnExchange, eventsOf, isInside, type MinutePrints, sideDraw } from './minute-prints.ts'
import { MAX_MINUTES } from './traded-minute.ts'

/** What a symbol prints in one session, of one kind: its options, or the stock itself. */
export interface SessionTape {
  /** A minute since the open; `ahead` tells how many from this one on will be asked for. */
  minute(at: number, ahead: number): MinuteTape
}

/** The messages of one minute, by their time. They are priced when they are read. */
export interface MinuteTape {
  readonly length: number
  /** Microseconds since the minute began, ascending. */
  readonly time: Int32Array
  message(at: number): TapeMessage
}

/** The quotes and the spot of whole seconds. */
export interface SecondQuotes {
  /** The quote of a slot at a whole second. */
  quote(second: Instant, slot: number): QuoteAtPrint
  /** Middle of the underlying at the second that was asked about last, USD. */
  readonly spot: number
}

export interface TapeTerms {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly kind: 'option' | 'stock'
  readonly quotes: SecondQuotes
  /** OCC symbol; undefined for the stock. */
  contract(slot: number): string | undefined
  /** From -1, everybody sells, to 1, everybody buys. */
  bias(slot: number): number
  /** The price at which a quote is met on a side, where it is not the plain one of `printPrice`. */
  price?(quote: QuoteAtPrint, side: number, inside: boolean): number
}

const SECOND = 1000
const SEQUENCES = 2 ** 20

/** Gives the prints of a minute their sides, prices and numbers. `start`: when minute `minute` of the session begins. */
export function minuteTape(terms: TapeTerms, minute: number, start: Instant, prints: MinutePrints): MinuteTape {
  const { symbol, session, kind, quotes, price: priceOf = printPrice } = terms
  const events = eventsOf(prints)
  const kindNumber = 2 * securities.findIndex((security) => security.symbol === symbol) + (kind === 'stock' ? 1 : 0)
  const firstSequence = (kindNumber * MAX_MINUTES + minute) * SEQUENCES // unique among all symbols of a session
  const priced = (row: number) => {
    const { slot, time, draw } = prints
    const milliseconds = time[row] / MICROSECONDS_PER_MILLISECOND
    const second = start + milliseconds - (milliseconds % SECOND)
    const quote = quotes.quote(Math.round(second), slot[row])
    const side = drawnSide(sideDraw(draw[row]), terms.bias(slot[row]))
    return { quote, price: priceOf(quote, side, isInside(draw[row])) }
  }
  return {
    length: events.length,
    time: events.time,
    message(at) {
      const row = events.row[at]
      const { quote, price } = priced(row)
      const time = start + events.time[at] / MICROSECONDS_PER_MILLISECOND
      const contract = terms.contract(prints.slot[row])
      const size = prints.size[row]
      const exchange = drawnExchange(prints.draw[row])
      const sequence = firstSequence + events.place[row]
      if (events.cancel[at] === 1) return { cancel: { symbol, contract, time, price, size, exchange, sequence } }
      const flags = prints.flags[row]
      const { spot } = quotes
      return { print: { symbol, contract, time, price, size, exchange, sequence, session, flags, quote, spot } }
    }
  }
}

const MID_SHARE = 0.1

/** One print in ten has no side; of the others (1 + bias)/2 are bought. */
export function drawnSide(draw: number, bias: number): number {
  if (draw < MID_SHARE) return MID
  return (draw - MID_SHARE) / (1 - MID_SHARE) < (1 + bias) / 2 ? BUY : SELL
}

const UNITS = Math.round(1 / PRICE_UNIT)

/**
 * Buyers pay the ask, sellers get the bid, some a quarter of the spread better; who has no side meets in the middle. A
 * bid of 0 is no price: then all sellers get something better.
 */
export function printPrice({ bid, ask }: QuoteAtPrint, side: number, inside: boolean): number {
  const low = Math.round(UNITS * bid)
  const high = Math.round(UNITS * ask)
  if (side === MID) return (low + high) / 2 / UNITS
  const better = inside || (side === SELL && low === 0) ? (high - low) / 4 : 0
  return (side === BUY ? high - better : low + better) / UNITS
}

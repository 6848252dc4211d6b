import { BUY, MICROSECONDS_PER_MILLISECOND, MID, PRICE_UNIT, SELL } from '../../../market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import type { QuoteAtPrint, TapeMessage } from '../../port/prints/print-feed.ts'
import { securities } from '../securities/securities.ts'
import { drawnExchange, eventsOf, isInside, type MinutePrints, sideDraw } from './minute-prints.ts'
import { MAX_MINUTES } from './traded-minute.ts'

/** The prints of a symbol in one session, either of its options or of the stock itself. */
export interface SessionTape {
  /**
   * Generates the prints of minute number `at` of the session. `ahead` is how many minutes, including this one, will be
   * requested in a row.
   */
  minute(at: number, ahead: number): MinuteTape
}

/** The messages of one minute in order of time. Prices are computed when a message is read. */
export interface MinuteTape {
  readonly length: number
  /** Microseconds since the minute began, ascending. */
  readonly time: Int32Array
  message(at: number): TapeMessage
}

/** Quotes and spot at whole seconds, computed when they are requested. */
export interface SecondQuotes {
  quote(second: Instant, slot: number): QuoteAtPrint
  /** Middle of the underlying's quote at the last requested second, USD. */
  readonly spot: number
}

export interface TapeTerms {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly kind: 'option' | 'stock'
  readonly quotes: SecondQuotes
  /** OCC symbol of the contract at index `slot` of the chain; undefined for the stock. */
  contract(slot: number): string | undefined
  /** Buy or sell bias in a contract, from -1 (everybody sells) to 1 (everybody buys). */
  bias(slot: number): number
  /** Price of a trade on one side of a quote. If this function is absent, `printPrice` is used. */
  price?(quote: QuoteAtPrint, side: number, inside: boolean): number
}

const SECOND = 1000
const SEQUENCES = 2 ** 20

/**
 * Gives the prints of a minute their sides, prices and sequence numbers. `minute` is the number of the minute in its
 * session, and `start` the time at which it begins.
 */
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

/**
 * Decides the side of a print from a random number. One print in ten has no side. Of the others, the share (1 + bias) /
 * 2 is bought.
 */
export function drawnSide(draw: number, bias: number): number {
  if (draw < MID_SHARE) return MID
  return (draw - MID_SHARE) / (1 - MID_SHARE) < (1 + bias) / 2 ? BUY : SELL
}

const UNITS = Math.round(1 / PRICE_UNIT)

/**
 * Price of a print. Buyers pay the ask and sellers get the bid; some get a price that is better by a quarter of the
 * spread. A print without a side trades in the middle. If the bid is 0, which is not a price, all sellers get the
 * better price.
 */
export function printPrice({ bid, ask }: QuoteAtPrint, side: number, inside: boolean): number {
  const low = Math.round(UNITS * bid)
  const high = Math.round(UNITS * ask)
  if (side === MID) return (low + high) / 2 / UNITS
  const better = inside || (side === SELL && low === 0) ? (high - low) / 4 : 0
  return (side === BUY ? high - better : low + better) / UNITS
}

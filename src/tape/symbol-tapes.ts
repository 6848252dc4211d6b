import { decodeTape } from '../archive/codec/decode-tape.ts'
import type { StoredTape } from '../archive/store.ts'
import type { Cancel, Print, PrintQuote, TapeMessage } from '../connectors/port/prints.ts'
import { optionsClose, session } from '../market/calendar.ts'
import { CALL, PUT } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { parseOcc } from '../market/occ.ts'
import {
  ADJUSTED,
  CORRECTION,
  EXTENDED,
  LARGE_PRICE_UNIT,
  MICROSECONDS_PER_MILLISECOND,
  NO_PRICE,
  PRICE_UNIT,
  type TapeKind
} from '../market/print.ts'
import { securityKind, settlementOf } from '../market/security.ts'
import { tradeDate } from '../market/trade-date.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { QuoteBook } from './quote-book.ts'
import { Tape, type TapeRow } from './tape.ts'

/** How old a quote may be to judge a print by, milliseconds. */
const MAX_QUOTE_AGE = { option: 15 * MILLISECONDS_PER_MINUTE, stock: MILLISECONDS_PER_MINUTE } as const
/** How old the price of the underlying may be to be recorded with a print of its options, milliseconds. */
const MAX_SPOT_AGE = MILLISECONDS_PER_MINUTE
/** From this price on a tape is kept in whole cents, USD: its numbers end at 214,748. */
const LARGE_PRICE = 200_000

type SessionTapes = Readonly<Record<TapeKind, Tape>>

/** Notes of what a message was refused for, for the operator. */
export type RefusedMessage = 'unreadable_contract' | 'impossible_figures' | 'unmatched_cancel' | 'past_session'

export interface SymbolTapesOptions {
  readonly symbol: Ticker
  readonly onRefused?: (reason: RefusedMessage) => void
  /** A tape is about to drop rows. */
  readonly onFull?: (tape: Tape) => void
}

/** The tapes of one symbol: of the session that is served, and of the next one from its first print on. */
export class SymbolTapes {
  readonly symbol: Ticker
  readonly #onRefused: (reason: RefusedMessage) => void
  readonly #onFull: ((tape: Tape) => void) | undefined
  readonly #quotes = { option: new QuoteBook(), stock: new QuoteBook() }
  readonly #sessions = new Map<IsoDate, SessionTapes>()
  #image: PricedChain | undefined
  #spot: { readonly price: number; readonly time: Instant } | undefined

  constructor({ symbol, onRefused = () => {}, onFull }: SymbolTapesOptions) {
    this.symbol = symbol
    this.#onFull = onFull
    this.#onRefused = onRefused
  }

  /** The price of the underlying, for feeds that do not tell it with their prints. */
  noteSpot(price: number, time: Instant): void {
    if (this.#spot === undefined || time >= this.#spot.time) this.#spot = { price, time }
  }

  /**
   * The first chain of every minute is the image by whose greeks the day's prints after it are taken: the one that is
   * recorded too, so that the past can be told again.
   */
  noteImage(chain: PricedChain): void {
    const minuteOf = ({ asOf }: PricedChain) => Math.floor(asOf / MILLISECONDS_PER_MINUTE)
    if (this.#image !== undefined && minuteOf(chain) <= minuteOf(this.#image)) return
    this.#image = chain
    const tapes = this.#sessions.get(easternDate(chain.asOf))
    if (tapes !== undefined) tapes.option.setImage(chain)
  }

  /** Takes one message. `arrival`: when it came, less the delay of its feed; undefined: when it happened. */
  take(message: TapeMessage, arrival: Instant | undefined): void {
    if ('quote' in message) this.#quote(message.quote)
    else if ('print' in message) this.#print(message.print, arrival, 0)
    else this.#cancel(message.cancel, arrival)
  }

  /** The tape of a session, empty where nothing was printed in it. Tapes of sessions before it are dropped. */
  tape(kind: TapeKind, date: IsoDate): Tape {
    for (const held of this.#sessions.keys()) if (held < date) this.#sessions.delete(held)
    return this.#tapes(date)[kind]
  }

  /** Puts a tape of the archive back; nothing of that session has been taken yet. */
  restore(stored: StoredTape): Tape {
    const { kind, session: date, unit } = stored
    const { prints, series } = decodeTape(stored)
    const restored = new Tape(kind, date, unit, this.#onFull)
    restored.restore(prints, series)
    this.#giveImage(restored)
    this.#sessions.set(date, { ...this.#tapes(date), [kind]: restored })
    return restored
  }

  *all(): Generator<Tape> {
    for (const { option, stock } of this.#sessions.values()) yield* [option, stock]
  }

  #tapes(date: IsoDate): SessionTapes {
    let tapes = this.#sessions.get(date)
    if (tapes === undefined) {
      const unit = (this.#spot?.price ?? 0) > LARGE_PRICE ? LARGE_PRICE_UNIT : PRICE_UNIT
      tapes = {
        option: new Tape('option', date, unit, this.#onFull),
        stock: new Tape('stock', date, unit, this.#onFull)
      }
      this.#giveImage(tapes.option)
      this.#sessions.set(date, tapes)
    }
    return tapes
  }

  #giveImage(tape: Tape): void {
    const isOfTape =
      tape.kind === 'option' && this.#image !== undefined && easternDate(this.#image.asOf) === tape.session
    if (isOfTape) tape.setImage(this.#image!)
  }

  #quote({ contract, ...quote }: PrintQuote): void {
    this.#quotes[contract === undefined ? 'stock' : 'option'].set(contract, quote)
    if (contract === undefined && quote.ask > 0) this.noteSpot((quote.bid + quote.ask) / 2, quote.time)
  }

  #print(print: Print, arrival: Instant | undefined, more: number): void {
    const { time, price, size } = print
    if (!(time > 0 && price > 0 && size > 0 && Number.isInteger(size))) {
      this.#onRefused('impossible_figures')
      return
    }
    const row = this.#rowOf(print, arrival, more)
    if (row !== undefined) row.tape.append(row.row)
  }

  #cancel({ corrected, ...cancel }: Cancel, arrival: Instant | undefined): void {
    const found = this.#rowOf({ ...cancel, flags: 0, quote: undefined, spot: undefined }, arrival, 0)
    if (found === undefined) return
    if (!found.tape.cancel(found.row)) this.#onRefused('unmatched_cancel')
    if (corrected !== undefined) this.#print(corrected, arrival, CORRECTION)
  }

  /** A print in the units of its tape, and that tape. Undefined where it has none. */
  #rowOf(print: Print, arrival: Instant | undefined, more: number): { tape: Tape; row: TapeRow } | undefined {
    const { contract, time, price, size, sequence, exchange, flags } = print
    const kind = contract === undefined ? 'stock' : 'option'
    const date = print.session ?? tradeDate(time)
    const oldest = [...this.#sessions.keys()].sort()[0]
    if (oldest !== undefined && date < oldest) {
      this.#onRefused('past_session')
      return undefined
    }
    const tape = this.#tapes(date)[kind]
    const series = contract === undefined ? undefined : listedSeries(contract)
    if (contract !== undefined && series === undefined) {
      this.#onRefused('unreadable_contract')
      return undefined
    }
    const inUnits = (value: number) => Math.round(value / tape.unit)
    const { bid, ask } = this.#quoteBefore(kind, print)
    const spot = print.spot ?? this.#spotAt(time)
    const row: TapeRow = {
      known: Math.round(MICROSECONDS_PER_MILLISECOND * Math.max(time, arrival ?? time)),
      ts: Math.round(MICROSECONDS_PER_MILLISECOND * time),
      sequence,
      exchange,
      instrument: series === undefined ? 0 : tape.instrumentOf(series),
      price: inUnits(price),
      size,
      bid: bid === undefined ? NO_PRICE : inUnits(bid),
      ask: ask === undefined ? NO_PRICE : inUnits(ask),
      spot: spot === undefined ? NO_PRICE : inUnits(spot),
      flags: flags | more | (series?.adjusted ? ADJUSTED : 0) | (this.#isRegular(kind, date, time) ? 0 : EXTENDED)
    }
    return { tape, row }
  }

  /** The quote a print is judged by: one with two sides that do not cross, no older than it may be. */
  #quoteBefore(kind: TapeKind, { contract, time, quote: told }: Print): { bid?: number; ask?: number } {
    const quote = told ?? this.#quotes[kind].get(contract)
    if (quote === undefined || quote.time > time || time - quote.time > MAX_QUOTE_AGE[kind]) return {}
    const { bid, ask } = quote
    return ask > 0 && bid >= 0 && ask >= bid ? { bid, ask } : {}
  }

  #spotAt(time: Instant): number | undefined {
    const spot = this.#spot
    return spot !== undefined && Math.abs(time - spot.time) <= MAX_SPOT_AGE ? spot.price : undefined
  }

  #isRegular(kind: TapeKind, date: IsoDate, time: Instant): boolean {
    const regular = session(date)
    if (regular === undefined || time < regular.open) return false
    return time <= (kind === 'stock' ? regular.close : optionsClose(date, securityKind(this.symbol))!)
  }
}

const series = new Map<string, ReturnType<typeof readSeries>>()
const MAX_NAMES = 200_000

/** What an OCC symbol names; each is read once. */
function listedSeries(contract: string) {
  let known = series.get(contract)
  if (known === undefined && !series.has(contract)) {
    if (series.size >= MAX_NAMES) series.clear()
    series.set(contract, (known = readSeries(contract)))
  }
  return known
}

function readSeries(contract: string) {
  const occ = parseOcc(contract)
  if (occ === undefined) return undefined
  const { root, expiration: date, strike, right, adjusted } = occ
  return { root, date, strike, adjusted, right: right === 'call' ? CALL : PUT, settlement: settlementOf(root, date) }
}

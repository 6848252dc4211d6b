import { decodeTape } from '../archive/codec/decode-tape.ts'
import type { StoredTape } from '../archive/store.ts'
import type { Cancel, Print, PrintQuote, QuoteAtPrint, TapeMessage } from '../connectors/port/prints.ts'
import { MAX_QUOTE_AGE } from '../flow/side.ts'
import { optionsClose, session } from '../market/calendar.ts'
import { CALL, PUT } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { parseOcc } from '../market/occ.ts'
import {
  ADJUSTED,
  AFTER_GAP,
  CORRECTION,
  EXTENDED,
  LARGE_PRICE_UNIT,
  MICROSECONDS_PER_MILLISECOND,
  NO_PRICE,
  PRICE_UNIT,
  rowsKnownBy,
  slicePrints,
  type TapeKind,
  tapeKinds
} from '../market/print.ts'
import { securityKind, settlementOf } from '../market/security.ts'
import type { ListedSeries } from '../market/series.ts'
import { tradeDate } from '../market/trade-date.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { QuoteBook } from './quote-book.ts'
import { Tape, type TapeRow } from './tape.ts'
import { ToldAgain } from './told-again.ts'

/** How old the price of the underlying may be to be recorded with a print of its options, milliseconds. */
const MAX_SPOT_AGE = MILLISECONDS_PER_MINUTE
/** From this price on a tape is kept in whole cents, USD: in its usual unit the numbers end at 214,748. */
const LARGE_PRICE = 200_000
/** No column of a tape holds more. */
const MAX_COUNT = 2 ** 31 - 1
/** The clock of an exchange may be ahead of ours by so much, milliseconds. */
export const MAX_AHEAD = MILLISECONDS_PER_MINUTE

interface SessionTapes extends Readonly<Record<TapeKind, Tape>> {
  /** Regular trading by kind, undefined on a day without it. */
  readonly regular: Readonly<Record<TapeKind, { readonly open: Instant; readonly close: Instant }>> | undefined
}

/** Why a message was not used. */
export type RefusedMessage = 'unreadable_contract' | 'impossible_figures' | 'unmatched_cancel' | 'past_session'

export interface SymbolTapesOptions {
  readonly symbol: Ticker
  readonly onRefused?: (reason: RefusedMessage) => void
  /** A tape is about to drop rows. */
  readonly onFull?: (tape: Tape) => void
}

/** How messages are told: beside what is on the tapes already, or a second time from a moment on. */
export type Telling = ReadonlyMap<Tape, ToldAgain>

/** A message in the units of its tape. */
interface Placed {
  readonly tape: Tape
  readonly row: TapeRow
}

/** The tapes of one symbol: of the session that is served, and of the next one from its first print on. */
export class SymbolTapes {
  readonly symbol: Ticker
  readonly #onRefused: (reason: RefusedMessage) => void
  readonly #onFull: ((tape: Tape) => void) | undefined
  readonly #quotes = { option: new QuoteBook(), stock: new QuoteBook() }
  readonly #sessions = new Map<IsoDate, SessionTapes>()
  /** Kinds of which messages may be missing before the next print. */
  readonly #gaps = new Set<TapeKind>()
  #snapshot: PricedChain | undefined
  #spot: { readonly price: number; readonly time: Instant } | undefined

  constructor({ symbol, onRefused = () => {}, onFull }: SymbolTapesOptions) {
    this.symbol = symbol
    this.#onFull = onFull
    this.#onRefused = onRefused
  }

  /** The price of the underlying, for feeds that do not tell it with their prints. */
  noteSpot(price: number, time: Instant): void {
    if (price > 0 && time >= (this.#spot?.time ?? 0)) this.#spot = { price, time }
  }

  /** Messages are lost that came before the next one. */
  noteGap(): void {
    for (const kind of tapeKinds) this.#gaps.add(kind)
  }

  /**
   * The first chain of every minute is the snapshot by whose greeks the day's prints after it are taken: the one that is
   * recorded too, so that the past can be told again.
   */
  noteSnapshot(chain: PricedChain): void {
    const minuteOf = ({ asOf }: PricedChain) => Math.floor(asOf / MILLISECONDS_PER_MINUTE)
    if (this.#snapshot !== undefined && minuteOf(chain) <= minuteOf(this.#snapshot)) return
    this.#snapshot = chain
    const tapes = this.#sessions.get(easternDate(chain.asOf))
    if (tapes !== undefined) tapes.option.setSnapshot(chain)
  }

  /**
   * Takes one message. `arrival`: when it came, less the delay of its feed; undefined: when it happened. `telling`: the
   * messages from some moment on are told again, this one among them.
   */
  take(message: TapeMessage, arrival: Instant | undefined, telling?: Telling): void {
    if ('quote' in message) this.#quote(message.quote)
    else if ('print' in message) this.#print(message.print, arrival, telling)
    else this.#cancel(message.cancel, arrival, telling)
  }

  /** For messages that are told again, of each kind from a moment on. */
  telling(since: (kind: TapeKind) => Instant): Telling {
    return new Map([...this.all()].map((tape) => [tape, new ToldAgain(tape.held, since(tape.kind))]))
  }

  /** The tape of a session, empty where nothing was printed in it. */
  tape(kind: TapeKind, date: IsoDate): Tape {
    return this.#tapes(date)[kind]
  }

  /** Drops the tapes of sessions before a date. */
  dropBefore(date: IsoDate): void {
    for (const [held, { option, stock }] of this.#sessions) {
      if (held >= date) continue
      for (const tape of [option, stock]) this.#onFull?.(tape)
      this.#sessions.delete(held)
      for (const quotes of Object.values(this.#quotes)) quotes.clear()
    }
  }

  /** Puts the rows of a tape of the archive back that were known by a moment; nothing of it has been taken yet. */
  restore(stored: StoredTape, until: Instant): Tape {
    const { kind, session: date, unit } = stored
    const { prints, series, end } = decodeTape(stored)
    const rows = rowsKnownBy(prints, until)
    const restored = new Tape(kind, date, unit, this.#onFull)
    restored.restore(slicePrints(prints, 0, rows), series, rows === prints.length ? end : rows)
    this.#giveSnapshot(restored)
    this.#sessions.set(date, { ...this.#tapes(date), [kind]: restored })
    return restored
  }

  *all(): Generator<Tape> {
    for (const { option, stock } of this.#sessions.values()) yield* [option, stock]
  }

  #tapes(date: IsoDate): SessionTapes {
    let tapes = this.#sessions.get(date)
    if (tapes === undefined) {
      const [option, stock] = tapeKinds.map((kind) => new Tape(kind, date, PRICE_UNIT, this.#onFull))
      this.#giveSnapshot(option)
      this.#sessions.set(date, (tapes = { option, stock, regular: this.#regularOn(date) }))
    }
    return tapes
  }

  /** The tape that a price goes to. One without rows is begun again in whole cents where the price is large. */
  #tapeFor(kind: TapeKind, date: IsoDate, price: number): Tape {
    const tapes = this.#tapes(date)
    const tape = tapes[kind]
    if (price <= LARGE_PRICE || tape.position > 0 || tape.unit === LARGE_PRICE_UNIT) return tape
    const large = new Tape(kind, date, LARGE_PRICE_UNIT, this.#onFull)
    this.#giveSnapshot(large)
    this.#sessions.set(date, { ...tapes, [kind]: large })
    return large
  }

  #giveSnapshot(tape: Tape): void {
    const isOfTape =
      tape.kind === 'option' && this.#snapshot !== undefined && easternDate(this.#snapshot.asOf) === tape.session
    if (isOfTape) tape.setSnapshot(this.#snapshot!)
  }

  #quote({ contract, ...quote }: PrintQuote): void {
    this.#quotes[contract === undefined ? 'stock' : 'option'].set(contract, quote)
    const { bid, ask, time } = quote
    if (contract === undefined && bid > 0 && ask >= bid) this.noteSpot((bid + ask) / 2, time)
  }

  #print(print: Print, arrival: Instant | undefined, telling: Telling | undefined): void {
    const placed = this.#placed(print, arrival)
    if (placed === undefined) return
    const { tape, row } = placed
    if (row.sequence === undefined && telling?.get(tape)?.isNew(row, row.ts) === false) return
    const isAfterGap = this.#gaps.has(tape.kind)
    if (!tape.append(isAfterGap ? { ...row, flags: row.flags | AFTER_GAP } : row)) return
    if (isAfterGap) this.#gaps.delete(tape.kind)
  }

  /** A correction whose print is on the tape and cannot be taken back any more is dropped: it would count twice. */
  #cancel({ corrected, ...cancel }: Cancel, arrival: Instant | undefined, telling: Telling | undefined): void {
    const placed = this.#placed({ ...cancel, flags: 0, quote: undefined, spot: undefined }, arrival)
    if (placed === undefined) return
    const { tape, row } = placed
    if (row.sequence === undefined && telling?.get(tape)?.isNew(row, undefined) === false) return
    const outcome = tape.cancel(row)
    if (outcome === 'too_late' || outcome === 'unknown') this.#onRefused('unmatched_cancel')
    if (corrected === undefined || outcome === 'too_late' || outcome === 'repeated') return
    const right = this.#placed(corrected, arrival)
    right?.tape.correct({ ...right.row, flags: right.row.flags | CORRECTION })
  }

  /** A print or cancel in the units of its tape. Undefined where it has none or its figures cannot be; it is noted why. */
  #placed(print: Print, arrival: Instant | undefined): Placed | undefined {
    const { contract, time, price, size, sequence, exchange, flags } = print
    if (!isPossible(print) || time > (arrival ?? time) + MAX_AHEAD) return this.#refuse('impossible_figures')
    const kind = contract === undefined ? 'stock' : 'option'
    const date = print.session ?? tradeDate(time)
    const held = this.#sessions.get(date)?.option
    const named = contract === undefined ? 0 : held?.instrumentNamed(contract)
    if (named === undefined && readSeries(contract!) === undefined) return this.#refuse('unreadable_contract')
    if (this.#isPast(date)) return this.#refuse('past_session')
    const tape = this.#tapeFor(kind, date, price)
    const scale = Math.round(1 / tape.unit)
    const inUnits = (value: number) => Math.round(scale * value)
    if (inUnits(price) > MAX_COUNT) return this.#refuse('impossible_figures')
    const orNone = (value = Number.NaN) => (value >= 0 && inUnits(value) <= MAX_COUNT ? inUnits(value) : NO_PRICE)
    const quote = this.#quoteAt(kind, print)
    const { regular } = this.#tapes(date)
    const isNamed = named !== undefined && (kind === 'stock' || tape === held)
    const instrument = isNamed ? named : instrumentOn(tape, contract!)
    const row: TapeRow = {
      known: Math.round(MICROSECONDS_PER_MILLISECOND * Math.max(time, arrival ?? time)),
      ts: Math.round(MICROSECONDS_PER_MILLISECOND * time),
      sequence,
      exchange,
      instrument,
      price: inUnits(price),
      size,
      bid: orNone(quote?.bid),
      ask: orNone(quote?.ask),
      spot: orNone(print.spot ?? this.#spotAt(time)),
      flags: flags | (tape.isAdjusted(instrument) ? ADJUSTED : 0) | (isWithin(regular?.[kind], time) ? 0 : EXTENDED)
    }
    return { tape, row }
  }

  /** Whether tapes are kept of later sessions alone. */
  #isPast(date: IsoDate): boolean {
    for (const held of this.#sessions.keys()) if (held <= date) return false
    return this.#sessions.size > 0
  }

  #refuse(reason: RefusedMessage): undefined {
    this.#onRefused(reason)
  }

  /** The quote a print is judged by: one with two sides that do not cross, no older than it may be. */
  #quoteAt(kind: TapeKind, { contract, time, quote: told }: Print): QuoteAtPrint | undefined {
    const quote = told ?? this.#quotes[kind].at(contract, time)
    if (quote === undefined || !(quote.time <= time && time - quote.time <= MAX_QUOTE_AGE[kind])) return undefined
    const { bid, ask } = quote
    return ask > 0 && bid >= 0 && ask >= bid ? quote : undefined
  }

  #spotAt(time: Instant): number | undefined {
    const spot = this.#spot
    return spot !== undefined && Math.abs(time - spot.time) <= MAX_SPOT_AGE ? spot.price : undefined
  }

  #regularOn(date: IsoDate): SessionTapes['regular'] {
    const regular = session(date)
    if (regular === undefined) return undefined
    const { open, close } = regular
    return { stock: { open, close }, option: { open, close: optionsClose(date, securityKind(this.symbol))! } }
  }
}

/** Whether every figure of a print has a place on a tape. */
function isPossible({ time, price, size, sequence = 0, exchange }: Print): boolean {
  return (
    time > 0 &&
    time < Number.POSITIVE_INFINITY &&
    price > 0 &&
    Number.isInteger(size) &&
    size > 0 &&
    size <= MAX_COUNT &&
    Number.isSafeInteger(sequence) &&
    Number.isInteger(exchange) &&
    exchange >= 0 &&
    exchange <= 255
  )
}

const isWithin = (hours: { readonly open: Instant; readonly close: Instant } | undefined, time: Instant) =>
  hours !== undefined && time >= hours.open && time <= hours.close

/** The instrument that a readable OCC symbol names on a tape; it is read once. */
function instrumentOn(tape: Tape, contract: string): number {
  return tape.instrumentNamed(contract) ?? tape.nameInstrument(contract, readSeries(contract)!)
}

/** What an OCC symbol names. */
function readSeries(contract: string): ListedSeries | undefined {
  const occ = parseOcc(contract)
  if (occ === undefined) return undefined
  const { root, expiration: date, strike, right, adjusted } = occ
  return { root, date, strike, adjusted, right: right === 'call' ? CALL : PUT, settlement: settlementOf(root, date) }
}

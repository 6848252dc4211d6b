import { decodeTape } from '../archive/codec/decode-tape.ts'
import type { StoredTape } from '../archive/history-store.ts'
import type { Cancel, Print, PrintQuote, QuoteAtPrint, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import { MAX_QUOTE_AGE } from '../flow/sides/side.ts'
import { viewBytes } from '../flow/view-bytes.ts'
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
import { type ChainGreeks, chainGreeks } from './chain-greeks.ts'
import { type OverlapFilter, overlapFilter } from './overlap.ts'
import { QuoteBook } from './quote-book.ts'
import { type PlacedPrint, Tape, type TapeOptions } from './tape.ts'

/**
 * An option print is recorded with the price of the underlying only if that price is younger than this. Milliseconds.
 */
const MAX_SPOT_AGE = MILLISECONDS_PER_MINUTE
/** A tape with prices above this, USD, stores whole cents. In the usual, smaller unit an Int32 ends at 214,748 USD. */
const LARGE_PRICE = 200_000
const MAX_COUNT = 2 ** 31 - 1
/** An exchange's clock may be this far ahead of ours, milliseconds. Prints dated later are refused. */
export const MAX_CLOCK_AHEAD = MILLISECONDS_PER_MINUTE

interface SessionTapes extends Readonly<Record<TapeKind, Tape>> {
  /** Regular trading hours by kind; undefined on a day without a session. */
  readonly regular: Readonly<Record<TapeKind, { readonly open: Instant; readonly close: Instant }>> | undefined
}

export type RefusedMessage = 'unreadable_contract' | 'impossible_figures' | 'unmatched_cancel' | 'past_session'

export interface SymbolTapesOptions extends TapeOptions {
  readonly symbol: Ticker
  readonly onRefused?: (reason: RefusedMessage) => void
}

/**
 * For each tape, the filter that finds the rows it lacks, while the feed's history is read over a period that the tape
 * already covers.
 */
export type Overlap = ReadonlyMap<Tape, OverlapFilter>

/** A print or cancel in the units of its tape's columns. */
interface PlacedRow {
  readonly tape: Tape
  readonly row: PlacedPrint
}

/**
 * Turns the messages of one symbol into rows and appends each to the tape of its session and kind. Holds the tapes of
 * the current session and, once the next session has a print, the tapes of that session.
 */
export class SymbolTapes {
  readonly symbol: Ticker
  readonly #onRefused: (reason: RefusedMessage) => void
  readonly #options: TapeOptions
  readonly #quotes = { option: new QuoteBook(), stock: new QuoteBook() }
  readonly #sessions = new Map<IsoDate, SessionTapes>()
  /** Kinds of tape (option, stock) whose next print gets the flag `AFTER_GAP`. */
  readonly #gaps = new Set<TapeKind>()
  #snapshot: ChainGreeks | undefined
  #spot: { readonly price: number; readonly time: Instant } | undefined

  constructor({ symbol, onRefused = () => {}, ...options }: SymbolTapesOptions) {
    this.symbol = symbol
    this.#options = options
    this.#onRefused = onRefused
  }

  /** Stores the price of the underlying, for feeds whose option prints come without it. */
  noteSpot(price: number, time: Instant): void {
    if (price > 0 && time >= (this.#spot?.time ?? 0)) this.#spot = { price, time }
  }

  /** Whether options of the symbol expire on the day of its newest chain. */
  get expiresToday(): boolean {
    const snapshot = this.#snapshot
    return snapshot?.expirations.some(({ date }) => date === easternDate(snapshot.asOf)) === true
  }

  get bytes(): number {
    let bytes = viewBytes(this.#snapshot)
    for (const tape of this.all()) bytes += tape.bytes
    return bytes
  }

  /** Flags the next print of each kind with `AFTER_GAP`, because messages before it were lost. */
  noteGap(): void {
    for (const kind of tapeKinds) this.#gaps.add(kind)
  }

  /**
   * Stores a chain whose greeks apply to the prints after it. Only the first chain of each minute counts: the archive
   * records only that one, so a replay gets the same greeks.
   */
  noteSnapshot(chain: PricedChain): void {
    const minuteOf = ({ asOf }: Pick<PricedChain, 'asOf'>) => Math.floor(asOf / MILLISECONDS_PER_MINUTE)
    if (this.#snapshot !== undefined && minuteOf(chain) <= minuteOf(this.#snapshot)) return
    this.#snapshot = chainGreeks(chain)
    const tapes = this.#sessions.get(easternDate(chain.asOf))
    if (tapes !== undefined) tapes.option.setSnapshot(this.#snapshot)
  }

  /**
   * Processes one message. `arrival` is the time at which it came, minus the delay of its feed. It is undefined for a
   * message of the feed's history, which counts as known at its own time. Pass `overlap` while the tapes may already
   * have the message.
   */
  take(message: TapeMessage, arrival: Instant | undefined, overlap?: Overlap): void {
    if ('quote' in message) this.#quote(message.quote)
    else if ('print' in message) this.#print(message.print, arrival, overlap)
    else this.#cancel(message.cancel, arrival, overlap)
  }

  /** Creates the overlap filters for a read of the feed's history, which begins at `since` for each kind of tape. */
  overlap(since: (kind: TapeKind) => Instant): Overlap {
    return new Map([...this.all()].map((tape) => [tape, overlapFilter(tape.held, since(tape.kind))]))
  }

  /** Tape of a session; empty before its first print. */
  tape(kind: TapeKind, date: IsoDate): Tape {
    return this.#tapes(date)[kind]
  }

  dropBefore(date: IsoDate): void {
    for (const [held, { option, stock }] of this.#sessions) {
      if (held >= date) continue
      for (const tape of [option, stock]) this.#options.onFull?.(tape)
      this.#sessions.delete(held)
      for (const quotes of Object.values(this.#quotes)) quotes.clear()
    }
  }

  /**
   * Restores the rows of an archived tape that were known by `until`, a step for each turn of the generator. At the end
   * it replaces the symbol's tape of that session and kind, which must be empty, and is returned.
   */
  *restore(stored: StoredTape, until: Instant): Generator<undefined, Tape> {
    const { kind, session: date, unit } = stored
    const { prints, series, end } = decodeTape(stored)
    const rows = rowsKnownBy(prints, until)
    const restored = new Tape(kind, date, unit, this.#options)
    yield
    yield* restored.restore(slicePrints(prints, 0, rows), series, rows === prints.length ? end : rows)
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
      const [option, stock] = tapeKinds.map((kind) => new Tape(kind, date, PRICE_UNIT, this.#options))
      this.#giveSnapshot(option)
      this.#sessions.set(date, (tapes = { option, stock, regular: this.#regularOn(date) }))
    }
    return tapes
  }

  /**
   * Tape for a print with this price, USD. For a large price an empty tape is replaced by one that stores whole cents.
   */
  #tapeFor(kind: TapeKind, date: IsoDate, price: number): Tape {
    const tapes = this.#tapes(date)
    const tape = tapes[kind]
    if (price <= LARGE_PRICE || tape.position > 0 || tape.unit === LARGE_PRICE_UNIT) return tape
    const large = new Tape(kind, date, LARGE_PRICE_UNIT, this.#options)
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

  #print(print: Print, arrival: Instant | undefined, overlap: Overlap | undefined): void {
    const placed = this.#placed(print, arrival)
    if (placed === undefined) return
    const { tape, row } = placed
    if (row.sequence === undefined && overlap?.get(tape)?.(row, row.ts) === false) return
    const isAfterGap = this.#gaps.has(tape.kind)
    if (!tape.append(isAfterGap ? { ...row, flags: row.flags | AFTER_GAP } : row)) return
    if (isAfterGap) this.#gaps.delete(tape.kind)
  }

  /**
   * Appends a cancel and the corrected print, if any. The correction is dropped if its print can no longer be
   * cancelled: the trade would count twice.
   */
  #cancel({ corrected, ...cancel }: Cancel, arrival: Instant | undefined, overlap: Overlap | undefined): void {
    const placed = this.#placed({ ...cancel, flags: 0, quote: undefined, spot: undefined }, arrival)
    if (placed === undefined) return
    const { tape, row } = placed
    if (row.sequence === undefined && overlap?.get(tape)?.(row, undefined) === false) return
    const result = tape.cancel(row)
    if (result === 'too_late' || result === 'unknown') this.#onRefused('unmatched_cancel')
    if (corrected === undefined || result === 'too_late' || result === 'repeated') return
    const correction = this.#placed(corrected, arrival)
    correction?.tape.correct({ ...correction.row, flags: correction.row.flags | CORRECTION })
  }

  /**
   * Converts a print or cancel to a row of its tape. If that is impossible, reports the reason and returns undefined.
   */
  #placed(print: Print, arrival: Instant | undefined): PlacedRow | undefined {
    const { contract, time, price, size, sequence, exchange, flags } = print
    if (!isPossible(print) || time > (arrival ?? time) + MAX_CLOCK_AHEAD) return this.#refuse('impossible_figures')
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
    const row: PlacedPrint = {
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

  #isPast(date: IsoDate): boolean {
    for (const held of this.#sessions.keys()) if (held <= date) return false
    return this.#sessions.size > 0
  }

  #refuse(reason: RefusedMessage): undefined {
    this.#onRefused(reason)
  }

  /** Quote that decides the side of a print; undefined if the quote is too old, one-sided or crossed. */
  #quoteAt(kind: TapeKind, { contract, time, quote: given }: Print): QuoteAtPrint | undefined {
    const quote = given ?? this.#quotes[kind].at(contract, time)
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

/** Whether a tape's columns can hold every field of a print. */
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

/** Instrument number of a valid OCC symbol on a tape. Each symbol is parsed only once per tape. */
function instrumentOn(tape: Tape, contract: string): number {
  return tape.instrumentNamed(contract) ?? tape.nameInstrument(contract, readSeries(contract)!)
}

/** Series of an OCC symbol; undefined if the symbol is invalid. */
function readSeries(contract: string): ListedSeries | undefined {
  const occ = parseOcc(contract)
  if (occ === undefined) return undefined
  const { root, expiration: date, strike, right, adjusted } = occ
  return { root, date, strike, adjusted, right: right === 'call' ? CALL : PUT, settlement: settlementOf(root, date) }
}

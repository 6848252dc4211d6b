import { decodeTape } from '../archive/codec/decode-tape.ts'
import type { StoredTape } from '../archive/history-store.ts'
import type { Cancel, Print, PrintQuote, QuoteAtPrint, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import { MAX_QUOTE_AGE } from '../flow/sides/side.ts'
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
import { type OverlapFilter, overlapFilter } from './overlap.ts'
import { QuoteBook } from './quote-book.ts'
import { type PlacedPrint, Tape } from './tape.ts'

/** Maximum age of the underlying's price that an option print is recorded with, milliseconds. */
const MAX_SPOT_AGE = MILLISECONDS_PER_MINUTE
/** Above this price, USD, a tape uses whole cents: in its usual unit an Int32 ends at 214,748 USD. */
const LARGE_PRICE = 200_000
/** The largest number in an Int32 column. */
const MAX_COUNT = 2 ** 31 - 1
/** The clock of an exchange may be this far ahead of ours, milliseconds. */
export const MAX_CLOCK_AHEAD = MILLISECONDS_PER_MINUTE

interface SessionTapes extends Readonly<Record<TapeKind, Tape>> {
  /** Regular trading hours by kind; undefined on a day without a session. */
  readonly regular: Readonly<Record<TapeKind, { readonly open: Instant; readonly close: Instant }>> | undefined
}

/** Why a message was not used. */
export type RefusedMessage = 'unreadable_contract' | 'impossible_figures' | 'unmatched_cancel' | 'past_session'

export interface SymbolTapesOptions {
  readonly symbol: Ticker
  readonly onRefused?: (reason: RefusedMessage) => void
  /** Called before a tape drops rows. */
  readonly onFull?: (tape: Tape) => void
}

/** Filters by tape, for a stretch of the past that overlaps the tapes. */
export type Overlap = ReadonlyMap<Tape, OverlapFilter>

/** A print or cancel in the units of its tape. */
interface PlacedRow {
  readonly tape: Tape
  readonly row: PlacedPrint
}

/**
 * The intake of one symbol: turns the messages of a feed or file into rows and puts each on the tape of its session and kind.
 * There are tapes of the session that is served, and of the next one from its first print on.
 */
export class SymbolTapes {
  readonly symbol: Ticker
  readonly #onRefused: (reason: RefusedMessage) => void
  readonly #onFull: ((tape: Tape) => void) | undefined
  readonly #quotes = { option: new QuoteBook(), stock: new QuoteBook() }
  readonly #sessions = new Map<IsoDate, SessionTapes>()
  /** Kinds whose next print follows a gap. */
  readonly #gaps = new Set<TapeKind>()
  #snapshot: PricedChain | undefined
  #spot: { readonly price: number; readonly time: Instant } | undefined

  constructor({ symbol, onRefused = () => {}, onFull }: SymbolTapesOptions) {
    this.symbol = symbol
    this.#onFull = onFull
    this.#onRefused = onRefused
  }

  /** Notes the price of the underlying, for feeds whose prints come without it. */
  noteSpot(price: number, time: Instant): void {
    if (price > 0 && time >= (this.#spot?.time ?? 0)) this.#spot = { price, time }
  }

  /** Flags the next print of each kind: messages before it are lost. */
  noteGap(): void {
    for (const kind of tapeKinds) this.#gaps.add(kind)
  }

  /**
   * Takes a chain whose greeks hold for the prints after it. Only the first of each minute counts: the archive records that
   * one, so a replay gets the same greeks.
   */
  noteSnapshot(chain: PricedChain): void {
    const minuteOf = ({ asOf }: PricedChain) => Math.floor(asOf / MILLISECONDS_PER_MINUTE)
    if (this.#snapshot !== undefined && minuteOf(chain) <= minuteOf(this.#snapshot)) return
    this.#snapshot = chain
    const tapes = this.#sessions.get(easternDate(chain.asOf))
    if (tapes !== undefined) tapes.option.setSnapshot(chain)
  }

  /**
   * Takes one message. `arrival` is when it came, less the delay of its feed; undefined for a message of the past, which
   * counts as known at its own time. `overlap` is given while messages may be on the tapes already.
   */
  take(message: TapeMessage, arrival: Instant | undefined, overlap?: Overlap): void {
    if ('quote' in message) this.#quote(message.quote)
    else if ('print' in message) this.#print(message.print, arrival, overlap)
    else this.#cancel(message.cancel, arrival, overlap)
  }

  /** Prepares for a stretch of the past that begins at `since`, by kind. */
  overlap(since: (kind: TapeKind) => Instant): Overlap {
    return new Map([...this.all()].map((tape) => [tape, overlapFilter(tape.held, since(tape.kind))]))
  }

  /** The tape of a session; empty before its first print. */
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

  /** Restores the rows of an archived tape that were known by `until`. Its tape must be empty. */
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

  /** The tape for a print of this price. An empty tape is replaced by one in whole cents if the price is large. */
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

  #print(print: Print, arrival: Instant | undefined, overlap: Overlap | undefined): void {
    const placed = this.#placed(print, arrival)
    if (placed === undefined) return
    const { tape, row } = placed
    if (row.sequence === undefined && overlap?.get(tape)?.(row, row.ts) === false) return
    const isAfterGap = this.#gaps.has(tape.kind)
    if (!tape.append(isAfterGap ? { ...row, flags: row.flags | AFTER_GAP } : row)) return
    if (isAfterGap) this.#gaps.delete(tape.kind)
  }

  /** Drops a correction whose print can no longer be cancelled: the print would count twice. */
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

  /** Finds the tape of a print or cancel and converts its figures. Reports why and returns undefined if that is impossible. */
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

  /** Whether a session is older than all sessions on the tapes. */
  #isPast(date: IsoDate): boolean {
    for (const held of this.#sessions.keys()) if (held <= date) return false
    return this.#sessions.size > 0
  }

  #refuse(reason: RefusedMessage): undefined {
    this.#onRefused(reason)
  }

  /** The quote that decides the side of a print: two sides that do not cross, and not too old. */
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

/** Whether the columns of a tape can hold every figure of a print. */
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

/** The instrument of a readable OCC symbol on a tape; each symbol is parsed once. */
function instrumentOn(tape: Tape, contract: string): number {
  return tape.instrumentNamed(contract) ?? tape.nameInstrument(contract, readSeries(contract)!)
}

/** The series that an OCC symbol names; undefined if it is unreadable. */
function readSeries(contract: string): ListedSeries | undefined {
  const occ = parseOcc(contract)
  if (occ === undefined) return undefined
  const { root, expiration: date, strike, right, adjusted } = occ
  return { root, date, strike, adjusted, right: right === 'call' ? CALL : PUT, settlement: settlementOf(root, date) }
}

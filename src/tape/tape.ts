import type { TapeGreeks } from '../flow/fold.ts'
import { beginFolds, type FoldedView, foldNames, type SessionFolds, stepFolds, viewOf } from '../flow/folds.ts'
import { Judge } from '../flow/judge.ts'
import { headerOf, type Moment } from '../flow/moment.ts'
import { isSamePrint, rowsNear } from '../flow/near-cancel.ts'
import type { PrintWindow, TapeHeader, ViewName, Views } from '../flow/views.ts'
import { NEWEST_PRINTS } from '../flow/windows.ts'
import {
  CANCEL,
  copyPrints,
  emptyPrints,
  MICROSECONDS_PER_MILLISECOND,
  OUT_OF_SEQUENCE,
  type PrintColumns,
  type Prints,
  rowsKnownBy,
  slicePrints,
  type TapeKind
} from '../market/print.ts'
import { type ListedSeries, listedSeries, type Series, SeriesList, stockSeries } from '../market/series.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte.ts'
import { grownLength } from '../memory/grown-length.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { Duplicates, REACH } from './duplicates.ts'
import { type FlowSnapshot, snapshotGreeks } from './snapshot-greeks.ts'

/** A print or a cancel on its way to the tape, in the units of the columns. */
export interface TapeRow {
  readonly known: number
  readonly ts: number
  /** Undefined: its feed numbers no prints. */
  readonly sequence: number | undefined
  readonly exchange: number
  readonly instrument: number
  readonly price: number
  readonly size: number
  readonly bid: number
  readonly ask: number
  readonly spot: number
  readonly flags: number
  /** Where its side is known already; undefined: it is judged by its quote and by ticks. */
  readonly judged?: number
}

const FIRST_CAPACITY = 256
/** Prints that are held, however old: those that are shown, and some that cancels bring back among them. */
const HELD_PRINTS = NEWEST_PRINTS + 1000
/** For so long a cancel finds its print and all that lies around it, microseconds. */
const HELD_FOR = 5 * MILLISECONDS_PER_MINUTE * MICROSECONDS_PER_MILLISECOND
/** A print this much older than the newest of its series is out of sequence, microseconds. */
const OUT_OF_ORDER = 500 * MICROSECONDS_PER_MILLISECOND
/** A group may be closed by time alone for so long after the newest print, milliseconds. */
const GROUPS_CLOSE_WITHIN = 2000

/** The newest prints are rows that are held anyway: nothing is folded for them. */
const folded = foldNames.filter((name) => name !== 'newestPrints')

/** Rows `from` to `to` of some columns. */
export interface Rows {
  readonly prints: PrintColumns
  readonly from: number
  readonly to: number
}

/** What a cancel came to. */
export type Cancelled =
  /** The print is taken back. */
  | 'taken'
  /** It was taken back before. */
  | 'repeated'
  /** The print is on the tape and not held any more: it stays. */
  | 'too_late'
  /** The print never came. */
  | 'unknown'

/** The version of the view that was made last. It goes on from the clock: a thread in the place of another repeats none. */
let lastVersion = Math.round(MICROSECONDS_PER_MILLISECOND * (performance.timeOrigin + performance.now()))

/**
 * The prints of one symbol in one session and what is folded of them. Only the newest rows are held; whatever answers
 * read of the others is in the folds.
 */
export class Tape {
  readonly kind: TapeKind
  readonly session: IsoDate
  /** USD per unit of its prices. */
  readonly unit: number
  readonly #onFull: (tape: Tape) => void
  readonly #series: SeriesList | undefined
  /** Instruments by the OCC symbols that prints name them by. */
  readonly #named = new Map<string, number>()
  readonly #duplicates = new Duplicates()
  readonly #cancelled = new Duplicates()
  readonly #judge: Judge
  readonly #folds: SessionFolds
  /** The newest time of each series. */
  readonly #newest: number[] = []
  readonly #views = new Map<ViewName, HeldView>()
  #rows: Prints = emptyPrints(FIRST_CAPACITY)
  #length = 0
  #folded = 0
  /** Rows that a cancel has taken back. */
  #gone = new Uint8Array(FIRST_CAPACITY)
  #known = 0
  #snapshot: FlowSnapshot | undefined
  #greeks: TapeGreeks | undefined
  /** Rows so far. */
  position = 0

  /** `onFull` is called before rows are dropped, for the recorder to read them. */
  constructor(kind: TapeKind, session: IsoDate, unit: number, onFull: (tape: Tape) => void = () => {}) {
    this.#onFull = onFull
    this.kind = kind
    this.session = session
    this.unit = unit
    this.#series = kind === 'stock' ? undefined : new SeriesList()
    this.#judge = new Judge(kind)
    this.#folds = beginFolds({ kind, session, unit }, folded)
  }

  /** When the newest row became known, milliseconds. */
  get known(): Instant | undefined {
    return this.position === 0 ? undefined : this.#known / MICROSECONDS_PER_MILLISECOND
  }

  get series() {
    return this.#series?.columns ?? stockSeries
  }

  instrumentOf(series: ListedSeries): number {
    return this.#series!.numberOf(series)
  }

  /** The instrument of an OCC symbol; undefined until it was given one. */
  instrumentNamed(contract: string): number | undefined {
    return this.#named.get(contract)
  }

  /** Gives an OCC symbol its instrument. */
  nameInstrument(contract: string, series: ListedSeries): number {
    const instrument = this.instrumentOf(series)
    this.#named.set(contract, instrument)
    return instrument
  }

  isAdjusted(instrument: number): boolean {
    return this.#series?.isAdjusted(instrument) === true
  }

  /** Appends a print, unless one of its number is there already. */
  append(row: TapeRow): boolean {
    const known = Math.max(this.#known, row.known)
    if (row.sequence !== undefined && !this.#duplicates.isNew(row.exchange, row.sequence, known)) return false
    this.#append(row, known)
    return true
  }

  /**
   * Takes a print back: by its number, once however often its feed says so; else the newest of the same series, price and
   * size.
   */
  cancel(named: Omit<TapeRow, 'ts' | 'flags' | 'bid' | 'ask' | 'spot'>): Cancelled {
    const { exchange, sequence } = named
    if (sequence !== undefined && this.#cancelled.has(exchange, sequence)) return 'repeated'
    const at = this.#makeRoom()
    const taken = this.#find(named)
    if (taken === undefined) {
      return sequence !== undefined && this.#duplicates.has(exchange, sequence) ? 'too_late' : 'unknown'
    }
    const known = Math.max(this.#known, named.known)
    if (sequence !== undefined) this.#cancelled.isNew(exchange, sequence, known)
    copyPrints(this.#rows, taken, taken + 1, this.#rows, at)
    this.#rows.known[at] = known
    this.#rows.flags[at] |= CANCEL
    this.#gone[taken] = 1
    this.#gone[at] = 1
    this.#advance(known)
    return 'taken'
  }

  /** Appends the print that stands for one that was taken back, by whose number it may go. */
  correct(row: TapeRow): void {
    const known = Math.max(this.#known, row.known)
    if (row.sequence !== undefined) this.#duplicates.isNew(row.exchange, row.sequence, known)
    this.#append(row, known)
  }

  /**
   * Puts rows of the archive back, judged as they were; nothing has been appended yet. `end`: the position that follows
   * them, more than their number where the archive has lost some.
   */
  restore(prints: Prints, series: Series, end = prints.length): void {
    const { length, flags, instrument, ts, known, sequence, exchange } = prints
    if (length === 0) return
    for (let k = 0; k < series.length && this.#series !== undefined; k++) this.#series.numberOf(listedSeries(series, k))
    const newest = known[length - 1]
    const lately = rowsKnownBy(prints, (newest - REACH) / MICROSECONDS_PER_MILLISECOND)
    for (let at = 0; at < length; at++) {
      const isCancel = (flags[at] & CANCEL) !== 0
      if (!isCancel) this.#judge.note(prints, at)
      this.#newest[instrument[at]] = Math.max(this.#newest[instrument[at]] ?? 0, ts[at])
      if (at >= lately) (isCancel ? this.#cancelled : this.#duplicates).isNew(exchange[at], sequence[at], known[at])
    }
    const tape = { prints, series: this.series, greeks: undefined }
    stepFolds(this.#folds, tape, 0, length, (at, of) => rowsNear(prints, this.series, at, of))
    const from = notHeld(prints, length, newest)
    this.#rows = slicePrints(prints, from, length)
    this.#gone = new Uint8Array(length - from)
    this.#length = length - from
    this.#folded = this.#length
    for (let at = 0; at < this.#length; at++) if ((this.#rows.flags[at] & CANCEL) !== 0) this.#noteGone(at)
    this.#known = newest
    this.position = end
  }

  /** The rows that are held. */
  get held(): Rows {
    return { prints: this.#rows, from: 0, to: this.#length }
  }

  /** Those from a position on. */
  rowsFrom(position: number): Rows {
    return { prints: this.#rows, from: this.#length - (this.position - position), to: this.#length }
  }

  /** Takes a chain whose greeks hold for what is appended from now on. */
  setSnapshot(chain: PricedChain): void {
    this.#fold()
    this.#snapshot = { chain, since: Math.max(this.#known, chain.asOf * MICROSECONDS_PER_MILLISECOND) }
    this.#greeks = undefined
  }

  /** What the tape shows at `now`: the same object for as long as nothing has changed. */
  view<Name extends FoldedView>(name: Name, moment: ViewMoment): Views[Name] | undefined {
    this.#fold()
    const held = this.#views.get(name)
    const { now, silent } = moment
    if (held !== undefined && held.position === this.position && held.silent === silent) {
      if (held.now === now || !this.#changesWithTime(name, held.now, now)) return held.view as Views[Name]
    }
    const { kind, session, unit, known } = this
    const version = ++lastVersion
    const its = { ...moment, kind, session, unit, known, version, series: this.series }
    const view = name === 'prints' ? this.#newestPrints(its) : viewOf(this.#folds, name, its)
    this.#views.set(name, { view, position: this.position, now, silent })
    return view as Views[Name] | undefined
  }

  /** The same as the fold `newestPrints` shows. */
  #newestPrints(moment: Moment): PrintWindow {
    const gone = this.#gone
    let from = this.#length
    let count = 0
    while (from > 0 && count < NEWEST_PRINTS) if (gone[--from] === 0) count++
    const prints = emptyPrints(count)
    for (let at = 0; from < this.#length; ) {
      const next = gone.indexOf(1, from)
      const end = next === -1 ? this.#length : Math.min(next, this.#length)
      copyPrints(this.#rows, from, end, prints, at)
      at += end - from
      from = end + 1
    }
    return { ...headerOf(moment), series: moment.series, prints }
  }

  #append(row: TapeRow, known: number): void {
    const newest = this.#newest[row.instrument] ?? 0
    this.#newest[row.instrument] = Math.max(newest, row.ts)
    const at = this.#makeRoom()
    const rows = this.#rows
    rows.known[at] = known
    rows.ts[at] = row.ts
    rows.sequence[at] = row.sequence ?? this.position
    rows.instrument[at] = row.instrument
    rows.price[at] = row.price
    rows.size[at] = row.size
    rows.bid[at] = row.bid
    rows.ask[at] = row.ask
    rows.spot[at] = row.spot
    rows.flags[at] = row.ts < newest - OUT_OF_ORDER ? row.flags | OUT_OF_SEQUENCE : row.flags
    rows.exchange[at] = row.exchange
    rows.judged[at] = row.judged ?? this.#judge.judge(rows, at)
    this.#gone[at] = 0
    this.#advance(known)
  }

  /** Whether a view may change though nothing is printed: groups are closed by time, hedge flow is told by whole bars. */
  #changesWithTime(name: FoldedView, then: Instant, now: Instant): boolean {
    if (name === 'hedge') return Math.floor(now / SAMPLE_STEP) !== Math.floor(then / SAMPLE_STEP)
    return name === 'groups' && this.known !== undefined && then - this.known < GROUPS_CLOSE_WITHIN
  }

  /** The row that the next print is written to. The oldest rows make room where there are many. */
  #makeRoom(): number {
    const capacity = this.#rows.length
    if (this.#length < capacity) return this.#length
    const old = notHeld(this.#rows, this.#length, this.#known)
    if (grownLength(capacity - old) > capacity) this.#resize(grownLength(capacity), 0)
    else {
      this.#fold()
      this.#onFull(this)
      this.#resize(grownLength(capacity - old), old)
    }
    return this.#length
  }

  /** Rows from `from` on in columns of another length. */
  #resize(capacity: number, from: number): void {
    const rows = emptyPrints(capacity)
    copyPrints(this.#rows, from, this.#length, rows, 0)
    const gone = new Uint8Array(capacity)
    gone.set(this.#gone.subarray(from, this.#length))
    this.#rows = rows
    this.#gone = gone
    this.#length -= from
    this.#folded = Math.max(0, this.#folded - from)
  }

  #advance(known: number): void {
    this.#length++
    this.position++
    this.#known = known
  }

  #find({
    sequence,
    exchange,
    instrument,
    price,
    size
  }: Pick<TapeRow, 'sequence' | 'exchange' | 'instrument' | 'price' | 'size'>): number | undefined {
    const rows = this.#rows
    for (let at = this.#length - 1; at >= 0; at--) {
      if (this.#gone[at] === 1) continue
      const isIt =
        sequence === undefined
          ? rows.instrument[at] === instrument && rows.price[at] === price && rows.size[at] === size
          : rows.sequence[at] === sequence && rows.exchange[at] === exchange
      if (isIt) return at
    }
    return undefined
  }

  /** Marks the cancel in row `at` and the print that it took back. */
  #noteGone(at: number): void {
    this.#gone[at] = 1
    for (let k = at - 1; k >= 0; k--) {
      if (this.#gone[k] === 1 || !isSamePrint(this.#rows, k, this.#rows, at)) continue
      this.#gone[k] = 1
      return
    }
  }

  #fold(): void {
    if (this.#folded === this.#length) return
    const tape = { prints: this.#rows, series: this.series, greeks: this.#greeksOf(this.series) }
    stepFolds(this.#folds, tape, this.#folded, this.#length, (at, of) => rowsNear(this.#rows, this.series, at, of))
    this.#folded = this.#length
  }

  /** The greeks of the newest snapshot, for the series so far. */
  #greeksOf(series: Series): TapeGreeks | undefined {
    if (this.#snapshot !== undefined && this.#greeks?.delta.length !== series.length)
      this.#greeks = snapshotGreeks(this.#snapshot, series, this.session)
    return this.#greeks
  }
}

/** How many of the first `length` rows, of which the newest became known at `newest`, are not held any more. */
function notHeld({ known, flags }: PrintColumns, length: number, newest: number): number {
  let row = length
  // A cancel takes a print from those that stand.
  for (let standing = 0; row > 0 && standing < HELD_PRINTS; ) standing += (flags[--row] & CANCEL) === 0 ? 1 : -1
  while (row > 0 && known[row - 1] >= newest - HELD_FOR) row--
  return row
}

/** What a view says beside what was folded. */
export type ViewMoment = Pick<TapeHeader, 'symbol' | 'source' | 'silent'> & {
  readonly now: Instant
  /** The share of classified volume that changes positions. */
  readonly confidence: number
}

interface HeldView {
  readonly view: unknown
  readonly position: number
  readonly now: Instant
  readonly silent: boolean
}

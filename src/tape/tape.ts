import type { TapeGreeks } from '../flow/fold.ts'
import { beginFolds, type FoldedView, type SessionFolds, stepFolds, viewOf } from '../flow/folds.ts'
import { Judge } from '../flow/judge.ts'
import { isSamePrint, nearCancel, standing } from '../flow/near-cancel.ts'
import type { TapeHeader, ViewName, Views } from '../flow/views.ts'
import {
  CANCEL,
  copyPrints,
  emptyPrints,
  MICROSECONDS_PER_MILLISECOND,
  OUT_OF_SEQUENCE,
  type PrintColumns,
  type Prints,
  printColumns,
  type TapeKind
} from '../market/print.ts'
import { type ListedSeries, listedSeries, type Series, SeriesList, stockSeries } from '../market/series.ts'
import type { Instant, IsoDate } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { Duplicates } from './duplicates.ts'
import { type FlowImage, imageGreeks } from './image-greeks.ts'

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
}

const FIRST_CAPACITY = 256
/** Rows that are held for cancels to be found in; some two minutes of the busiest symbol. */
const MOST_ROWS = 16_384
/** A print this much older than the newest of its series is out of sequence, microseconds. */
const OUT_OF_ORDER = 500 * MICROSECONDS_PER_MILLISECOND
/** A group may be closed by time alone for so long after the newest print, milliseconds. */
const GROUPS_CLOSE_WITHIN = 2000

let lastVersion = 0

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
  #image: FlowImage | undefined
  #greeks: TapeGreeks | undefined
  /** Rows so far. */
  position = 0

  /** `onFull` is called before rows are dropped: whoever wants to keep them reads them then. */
  constructor(kind: TapeKind, session: IsoDate, unit: number, onFull: (tape: Tape) => void = () => {}) {
    this.#onFull = onFull
    this.kind = kind
    this.session = session
    this.unit = unit
    this.#series = kind === 'stock' ? undefined : new SeriesList()
    this.#judge = new Judge(kind)
    this.#folds = beginFolds({ kind, session, unit })
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

  /** Appends a print, unless it is there already. */
  append(row: TapeRow): boolean {
    const known = Math.max(this.#known, row.known)
    const sequence = row.sequence ?? this.position
    if (row.sequence !== undefined && !this.#duplicates.isNew(row.exchange, sequence, known)) return false
    const newest = this.#newest[row.instrument] ?? 0
    this.#newest[row.instrument] = Math.max(newest, row.ts)
    const flags = row.ts < newest - OUT_OF_ORDER ? row.flags | OUT_OF_SEQUENCE : row.flags
    const at = this.#makeRoom()
    this.#write(at, { ...row, known, sequence, flags })
    this.#rows.judged[at] = this.#judge.judge(this.#rows, at)
    this.#gone[at] = 0
    this.#advance(known)
    return true
  }

  /**
   * Takes a print back: by its number, once however often its feed says so; else the newest of the same series, price and
   * size. False: it is not held.
   */
  cancel(named: Omit<TapeRow, 'ts' | 'flags' | 'bid' | 'ask' | 'spot'>): boolean {
    const { exchange, sequence } = named
    const known = Math.max(this.#known, named.known)
    if (sequence !== undefined && !this.#cancelled.isNew(exchange, sequence, known)) return true
    const at = this.#makeRoom()
    const taken = this.#find(named)
    if (taken === undefined) return false
    copyPrints(this.#rows, taken, taken + 1, this.#rows, at)
    this.#rows.known[at] = known
    this.#rows.flags[at] |= CANCEL
    this.#gone[taken] = 1
    this.#gone[at] = 1
    this.#advance(known)
    return true
  }

  /** Puts rows of the archive back, judged as they were; nothing has been appended yet. */
  restore(prints: Prints, series: Series): void {
    for (let k = 0; k < series.length && this.#series !== undefined; k++) this.#series.numberOf(listedSeries(series, k))
    for (let from = 0; from < prints.length; from++) {
      const at = this.#makeRoom()
      copyPrints(prints, from, from + 1, this.#rows, at)
      const isCancel = (prints.flags[from] & CANCEL) !== 0
      this.#gone[at] = isCancel ? 1 : 0
      if (isCancel) {
        this.#noteGone(at)
        this.#cancelled.isNew(prints.exchange[from], prints.sequence[from], prints.known[from])
      } else {
        this.#judge.note(prints, from)
        this.#duplicates.isNew(prints.exchange[from], prints.sequence[from], prints.known[from])
      }
      const { instrument, ts } = prints
      this.#newest[instrument[from]] = Math.max(this.#newest[instrument[from]] ?? 0, ts[from])
      this.#advance(prints.known[from])
    }
  }

  /** The rows that are held from a position on, and where they lie. */
  rowsFrom(position: number): { readonly prints: PrintColumns; readonly from: number; readonly to: number } {
    return { prints: this.#rows, from: this.#length - (this.position - position), to: this.#length }
  }

  /** Takes a chain whose greeks hold for what is appended from now on. */
  setImage(chain: PricedChain): void {
    this.#fold()
    this.#image = { chain, since: Math.max(this.#known, chain.asOf * MICROSECONDS_PER_MILLISECOND) }
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
    const view = viewOf(this.#folds, name, { ...moment, kind, session, unit, known, version, series: this.series })
    this.#views.set(name, { view, position: this.position, now, silent })
    return view
  }

  /** Whether a view may change though nothing is printed: groups are closed by time, hedge flow is told by whole bars. */
  #changesWithTime(name: FoldedView, then: Instant, now: Instant): boolean {
    if (name === 'hedge') return Math.floor(now / SAMPLE_STEP) !== Math.floor(then / SAMPLE_STEP)
    return name === 'groups' && then - (this.known ?? then) < GROUPS_CLOSE_WITHIN
  }

  /** The row that the next print is written to. The oldest rows make room where there are too many. */
  #makeRoom(): number {
    const capacity = this.#rows.length
    if (this.#length < capacity) return this.#length
    if (capacity < MOST_ROWS) {
      this.#resize(2 * capacity, 0)
      return this.#length
    }
    this.#fold()
    this.#onFull(this)
    this.#resize(capacity, capacity / 2)
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

  #write(at: number, row: Required<TapeRow>): void {
    for (const name of printColumns) if (name !== 'judged') this.#rows[name][at] = row[name]!
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

  /** Marks the print that the cancel in row `at` took back. */
  #noteGone(at: number): void {
    for (let k = at - 1; k >= 0; k--) {
      if (this.#gone[k] === 1 || !isSamePrint(this.#rows, k, this.#rows, at)) continue
      this.#gone[k] = 1
      return
    }
  }

  #fold(): void {
    if (this.#folded === this.#length) return
    const tape = { prints: this.#rows, series: this.series, greeks: this.#greeksOf(this.series) }
    stepFolds(this.#folds, tape, this.#folded, this.#length, (at) => this.#near(at))
    this.#folded = this.#length
  }

  /** The greeks of the newest image, for the series so far. */
  #greeksOf(series: Series): TapeGreeks | undefined {
    if (this.#image !== undefined && this.#greeks?.delta.length !== series.length)
      this.#greeks = imageGreeks(this.#image, series, this.session)
    return this.#greeks
  }

  /** The prints before row `at`, a cancel, that still stand and lie around it in time. */
  #near(at: number): Prints {
    const { ts } = this.#rows
    const { from, to } = nearCancel(ts[at])
    const around: number[] = []
    for (let k = 0; k <= at; k++) if (ts[k] >= from && ts[k] < to) around.push(k)
    const rows = emptyPrints(around.length)
    for (const [k, row] of around.entries()) copyPrints(this.#rows, row, row + 1, rows, k)
    return standing(rows)
  }
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

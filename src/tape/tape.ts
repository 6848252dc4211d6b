import { GREEKS, type TapeGreeks } from '../flow/fold.ts'
import {
  beginFolds,
  type FoldedView,
  type FoldName,
  foldedView,
  foldNames,
  type SessionFolds,
  stepFolds
} from '../flow/folds.ts'
import { rowsNear } from '../flow/near-cancel.ts'
import { NOT_LISTED, slotsOfSeries } from '../flow/open-interest/slots-of-series.ts'
import { Judge } from '../flow/sides/judge.ts'
import type { TapeHeader, ViewName, Views } from '../flow/tape-views.ts'
import { tapeHeaderOf } from '../flow/tape-views.ts'
import { viewBytes } from '../flow/view-bytes.ts'
import {
  CANCEL,
  copyPrint,
  MICROSECONDS_PER_MILLISECOND,
  OUT_OF_SEQUENCE,
  type Prints,
  rowsKnownBy,
  slicePrints,
  type TapeKind
} from '../market/print.ts'
import { type ListedSeries, listedSeries, type Series, SeriesList, stockSeries } from '../market/series.ts'
import type { Instant, IsoDate } from '../market/units.ts'
import { SAMPLE_STEP } from '../market/zero-dte-sample.ts'
import type { ChainGreeks } from './chain-greeks.ts'
import { REMEMBERED_FOR, RecentSequences } from './recent-sequences.ts'
import { type PrintIdentity, RowBuffer, type RowRange } from './row-buffer.ts'
import type { TapeImage } from './tape-image.ts'

/** A print to append, in the units of `PrintColumns`. */
export interface PlacedPrint extends PrintIdentity {
  readonly known: number
  readonly ts: number
  readonly bid: number
  readonly ask: number
  readonly spot: number
  readonly flags: number
  /** Side of the print (bought or sold). If absent, the tape decides it by the quote or by the previous prices. */
  readonly judged?: number
}

/** A print this much older than the newest print of its series is flagged as out of sequence. Microseconds. */
const OUT_OF_ORDER = 500 * MICROSECONDS_PER_MILLISECOND
/**
 * For this long after the newest print, groups of prints may still be closed only because time passes. Milliseconds.
 */
const GROUPS_CLOSE_WITHIN = 2000

/** Rows that are restored at once: some 10 ms of work, so that other symbols of the thread wait no longer. */
const RESTORED_ROWS = 16_384

/** Names, numbers and newest prices of one series. */
const BYTES_PER_SERIES = 200

/** All folds (running computations over prints) except the newest prints, which are read from the row buffer. */
const folded = foldNames.filter((name) => name !== 'newestPrints')
/** Folds of a symbol that is one of many: what sums over the whole market and samples of its flow are made of. */
const summed: readonly FoldName[] = ['positions', 'traded', 'minutes', 'hedgeFlow', 'pressure']

export interface TapeOptions {
  /** Called before rows are dropped from memory, so that the recorder can read them. */
  readonly onFull?: ((tape: Tape) => void) | undefined
  /** Whether the tape has no views of single prints, seconds and groups. It takes a quarter of the memory. */
  readonly sumsOnly?: boolean | undefined
}

export type CancelResult =
  | 'cancelled'
  | 'repeated'
  /** The print is no longer in memory, so it cannot be cancelled. */
  | 'too_late'
  /** The tape never had the print. */
  | 'unknown'

/** Values in a view's header that the tape itself does not know. */
export type ViewInputs = Pick<TapeHeader, 'symbol' | 'source' | 'silent' | 'part'> & {
  readonly now: Instant
  /** Share of net volume (contracts bought minus contracts sold) that is assumed to change open interest, 0 to 1. */
  readonly confidence: number
}

/** Last view that was read. The view itself may be collected: its readers keep it as they need it. */
interface CachedView {
  readonly view: WeakRef<object> | undefined
  readonly version: number
  readonly position: number
  readonly now: Instant
  readonly silent: boolean
}

/** Greeks that apply to prints that become known at or after `since`, microseconds. */
interface GreeksSnapshot {
  readonly greeks: ChainGreeks
  readonly since: number
}

/**
 * Version number of the latest view. It starts at the current time, so that a restarted thread never repeats a version.
 */
let lastVersion = Math.round(MICROSECONDS_PER_MILLISECOND * (performance.timeOrigin + performance.now()))

/**
 * Prints of one symbol in one session, in the order in which they became known, and the folds (running computations)
 * over them. Only the newest rows stay in memory; all other figures come from the folds.
 */
export class Tape {
  readonly kind: TapeKind
  readonly session: IsoDate
  /** USD per price unit. */
  readonly unit: number
  readonly #onFull: (tape: Tape) => void
  readonly sumsOnly: boolean
  readonly #series: SeriesList | undefined
  /** Instrument numbers by OCC symbol. */
  readonly #named = new Map<string, number>()
  readonly #appended = new RecentSequences()
  readonly #cancelled = new RecentSequences()
  readonly #judge: Judge
  readonly #rows: RowBuffer
  readonly #folds: SessionFolds
  /** Time of the newest print of each instrument, microseconds. */
  readonly #newest: number[] = []
  readonly #views = new Map<ViewName, CachedView>()
  readonly #beforeDrop = () => {
    this.#fold()
    this.#onFull(this)
  }
  /** Position up to which the folds contain the rows. */
  #foldedTo = 0
  #known = 0
  #snapshot: GreeksSnapshot | undefined
  #greeks: TapeGreeks | undefined
  /** Number of rows appended so far. */
  position = 0

  constructor(
    kind: TapeKind,
    session: IsoDate,
    unit: number,
    { onFull = () => {}, sumsOnly = false }: TapeOptions = {}
  ) {
    this.#onFull = onFull
    this.sumsOnly = sumsOnly
    this.#rows = new RowBuffer(!sumsOnly)
    this.kind = kind
    this.session = session
    this.unit = unit
    this.#series = kind === 'stock' ? undefined : new SeriesList()
    this.#judge = new Judge(kind)
    this.#folds = beginFolds({ kind, session, unit }, sumsOnly ? summed : folded)
  }

  /** Time at which the newest row became known, milliseconds. */
  get known(): Instant | undefined {
    return this.position === 0 ? undefined : this.#known / MICROSECONDS_PER_MILLISECOND
  }

  get series() {
    return this.#series?.columns ?? stockSeries
  }

  instrumentOf(series: ListedSeries): number {
    return this.#series!.numberOf(series)
  }

  /** Instrument number of an OCC symbol; undefined before `nameInstrument`. */
  instrumentNamed(contract: string): number | undefined {
    return this.#named.get(contract)
  }

  nameInstrument(contract: string, series: ListedSeries): number {
    const instrument = this.instrumentOf(series)
    this.#named.set(contract, instrument)
    return instrument
  }

  isAdjusted(instrument: number): boolean {
    return this.#series?.isAdjusted(instrument) === true
  }

  /** Appends a print; false if the tape already has its sequence number. */
  append(row: PlacedPrint): boolean {
    const known = Math.max(this.#known, row.known)
    if (row.sequence !== undefined && !this.#appended.add(row.exchange, row.sequence, known)) return false
    this.#append(row, known)
    return true
  }

  /**
   * Appends the cancel of a print. With a sequence number, that print is cancelled once even if the feed repeats the
   * cancel; without one, the newest print with the same series, price and size is cancelled.
   */
  cancel(print: PrintIdentity & Pick<PlacedPrint, 'known'>): CancelResult {
    const { exchange, sequence } = print
    if (sequence !== undefined && this.#cancelled.has(exchange, sequence)) return 'repeated'
    this.#rows.makeRoom(this.#beforeDrop)
    const at = this.#rows.find(print)
    if (at === undefined) {
      return sequence !== undefined && this.#appended.has(exchange, sequence) ? 'too_late' : 'unknown'
    }
    const known = Math.max(this.#known, print.known)
    if (sequence !== undefined) this.#cancelled.add(exchange, sequence, known)
    this.#rows.addCancel(at, known)
    this.#advance(known)
    return 'cancelled'
  }

  /** Appends the print that replaces a cancelled one. Both may have the same sequence number. */
  correct(row: PlacedPrint): void {
    const known = Math.max(this.#known, row.known)
    if (row.sequence !== undefined) this.#appended.add(row.exchange, row.sequence, known)
    this.#append(row, known)
  }

  /**
   * Restores the rows of a stored tape, with their sides, into this empty tape, a step for each turn of the generator.
   * The tape can be used once that is done. `end` is the position after the last row; it exceeds the number of rows if
   * the archive has lost some.
   */
  *restore(prints: Prints, series: Series, end = prints.length): Generator<undefined, void> {
    const { length, flags, instrument, ts, known, sequence, exchange } = prints
    if (length === 0) return
    this.#name(series)
    const newest = known[length - 1]
    const recent = rowsKnownBy(prints, (newest - REMEMBERED_FOR) / MICROSECONDS_PER_MILLISECOND)
    const tape = { prints, series: this.series, greeks: undefined, dropped: 0 }
    for (let from = 0; from < length; from += RESTORED_ROWS) {
      const to = Math.min(from + RESTORED_ROWS, length)
      for (let at = from; at < to; at++) {
        const isCancel = (flags[at] & CANCEL) !== 0
        if (!isCancel) this.#judge.note(prints, at)
        this.#newest[instrument[at]] = Math.max(this.#newest[instrument[at]] ?? 0, ts[at])
        if (at >= recent) (isCancel ? this.#cancelled : this.#appended).add(exchange[at], sequence[at], known[at])
      }
      stepFolds(this.#folds, tape, from, to, (at, of) => rowsNear(prints, this.series, at, of))
      yield
    }
    this.#rows.restore(prints)
    this.#known = newest
    this.position = end
    this.#foldedTo = end
  }

  /** All that views are made of, as plain data; its states are those of this tape, so they must be copied at once. */
  image(): TapeImage {
    this.#fold()
    const { kind, session, unit, position, series } = this
    const { prints, from, to } = this.held
    return {
      ...{ kind, session, unit, position, sumsOnly: this.sumsOnly, known: this.#known, series },
      prints: slicePrints(prints, from, to),
      states: this.#folds.states,
      greeks: this.greeks
    }
  }

  /** The tape of an image. It takes rows by `receive` alone. */
  static ofImage({ kind, session, unit, sumsOnly, series, prints, states, ...image }: TapeImage): Tape {
    const tape = new Tape(kind, session, unit, { sumsOnly })
    tape.#name(series)
    Object.assign(tape.#folds.states, states)
    if (prints.length > 0) tape.#rows.restore(prints, prints.length)
    tape.#known = image.known
    tape.#greeks = image.greeks
    tape.position = tape.#foldedTo = image.position
    return tape
  }

  /**
   * Appends rows of the tape of another process, with their new series and the greeks that hold for them. Returns false,
   * and is of no use any more, if a print that they cancel is not there.
   */
  receive(prints: Prints, series: Series, greeks: TapeGreeks | undefined): boolean {
    this.#name(series)
    this.#greeks = greeks
    for (let at = 0; at < prints.length; at++) {
      this.#rows.makeRoom(this.#beforeDrop)
      if ((prints.flags[at] & CANCEL) === 0) {
        copyPrint(prints, at, this.#rows.columns, this.#rows.length)
        this.#rows.add()
      } else if (!this.#rows.receiveCancel(prints, at)) return false
      this.#advance(prints.known[at])
    }
    this.#fold()
    return true
  }

  #name(series: Series): void {
    for (let k = 0; k < series.length && this.#series !== undefined; k++) this.#series.numberOf(listedSeries(series, k))
  }

  /** Greeks of the newest snapshot, of each series so far. */
  get greeks(): TapeGreeks | undefined {
    return this.#greeksOf(this.series)
  }

  /** Bytes of rows, folds and remembered numbers, and an estimate of what else a tape keeps for each of its series. */
  get bytes(): number {
    const known = this.#appended.bytes + this.#cancelled.bytes + BYTES_PER_SERIES * this.series.length
    return (
      this.#rows.bytes + known + Object.values(this.#folds.states).reduce((sum, state) => sum + viewBytes(state), 0)
    )
  }

  get held(): RowRange {
    return { prints: this.#rows.columns, from: 0, to: this.#rows.length }
  }

  /** Rows from `position` to the end. They must still be in memory. */
  rowsFrom(position: number): RowRange {
    const { columns, length } = this.#rows
    return { prints: columns, from: length - (this.position - position), to: length }
  }

  /** Stores greeks that apply to prints appended from now on. */
  setSnapshot(greeks: ChainGreeks): void {
    this.#fold()
    this.#snapshot = { greeks, since: Math.max(this.#known, greeks.asOf * MICROSECONDS_PER_MILLISECOND) }
    this.#greeks = undefined
  }

  /** View of the tape at `now`; undefined if this tape makes no such view. Has the same version until its content changes. */
  view<Name extends FoldedView>(name: Name, inputs: ViewInputs): Views[Name] | undefined {
    if (this.sumsOnly && name === 'prints') return undefined
    this.#fold()
    const cached = this.#views.get(name)
    const { now, silent } = inputs
    const isSame =
      cached !== undefined &&
      cached.position === this.position &&
      cached.silent === silent &&
      (cached.now === now || !this.#changesWithTime(name, cached.now, now))
    const same = isSame ? (cached.view?.deref() as Views[Name] | undefined) : undefined
    if (same !== undefined) return same
    const { kind, session, unit, known, series } = this
    const version = isSame ? cached.version : ++lastVersion
    const moment = { ...inputs, now: isSame ? cached.now : now, kind, session, unit, known, version, series }
    const view =
      name === 'prints'
        ? { ...tapeHeaderOf(moment), series, prints: this.#rows.newestPrints() }
        : foldedView(this.#folds, name, moment)
    const weak = view && new WeakRef(view)
    this.#views.set(name, { view: weak, version, position: this.position, now: moment.now, silent })
    return view as Views[Name] | undefined
  }

  #append(row: PlacedPrint, known: number): void {
    const newest = this.#newest[row.instrument] ?? 0
    this.#newest[row.instrument] = Math.max(newest, row.ts)
    this.#rows.makeRoom(this.#beforeDrop)
    const { columns, length: at } = this.#rows
    columns.known[at] = known
    columns.ts[at] = row.ts
    columns.sequence[at] = row.sequence ?? this.position
    columns.instrument[at] = row.instrument
    columns.price[at] = row.price
    columns.size[at] = row.size
    columns.bid[at] = row.bid
    columns.ask[at] = row.ask
    columns.spot[at] = row.spot
    columns.flags[at] = row.ts < newest - OUT_OF_ORDER ? row.flags | OUT_OF_SEQUENCE : row.flags
    columns.exchange[at] = row.exchange
    columns.judged[at] = row.judged ?? this.#judge.judge(columns, at)
    this.#rows.add()
    this.#advance(known)
  }

  #advance(known: number): void {
    this.position++
    this.#known = known
  }

  /**
   * Whether a view may change without a new print. Groups of prints are closed when time passes, and hedge flow gets a
   * bar in each sampling interval.
   */
  #changesWithTime(name: FoldedView, then: Instant, now: Instant): boolean {
    if (name === 'hedge') return Math.floor(now / SAMPLE_STEP) !== Math.floor(then / SAMPLE_STEP)
    return name === 'groups' && this.known !== undefined && then - this.known < GROUPS_CLOSE_WITHIN
  }

  #fold(): void {
    if (this.#foldedTo === this.position) return
    const { prints, from, to } = this.rowsFrom(this.#foldedTo)
    const { series } = this
    const tape = { prints, series, greeks: this.#greeksOf(series), dropped: this.position - this.#rows.length }
    stepFolds(this.#folds, tape, from, to, (at, of) => rowsNear(prints, series, at, of))
    this.#foldedTo = this.position
  }

  /** Greeks of the newest snapshot, of each series of the tape, in its order. */
  #greeksOf(series: Series): TapeGreeks | undefined {
    if (this.#snapshot !== undefined && this.#greeks?.values.length !== GREEKS * series.length)
      this.#greeks = snapshotGreeks(this.#snapshot, series, this.session)
    return this.#greeks
  }
}

/** Greeks of the series of a tape. 0 for series that the chain does not list or price. */
function snapshotGreeks({ greeks, since }: GreeksSnapshot, series: Series, session: IsoDate): TapeGreeks {
  const slots = slotsOfSeries(greeks, series)
  const values = new Float64Array(GREEKS * slots.length)
  for (const [k, slot] of slots.entries()) {
    if (slot === NOT_LISTED) continue
    values[GREEKS * k] = greeks.delta[slot] || 0
    values[GREEKS * k + 1] = greeks.gamma[slot] || 0
    values[GREEKS * k + 2] = greeks.vega[slot] || 0
  }
  return { since, values, next: greeks.expirations.find(({ date }) => date > session)?.date }
}

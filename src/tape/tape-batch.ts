import { TapeWriter } from '../archive/codec/encode-tape.ts'
import type { Fidelity, TapeText } from '../archive/history-store.ts'
import type { TapeSource } from '../market/print.ts'
import type { Ticker } from '../market/units.ts'
import type { Tape } from './tape.ts'

export interface TapeRows {
  readonly text: TapeText
  readonly rows: number
  readonly tapes: ReadonlySet<Tape>
}

/** Number of rows and series of a tape that were added to batches so far. */
interface Progress {
  readonly rows: number
  readonly series: number
  /**
   * Whether the tape's head was added. The head is the row with the tape's source and price unit; without it the
   * archive does not know the tape.
   */
  readonly head: boolean
}

const nothing: Progress = { rows: 0, series: 0, head: false }

export interface TapeBatchOptions {
  readonly fidelity: Fidelity
  /**
   * Whether to hold back the heads of tapes until `takeHeads` is called. Since a tape without a head is invisible,
   * readers then see either the whole tape or nothing.
   */
  readonly headsLast?: boolean
}

/** Collects the new rows and series of tapes as text for the archive. Each row is added once. */
export class TapeBatch {
  readonly #writer: TapeWriter
  readonly #headsLast: boolean
  readonly #heads: Uint8Array[] = []
  readonly #progress = new WeakMap<Tape, Progress>()
  readonly #excluded = new WeakSet<Tape>()
  #tapes = new Set<Tape>()
  #rows = 0

  constructor({ fidelity, headsLast = false }: TapeBatchOptions) {
    this.#writer = new TapeWriter(fidelity)
    this.#headsLast = headsLast
  }

  /** Size of the text, characters. */
  get size(): number {
    return this.#writer.size
  }

  get rows(): number {
    return this.#rows
  }

  /** Marks all rows of a restored tape as added, because the archive already has them. */
  skip(tape: Tape): void {
    this.#progress.set(tape, { rows: tape.position, series: tape.series.length, head: true })
  }

  /** Excludes a tape: later calls of `add` ignore it. */
  exclude(tape: Tape): void {
    this.#excluded.add(tape)
  }

  /**
   * Call when a batch with rows of these tapes was lost. The next batch repeats their heads and series, not the lost
   * rows.
   */
  lost(tapes: Iterable<Tape>): void {
    for (const tape of tapes) this.#progress.set(tape, { ...nothing, rows: this.#progress.get(tape)!.rows })
  }

  /** Adds the new rows of a tape. Must be called before the tape drops rows from memory. */
  add(symbol: Ticker, source: TapeSource, tape: Tape): void {
    const done = this.#progress.get(tape) ?? nothing
    if (done.rows === tape.position || this.#excluded.has(tape)) return
    const { kind, session, unit, series } = tape
    const { prints, from, to } = tape.rowsFrom(done.rows)
    this.#writer.add({
      symbol,
      kind,
      session,
      source,
      unit,
      prints,
      from,
      to,
      position: done.rows,
      withHead: !done.head,
      series,
      firstSeries: done.series
    })
    this.#rows += to - from
    this.#tapes.add(tape)
    this.#progress.set(tape, { rows: tape.position, series: series.length, head: true })
  }

  /** Returns the batch and starts an empty one. */
  take(): TapeRows {
    const [rows, tapes] = [this.#rows, this.#tapes]
    this.#rows = 0
    this.#tapes = new Set()
    const text = this.#writer.take()
    if (!this.#headsLast) return { text, rows, tapes }
    const { tapes: heads, ...others } = text
    if (heads !== undefined) this.#heads.push(heads)
    return { text: others, rows, tapes }
  }

  /** Returns the heads that were held back because of `headsLast`. */
  takeHeads(): TapeRows {
    const heads = this.#heads.splice(0)
    return { text: heads.length === 0 ? {} : { tapes: Buffer.concat(heads) }, rows: 0, tapes: new Set() }
  }
}

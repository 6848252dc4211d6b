import { TapeWriter } from '../archive/codec/encode-tape.ts'
import type { Fidelity, TapeText } from '../archive/history-store.ts'
import type { TapeSource } from '../market/print.ts'
import type { Ticker } from '../market/units.ts'
import type { Tape } from './tape.ts'

/** Rows of tapes as text for the archive. */
export interface TapeRows {
  readonly text: TapeText
  /** How many rows the text has. */
  readonly rows: number
  /** Tapes that the rows belong to. */
  readonly tapes: ReadonlySet<Tape>
}

/** How much of a tape was added to batches so far. */
interface Progress {
  readonly rows: number
  readonly series: number
  /** Whether the head of the tape was: its source and unit, without which the archive does not know the tape. */
  readonly head: boolean
}

const nothing: Progress = { rows: 0, series: 0, head: false }

export interface TapeBatchOptions {
  readonly fidelity: Fidelity
  /** Holds the heads of tapes back until `takeHeads`: a reader then finds a tape whole, or not at all. */
  readonly headsLast?: boolean
}

/** Collects the rows and series that tapes have gained since the previous call, each once, as text for the archive. */
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

  /** Marks all rows of a restored tape as added: the archive has them. */
  skip(tape: Tape): void {
    this.#progress.set(tape, { rows: tape.position, series: tape.series.length, head: true })
  }

  /** Ignores a tape from now on. */
  exclude(tape: Tape): void {
    this.#excluded.add(tape)
  }

  /** A batch of these tapes never reached the archive: their next rows bring head and series along again. */
  lost(tapes: Iterable<Tape>): void {
    for (const tape of tapes) this.#progress.set(tape, { ...nothing, rows: this.#progress.get(tape)!.rows })
  }

  /** Adds the new rows of a tape. To be called every now and then, and before the tape drops rows. */
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

  /** Returns the batch and begins an empty one. */
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

  /** Returns the heads that were held back. */
  takeHeads(): TapeRows {
    const heads = this.#heads.splice(0)
    return { text: heads.length === 0 ? {} : { tapes: Buffer.concat(heads) }, rows: 0, tapes: new Set() }
  }
}

import { TapeWriter } from '../archive/codec/encode-tape.ts'
import type { Fidelity, TapeText } from '../archive/store.ts'
import type { TapeSource } from '../market/print.ts'
import type { Ticker } from '../market/units.ts'
import type { Tape } from './tape.ts'

/** Rows of tapes as the archive takes them, and how many. */
export interface TapeRows {
  readonly text: TapeText
  readonly rows: number
  /** Whose rows are among them. */
  readonly tapes: ReadonlySet<Tape>
}

/** What of a tape was gathered so far. */
interface Gathered {
  readonly rows: number
  readonly series: number
  /** What it is: where it comes from and its unit. */
  readonly head: boolean
}

const nothing: Gathered = { rows: 0, series: 0, head: false }

/** Gathers what tapes have gained since they were looked at last, each row and series once. */
export class TapeStretches {
  readonly #writer: TapeWriter
  readonly #gathered = new WeakMap<Tape, Gathered>()
  readonly #left = new WeakSet<Tape>()
  /** Tapes whose rows were gathered since the last text was taken. */
  #tapes = new Set<Tape>()
  #rows = 0

  constructor(fidelity: Fidelity) {
    this.#writer = new TapeWriter(fidelity)
  }

  /** Characters that were gathered and not taken. */
  get size(): number {
    return this.#writer.size
  }

  /** Rows of the same. */
  get rows(): number {
    return this.#rows
  }

  /** The rows that a tape has stand in the archive already. */
  skip(tape: Tape): void {
    this.#gathered.set(tape, { rows: tape.position, series: tape.series.length, head: true })
  }

  /** A tape that must not be written. */
  leave(tape: Tape): void {
    this.#left.add(tape)
  }

  /** What was taken of some tapes is lost. The next rows of them bring along what the lost ones named. */
  lost(tapes: Iterable<Tape>): void {
    for (const tape of tapes) this.#gathered.set(tape, { ...nothing, rows: this.#gathered.get(tape)!.rows })
  }

  /** Gathers what a tape has that was not gathered yet. Called before it drops rows, and every now and then. */
  gather(symbol: Ticker, source: TapeSource, tape: Tape): void {
    const done = this.#gathered.get(tape) ?? nothing
    if (done.rows === tape.position || this.#left.has(tape)) return
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
    this.#gathered.set(tape, { rows: tape.position, series: series.length, head: true })
  }

  /** What was gathered; nothing is left. */
  take(): TapeRows {
    const [rows, tapes] = [this.#rows, this.#tapes]
    this.#rows = 0
    this.#tapes = new Set()
    return { text: this.#writer.take(), rows, tapes }
  }
}

import { TapeWriter } from '../archive/codec/encode-tape.ts'
import type { TapeText } from '../archive/store.ts'
import type { TapeSource } from '../market/print.ts'
import type { Ticker } from '../market/units.ts'
import type { Tape } from './tape.ts'

/** Rows of tapes as the archive takes them, and how many. */
export interface TapeRows {
  readonly text: TapeText
  readonly rows: number
}

/** Gathers what tapes have gained since they were looked at last, each row and series once. */
export class TapeStretches {
  readonly #writer = new TapeWriter()
  /** Rows and series of each tape that were gathered so far. */
  readonly #gathered = new WeakMap<Tape, { readonly rows: number; readonly series: number }>()
  #rows = 0

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
    this.#gathered.set(tape, { rows: tape.position, series: tape.series.length })
  }

  /** Gathers what a tape has that was not gathered yet. Called before it drops rows, and every now and then. */
  gather(symbol: Ticker, source: TapeSource, tape: Tape): void {
    const done = this.#gathered.get(tape) ?? { rows: 0, series: 0 }
    if (done.rows === tape.position) return
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
      series,
      firstSeries: done.series
    })
    this.#rows += to - from
    this.#gathered.set(tape, { rows: tape.position, series: series.length })
  }

  /** What was gathered; nothing is left. */
  take(): TapeRows {
    const rows = this.#rows
    this.#rows = 0
    return { text: this.#writer.take(), rows }
  }
}

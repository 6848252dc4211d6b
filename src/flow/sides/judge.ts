import { MARKED, NO_PRICE, NOT_ELIGIBLE, type PrintColumns, type TapeKind } from '../../market/print.ts'
import { type ColumnsOf, emptyColumns, withRoom } from '../columns.ts'
import { DOWNTICK, judgeByQuote, UNJUDGED, UPTICK, withoutSide } from './side.ts'

/** The oldest price that a print is compared with, microseconds. */
const MAX_TICK_AGE: Readonly<Record<TapeKind, number>> = { option: 300_000_000, stock: 60_000_000 }

/**
 * Gives prints their side as they come, by the quote and, where no usable quote stood or the price was that of a locked
 * one, by the last different price of the series. It judges one tape and session, in the order of the tape: a side never
 * changes later.
 *
 * Marked prints carry no side, only where their price lay. Eligible ones alone read and write the memory of prices.
 */
export class Judge {
  readonly #maxAge: number
  readonly #memory = new TickMemory()

  constructor(kind: TapeKind) {
    this.#maxAge = MAX_TICK_AGE[kind]
  }

  /**
   * The `judged` of row `at`, whose other columns are there; bid and ask are NO_PRICE where the quote was missing or older
   * than MAX_QUOTE_AGE. The row counts as noted.
   */
  judge(prints: PrintColumns, at: number): number {
    const judged = this.#judged(prints, at)
    this.note(prints, at)
    return judged
  }

  /** Remembers the price of a row that was judged before: what a restart reads. */
  note({ flags, instrument, price, ts }: PrintColumns, at: number): void {
    if ((flags[at] & NOT_ELIGIBLE) === 0) this.#memory.note(instrument[at], price[at], ts[at])
  }

  #judged({ flags, instrument, price, bid, ask, ts }: PrintColumns, at: number): number {
    const byQuote = judgeByQuote(price[at], bid[at], ask[at])
    if ((flags[at] & MARKED) !== 0) return withoutSide(byQuote)
    if (byQuote !== UNJUDGED || (flags[at] & NOT_ELIGIBLE) !== 0) return byQuote
    const different = this.#memory.differentPrice(instrument[at], price[at], ts[at], this.#maxAge)
    if (different === NO_PRICE) return UNJUDGED
    return price[at] > different ? UPTICK : DOWNTICK
  }
}

const kinds = { last: Int32Array, lastAt: Float64Array, before: Int32Array, beforeAt: Float64Array } as const

/** The two newest prices of each instrument that differ, and when each was last printed, microseconds. */
export class TickMemory {
  #columns: ColumnsOf<typeof kinds> = emptyColumns(kinds, 0)
  #instruments = 0

  /** The newest price that differs from `price`, not older at `ts` than `maxAge`, microseconds; else NO_PRICE. */
  differentPrice(instrument: number, price: number, ts: number, maxAge: number): number {
    if (instrument >= this.#instruments) return NO_PRICE
    const { last, lastAt, before, beforeAt } = this.#columns
    const isLast = last[instrument] !== price
    const at = isLast ? lastAt[instrument] : beforeAt[instrument]
    return ts - at <= maxAge ? (isLast ? last : before)[instrument] : NO_PRICE
  }

  note(instrument: number, price: number, ts: number): void {
    if (instrument >= this.#instruments) this.#admit(instrument)
    const { last, lastAt, before, beforeAt } = this.#columns
    if (price === last[instrument]) {
      lastAt[instrument] = Math.max(lastAt[instrument], ts)
      return
    }
    before[instrument] = last[instrument]
    beforeAt[instrument] = lastAt[instrument]
    last[instrument] = price
    lastAt[instrument] = ts
  }

  #admit(instrument: number): void {
    const from = this.#instruments
    this.#instruments = instrument + 1
    this.#columns = withRoom(this.#columns, this.#instruments)
    const { last, lastAt, before, beforeAt } = this.#columns
    for (const price of [last, before]) price.fill(NO_PRICE, from, this.#instruments)
    for (const at of [lastAt, beforeAt]) at.fill(Number.NEGATIVE_INFINITY, from, this.#instruments)
  }
}

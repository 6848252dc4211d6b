import { MARKED, NO_PRICE, NOT_ELIGIBLE, type PrintColumns, type TapeKind } from '../../market/print.ts'
import { type ColumnsOf, emptyColumns, withRoom } from '../columns.ts'
import { DOWNTICK, judgeByQuote, UNJUDGED, UPTICK, withoutSide } from './side.ts'

/** Maximum age of the earlier price that a print is compared with, microseconds. */
const MAX_TICK_AGE: Readonly<Record<TapeKind, number>> = { option: 300_000_000, stock: 60_000_000 }

/**
 * Decides the side of prints as they arrive: by the quote or, if there is no usable quote or the print is at the price
 * of a locked quote, by the last different price of the series. One judge handles one tape, in its order; a side never
 * changes later.
 *
 * Prints flagged as `MARKED` have no side, only their price relative to the quote. Only eligible prints read and update
 * the last prices.
 */
export class Judge {
  readonly #maxAge: number
  readonly #memory = new TickMemory()

  constructor(kind: TapeKind) {
    this.#maxAge = MAX_TICK_AGE[kind]
  }

  /**
   * Returns the `judged` value of row `at`, whose other columns are filled, and records its price. Bid and ask are
   * NO_PRICE if the quote is missing or older than MAX_QUOTE_AGE.
   */
  judge(prints: PrintColumns, at: number): number {
    const judged = this.#judged(prints, at)
    this.note(prints, at)
    return judged
  }

  /** Records the price of a row that has its side already, as after a restart. */
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

/** The two newest different prices of each instrument, and when each was last printed, microseconds. */
export class TickMemory {
  #columns: ColumnsOf<typeof kinds> = emptyColumns(kinds, 0)
  #instruments = 0

  /** The newest price that differs from `price` and is at most `maxAge` old at `ts`, microseconds; else NO_PRICE. */
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

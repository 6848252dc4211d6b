import { NO_PRICE } from '../market/print.ts'
import { type ColumnsOf, emptyColumns, withRoom } from './columns.ts'

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

import { CANCEL, MICROSECONDS_PER_MILLISECOND } from '../market/print.ts'
import type { Instant } from '../market/units.ts'
import type { Rows, TapeRow } from './tape.ts'

type Named = Pick<TapeRow, 'instrument' | 'price' | 'size' | 'exchange'>

/**
 * Prints that a feed without numbers tells a second time: of equal ones only the surplus over what the tape held when
 * the telling began is new. What is told must reach back to the moment from which on the rows are compared.
 */
export class ToldAgain {
  /** Rows of the tape that have not been told again yet, by their figures. */
  readonly #left = new Map<string, number>()

  /** `rows`: the rows that the tape holds. Prints are compared from the moment on that they were made at. */
  constructor(rows: Rows, since: Instant) {
    const { ts, known, instrument, price, size, exchange, flags } = rows.prints
    const moment = MICROSECONDS_PER_MILLISECOND * since
    for (let at = rows.from; at < rows.to; at++) {
      const isCancel = (flags[at] & CANCEL) !== 0
      if ((isCancel ? known : ts)[at] < moment) continue
      const named = { instrument: instrument[at], price: price[at], size: size[at], exchange: exchange[at] }
      const name = nameOf(named, isCancel ? undefined : ts[at])
      this.#left.set(name, (this.#left.get(name) ?? 0) + 1)
    }
  }

  /** Whether a print is not on the tape yet; a cancel, of which the time is not the print's, has none. */
  isNew(row: Named, ts: number | undefined): boolean {
    const name = nameOf(row, ts)
    const left = this.#left.get(name) ?? 0
    if (left > 0) this.#left.set(name, left - 1)
    return left === 0
  }
}

const nameOf = ({ instrument, price, size, exchange }: Named, ts: number | undefined) =>
  `${ts ?? 'cancel'} ${instrument} ${price} ${size} ${exchange}`

import { NEWEST_PRINTS } from '../flow/folds/print-windows.ts'
import { isSamePrint } from '../flow/near-cancel.ts'
import {
  CANCEL,
  copyPrints,
  emptyPrints,
  MICROSECONDS_PER_MILLISECOND,
  ownPrints,
  type PrintColumns,
  type Prints
} from '../market/print.ts'
import { MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { grownLength } from '../memory/grown-length.ts'

const FIRST_CAPACITY = 256
/**
 * Minimum number of prints kept in memory, even if they are old: the prints that responses show, and a reserve in case
 * some are cancelled.
 */
const MIN_PRINTS = NEWEST_PRINTS + 1000
/**
 * Rows younger than this stay in memory, microseconds, so that a cancel finds its print and the prints around that
 * print.
 */
const MIN_AGE = 5 * MILLISECONDS_PER_MINUTE * MICROSECONDS_PER_MILLISECOND

/** Rows `from` (inclusive) to `to` (exclusive). */
export interface RowRange {
  readonly prints: PrintColumns
  readonly from: number
  readonly to: number
}

/** Identifies a print: by its sequence number if the feed numbers prints, else by the other fields. */
export interface PrintIdentity {
  readonly sequence: number | undefined
  readonly exchange: number
  readonly instrument: number
  readonly price: number
  readonly size: number
}

/**
 * The newest rows of a tape, oldest first; each row is a print or a cancel. A full buffer drops its oldest rows or, if
 * they must stay, grows. A cancelled print and its cancel both keep their rows and are marked as cancelled.
 */
export class RowBuffer {
  readonly #minPrints: number
  #columns: Prints = ownPrints(FIRST_CAPACITY)
  #cancelled = new Uint8Array(FIRST_CAPACITY)
  #length = 0

  /** Without `showsPrints`, only the rows are kept that cancels need. */
  constructor(showsPrints = true) {
    this.#minPrints = showsPrints ? MIN_PRINTS : 0
  }

  /** Columns of all rows. Rows from `length` on are unused. */
  get columns(): Prints {
    return this.#columns
  }

  get length(): number {
    return this.#length
  }

  get bytes(): number {
    return this.#columns.known.buffer.byteLength + this.#cancelled.byteLength
  }

  /** Makes row `length` writable. If old rows must be dropped for that, `beforeDrop` is called first. */
  makeRoom(beforeDrop: () => void): void {
    const capacity = this.#columns.length
    if (this.#length < capacity) return
    const old = firstHeld(this.#columns, this.#length, this.#minPrints)
    if (grownLength(capacity - old) > capacity) this.#resize(grownLength(capacity), 0)
    else {
      beforeDrop()
      this.#resize(grownLength(capacity - old), old)
    }
  }

  /** Counts row `length` as used, after a print has been written into it. */
  add(): void {
    this.#cancelled[this.#length++] = 0
  }

  /**
   * Appends the cancel of the print in row `of`; the cancel became known at `known`, microseconds. Call `makeRoom`
   * first.
   */
  addCancel(of: number, known: number): void {
    const at = this.#length++
    copyPrints(this.#columns, of, of + 1, this.#columns, at)
    this.#columns.known[at] = known
    this.#columns.flags[at] |= CANCEL
    this.#cancelled[of] = 1
    this.#cancelled[at] = 1
  }

  /** Finds the row of the newest print with this identity that is not cancelled; undefined if there is none. */
  find({ sequence, exchange, instrument, price, size }: PrintIdentity): number | undefined {
    const rows = this.#columns
    for (let at = this.#length - 1; at >= 0; at--) {
      if (this.#cancelled[at] === 1) continue
      const isIt =
        sequence === undefined
          ? rows.instrument[at] === instrument && rows.price[at] === price && rows.size[at] === size
          : rows.sequence[at] === sequence && rows.exchange[at] === exchange
      if (isIt) return at
    }
    return undefined
  }

  /**
   * Copies the newest prints that are not cancelled, oldest first. The result equals the state of the fold
   * `newestPrints`.
   */
  newestPrints(): Prints {
    const cancelled = this.#cancelled
    let from = this.#length
    let count = 0
    while (from > 0 && count < NEWEST_PRINTS) if (cancelled[--from] === 0) count++
    const prints = emptyPrints(count)
    for (let at = 0; from < this.#length; ) {
      const next = cancelled.indexOf(1, from)
      const end = next === -1 ? this.#length : Math.min(next, this.#length)
      copyPrints(this.#columns, from, end, prints, at)
      at += end - from
      from = end + 1
    }
    return prints
  }

  /** Appends a cancel as another buffer holds it. Call `makeRoom` first. Returns false if its print is not here. */
  receiveCancel(prints: PrintColumns, row: number): boolean {
    for (let of = this.#length - 1; of >= 0; of--) {
      if (this.#cancelled[of] === 1 || !isSamePrint(this.#columns, of, prints, row)) continue
      this.addCancel(of, prints.known[row])
      return true
    }
    return false
  }

  /** Copies the newest rows of a stored tape into the buffer, which must be empty; with `rows` as many as that. */
  restore(prints: Prints, rows?: number): void {
    const from = rows === undefined ? firstHeld(prints, prints.length, this.#minPrints) : prints.length - rows
    this.#length = prints.length - from
    this.#columns = ownPrints(this.#length)
    copyPrints(prints, from, prints.length, this.#columns, 0)
    this.#cancelled = new Uint8Array(this.#length)
    for (let at = 0; at < this.#length; at++) if ((this.#columns.flags[at] & CANCEL) !== 0) this.#markCancelled(at)
  }

  #markCancelled(at: number): void {
    this.#cancelled[at] = 1
    for (let k = at - 1; k >= 0; k--) {
      if (this.#cancelled[k] === 1 || !isSamePrint(this.#columns, k, this.#columns, at)) continue
      this.#cancelled[k] = 1
      return
    }
  }

  #resize(capacity: number, from: number): void {
    const columns = ownPrints(capacity)
    copyPrints(this.#columns, from, this.#length, columns, 0)
    const cancelled = new Uint8Array(capacity)
    cancelled.set(this.#cancelled.subarray(from, this.#length))
    this.#columns = columns
    this.#cancelled = cancelled
    this.#length -= from
  }
}

/** Index of the oldest of `length` rows that must stay in memory. */
function firstHeld({ known, flags }: PrintColumns, length: number, minPrints: number): number {
  let row = length
  // A cancel reduces the number of prints that count.
  for (let prints = 0; row > 0 && prints < minPrints; ) prints += (flags[--row] & CANCEL) === 0 ? 1 : -1
  const oldest = known[length - 1] - MIN_AGE
  while (row > 0 && known[row - 1] >= oldest) row--
  return row
}

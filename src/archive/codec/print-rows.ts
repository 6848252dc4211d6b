import { NO_PRICE, type PrintColumns } from '../../market/print.ts'

const ZERO = 48
const MINUS = 45
const TAB = 9
const NEWLINE = 10

/** Maximum bytes of a row: 14 numbers of at most 17 characters, each with a separator. */
const MAX_NUMBERS_LENGTH = 14 * 18
/** Numbers below this are split into digits with 32-bit arithmetic. */
const BILLION = 1_000_000_000

/**
 * Rows of prints as text, written digit by digit. A session has millions of numbers, and creating a string for each
 * would take ten times as long, mostly for garbage collection.
 */
export class PrintRows {
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  get length(): number {
    return this.#length
  }

  /**
   * Appends rows `from` to `to`. `name` is the text at the start of each row; `position` is the place of the first row
   * on its tape. If there is a bid, price and ask are stored as differences from the bid, which takes less than half
   * the space; the last column is then 1.
   */
  add(name: string, prints: PrintColumns, from: number, to: number, position: number): void {
    const { known, ts, sequence, instrument, price, size, bid, ask, spot, flags, judged, exchange } = prints
    const head = Buffer.from(name)
    this.#makeRoom((to - from) * (head.length + MAX_NUMBERS_LENGTH))
    for (let k = from; k < to; k++) {
      this.#bytes.set(head, this.#length)
      this.#length += head.length
      this.#put(position + k - from)
      this.#put(known[k])
      this.#put(known[k] - ts[k])
      this.#put(sequence[k])
      this.#put(instrument[k])
      const floor = bid[k] === NO_PRICE ? 0 : bid[k]
      this.#put(price[k] - floor)
      this.#put(size[k])
      this.#put(bid[k])
      this.#put(ask[k] - floor)
      this.#put(spot[k])
      this.#put(flags[k])
      this.#put(judged[k])
      this.#put(exchange[k])
      this.#put(bid[k] === NO_PRICE ? 0 : 1)
      this.#bytes[this.#length - 1] = NEWLINE
    }
  }

  /** Returns the rows so far and begins a new collection. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  /** Writes a whole number below 2^53 and a tab. */
  #put(value: number): void {
    if (value < 0) {
      this.#bytes[this.#length++] = MINUS
      value = -value
    }
    if (value >= BILLION) {
      const front = Math.floor(value / BILLION)
      this.#length += this.#digits(front, digitsOf(front))
      this.#length += this.#digits(value - front * BILLION, 9)
    } else this.#length += this.#digits(value, digitsOf(value))
    this.#bytes[this.#length++] = TAB
  }

  /** Writes the last `count` digits of a number below a billion; returns `count`. */
  #digits(value: number, count: number): number {
    let rest = value | 0
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const tenth = (rest / 10) | 0
      this.#bytes[at] = ZERO + rest - 10 * tenth
      rest = tenth
    }
    return count
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const longer = new Uint8Array(Math.max(this.#length + bytes, 2 * this.#bytes.length))
    longer.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = longer
  }
}

function digitsOf(value: number): number {
  let count = 1
  for (let most = 10; value >= most; most *= 10) count++
  return count
}

import { NO_PRICE, type PrintColumns } from '../../market/print.ts'

const ZERO = 48
const MINUS = 45
const TAB = 9
const NEWLINE = 10

/** Bytes that a row may take: 14 numbers of at most 17 characters, each with what ends it. */
const MAX_NUMBERS_LENGTH = 14 * 18
/** The largest number whose quotients and remainders are found in 32 bits. */
const BILLION = 1_000_000_000

/**
 * Rows of prints as text, written digit by digit: they are whole numbers throughout, and millions of them a session. A
 * row made of a text for each number costs ten times as much, most of it in collecting them again.
 */
export class PrintRows {
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  get length(): number {
    return this.#length
  }

  /**
   * Appends rows `from` to `to`, the first of which has a position on its tape: what they begin with, the position, when a
   * print became known and how long after it was made, then its figures. Where there is a bid, price and ask stand as what
   * they lie above it, and the last number is 1: that way they take less than half the room in the archive.
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

  /** The rows so far; nothing is left. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  /** A whole number that a double says exactly, and a tab. */
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

  /** The last `count` digits of a number below a billion. */
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

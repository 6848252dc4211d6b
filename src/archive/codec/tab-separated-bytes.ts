const ZERO = 48
const MINUS = 45
const TAB = 9
const NEWLINE = 10
const COMMA = 44
const OPEN = 91
const CLOSE = 93

/** Numbers below this are split into digits with 32-bit arithmetic. */
const BILLION = 1_000_000_000
/** Characters of a 32-bit number with its sign and a separator. */
const MAX_NUMBER_LENGTH = 12
const FIRST_CAPACITY = 1 << 16
/** Bytes that one UTF-16 unit takes in UTF-8 at most. */
const BYTES_PER_UNIT = 3

const utf8 = new TextEncoder()

/**
 * Rows of the TabSeparated format as bytes. Whole numbers are written digit by digit: a session has a hundred million of
 * them, and creating a string for each takes ten times as long, mostly for garbage collection.
 */
export class TabSeparatedBytes {
  #bytes = new Uint8Array(FIRST_CAPACITY)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The text so far, in memory that is written anew after `clear`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  /** Returns the text so far in memory of its own, and begins a new text. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  /** Makes room for so many bytes. The methods that write one number or one byte need it. */
  reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const longer = new Uint8Array(Math.max(this.#length + bytes, 2 * this.#bytes.length))
    longer.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = longer
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Writes a field that is escaped already. */
  text(text: string): void {
    this.reserve(BYTES_PER_UNIT * text.length)
    this.#length += utf8.encodeInto(text, this.#bytes.subarray(this.#length)).written
  }

  tab(): void {
    this.reserve(1)
    this.#bytes[this.#length++] = TAB
  }

  endRow(): void {
    this.reserve(1)
    this.#bytes[this.#length++] = NEWLINE
  }

  /** Ends a row in place of the tab that was written last. */
  endRowAtTab(): void {
    this.#bytes[this.#length - 1] = NEWLINE
  }

  /** Writes an array of whole numbers, of `order` in that order. */
  wholes(values: Int32Array | Uint8Array, order?: Uint32Array): void {
    this.reserve(2 + values.length * MAX_NUMBER_LENGTH)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = OPEN
    for (let k = 0; k < values.length; k++) {
      let value = values[order === undefined ? k : order[k]]
      if (value < 0) {
        bytes[at++] = MINUS
        value = -value
      }
      if (value < 10) bytes[at++] = ZERO + value
      else {
        const count = digitsOf(value)
        let rest = value >>> 0
        for (let place = at + count - 1; place >= at; place--) {
          const tenth = (rest / 10) >>> 0
          bytes[place] = ZERO + rest - 10 * tenth
          rest = tenth
        }
        at += count
      }
      bytes[at++] = COMMA
    }
    if (values.length > 0) at--
    bytes[at++] = CLOSE
    this.#length = at
  }

  /** Writes a whole number below 2^53 and a tab. */
  wholeAndTab(value: number): void {
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
}

function digitsOf(value: number): number {
  let count = 1
  for (let most = 10; value >= most; most *= 10) count++
  return count
}

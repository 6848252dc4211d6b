import { powers, roundTo } from './rounding.ts'

// Writes JSON directly as bytes. Joining formatted strings and encoding them takes about twice as long on responses of
// 100 kB and more, and four times on a whole option chain of 5 MB (Node 20 to 24).

const INITIAL_SIZE = 2 ** 16
/** A buffer of up to this many bytes is kept and used for the next text; a larger one is released. */
const MAX_KEPT = 2 ** 22
const [MINUS, POINT, ZERO, QUOTE, BACKSLASH] = [0x2d, 0x2e, 0x30, 0x22, 0x5c]
const [FIRST_PRINTABLE, LAST_PRINTABLE] = [0x20, 0x7e]
/**
 * Whole numbers below this have at most 15 digits. Divided by a power of ten, such a number gives a double that prints
 * with exactly these digits.
 */
const MAX_DIGITS = 1e15
/** JavaScript prints smaller numbers with an exponent. */
const MIN_PLAIN = 1e-6

const encoder = new TextEncoder()
let bytes = new Uint8Array(INITIAL_SIZE)
let at = 0

/**
 * Calls `write` and returns the bytes that it wrote. `write` must not wait for anything, because all texts share one
 * buffer.
 */
export function bytesOf(write: () => void): Uint8Array {
  at = 0
  write()
  const made = bytes.slice(0, at)
  if (bytes.length > MAX_KEPT) bytes = new Uint8Array(INITIAL_SIZE)
  return made
}

function makeRoom(count: number): void {
  if (at + count <= bytes.length) return
  const larger = new Uint8Array(2 * (at + count))
  larger.set(bytes.subarray(0, at))
  bytes = larger
}

export function putCode(code: number): void {
  makeRoom(1)
  bytes[at++] = code
}

/** Writes a few bytes one by one. For so few a loop is faster than a block copy. */
export function putBytes(some: Uint8Array): void {
  const count = some.length
  makeRoom(count)
  const [into, from] = [bytes, at]
  for (let k = 0; k < count; k++) into[from + k] = some[k]
  at += count
}

export function putText(text: string): void {
  makeRoom(3 * text.length)
  at += encoder.encodeInto(text, bytes.subarray(at)).written
}

export function putString(value: string): void {
  const { length } = value
  makeRoom(length + 2)
  bytes[at] = QUOTE
  for (let k = 0; k < length; k++) {
    const code = value.charCodeAt(k)
    if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE || code === QUOTE || code === BACKSLASH) {
      putText(JSON.stringify(value))
      return
    }
    bytes[at + 1 + k] = code
  }
  at += length + 2
  bytes[at - 1] = QUOTE
}

/**
 * Writes a finite number with at most `decimals` decimals. It is rounded as `roundTo` rounds, and looks as JavaScript
 * prints it.
 */
export function putRounded(x: number, decimals: number): void {
  const scale = powers[decimals]
  const size = Math.abs(x)
  const scaled = size * scale
  const below = Math.floor(scaled)
  const part = scaled - below
  // Three kinds of number take the slow path: those so near a half that their decimal digits must decide, those printed
  // with an exponent, and those with large scales (where `scaled` is NaN).
  const isClear = Math.abs(part - 0.5) > scaled * 2 ** -51 && scaled < MAX_DIGITS
  const digits = part < 0.5 ? below : below + 1
  if (!isClear || (digits !== 0 && digits < MIN_PLAIN * scale)) putText(`${roundTo(x, decimals)}`)
  else putDecimal(x < 0, digits, decimals, scale)
}

/** Writes the decimal number digits / 10^decimals without trailing zeros; `scale` is 10^decimals. */
function putDecimal(isNegative: boolean, digits: number, decimals: number, scale: number): void {
  makeRoom(40)
  if (isNegative && digits !== 0) bytes[at++] = MINUS
  const whole = Math.floor(digits / scale)
  putDigits(whole, countOf(whole))
  const rest = digits - whole * scale
  if (rest === 0) return
  bytes[at++] = POINT
  putDigits(rest, decimals)
  while (bytes[at - 1] === ZERO) at--
}

/** Writes a whole number with `count` digits, padded with zeros. */
function putDigits(whole: number, count: number): void {
  let rest = whole
  let place = (at += count)
  // Nine digits at a time, because 32-bit numbers divide faster.
  for (; rest >= 1e9; place -= 9) {
    const above = Math.floor(rest / 1e9)
    putSmall((rest - above * 1e9) | 0, place - 9, place)
    rest = above
  }
  putSmall(rest | 0, at - count, place)
}

function putSmall(digits: number, from: number, to: number): void {
  const into = bytes
  let rest = digits
  for (let place = to - 1; place >= from; place--) {
    const above = (rest / 10) | 0
    into[place] = ZERO + rest - 10 * above
    rest = above
  }
}

function countOf(whole: number): number {
  let count = 1
  while (whole >= powers[count]) count++
  return count
}

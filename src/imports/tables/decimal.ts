const MINUS = 45
const POINT = 46
const ZERO = 48
const MAX_DIGITS = 15
const powersOfTen = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, k) => 10 ** k)

/**
 * The double nearest to the decimal number in the ASCII bytes from `start` to `end`. It may have a minus sign and a
 * decimal point (or another byte in its place) anywhere, `.5` and `5.` included. NaN for anything else, including more than 15 digits.
 */
export function decimalIn(bytes: Uint8Array, start: number, end: number, decimal = POINT): number {
  const first = bytes[start] === MINUS ? start + 1 : start
  let value = 0
  let point = -1
  for (let at = first; at < end; at++) {
    const digit = bytes[at] - ZERO
    if (digit >= 0 && digit <= 9) value = value * 10 + digit
    else if (bytes[at] === decimal && point < 0) point = at
    else return Number.NaN
  }
  const digits = end - first - (point < 0 ? 0 : 1)
  if (digits <= 0 || digits > MAX_DIGITS) return Number.NaN
  // Fifteen digits and the power of ten are exact, so one division rounds as parsing the text would.
  if (point >= 0) value /= powersOfTen[end - point - 1]
  return first > start ? -value : value
}

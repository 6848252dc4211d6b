const MINUS = 45
const POINT = 46
const ZERO = 48
const MAX_DIGITS = 15
const powersOfTen = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, k) => 10 ** k)

/**
 * The number that stands between `start` and `end` as ASCII digits, with or without a minus before and with or without
 * a point anywhere among them, `.5` and `5.` included: the double nearest to it. NaN for anything else, more than 15
 * digits included.
 */
export function decimalIn(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start
  let value = 0
  let point = -1
  for (let at = first; at < end; at++) {
    const digit = bytes[at] - ZERO
    if (digit >= 0 && digit <= 9) value = value * 10 + digit
    else if (bytes[at] === POINT && point < 0) point = at
    else return Number.NaN
  }
  const digits = end - first - (point < 0 ? 0 : 1)
  if (digits <= 0 || digits > MAX_DIGITS) return Number.NaN
  // Fifteen digits are exact, and so is the power of ten: one division rounds as the text itself would.
  if (point >= 0) value /= powersOfTen[end - point - 1]
  return first > start ? -value : value
}

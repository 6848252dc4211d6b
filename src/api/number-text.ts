const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const wholeNumber = /^(0|-?[1-9]\d*)$/

/**
 * Parses a decimal number such as -0.5 or 1e3. Undefined for hexadecimal numbers, for words such as Infinity, and for
 * numbers too large for a double.
 */
export function readNumber(text: string): number | undefined {
  const value = plainNumber.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value + 0 : undefined
}

/** Parses a whole number. Undefined if a double cannot hold it exactly. */
export function readWhole(text: string): number | undefined {
  const value = wholeNumber.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

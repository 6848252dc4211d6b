const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const wholeNumber = /^(0|-?[1-9]\d*)$/

/** Parses a decimal number as people write it: no hexadecimal, no words, nothing that overflows. */
export function readNumber(text: string): number | undefined {
  const value = plainNumber.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value + 0 : undefined
}

/** Parses a whole number that a double holds exactly. */
export function readWhole(text: string): number | undefined {
  const value = wholeNumber.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

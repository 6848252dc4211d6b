/** Characters with which a spreadsheet begins a formula, also in their full width. Source: OWASP, CSV Injection. */
const beginsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Formats a cell of a CSV table. Null and undefined are empty cells. A text that a spreadsheet would read as a formula
 * gets an apostrophe before it; numbers stay numbers, negative ones too. Quoted where RFC 4180 asks for it.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const written = String(value)
  const text = beginsFormula.test(written) && !isNumber.test(written) ? `'${written}` : written
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats a line of a CSV table, without its end. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(csvCell).join(',')
}

const QUOTE = 34
const LF = 10

/** Number of lines in a part of a table whose lines end with LF. Line ends within quotes belong to a cell. */
export function countCsvRows(part: Uint8Array): number {
  let rows = 0
  let isQuoted = false
  for (const byte of part) {
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === LF && !isQuoted) rows++
  }
  return rows
}

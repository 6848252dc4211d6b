import { decimalIn } from './decimal.ts'
import { numberIn } from './number-forms.ts'

/** One line of a CSV file, split into fields without copying its bytes. The next call of `cutLine` overwrites it. */
export interface Line {
  bytes: Buffer
  /** Number of fields; 0 for an empty line. */
  count: number
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly dialect: Dialect
}

/** How a table writes its fields and numbers. */
export interface Dialect {
  /** Byte between two fields. */
  readonly delimiter: number
  /** Byte between whole numbers and fractions: a point or a comma. */
  readonly decimal: number
}

const MAX_FIELDS = 1024

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const SPACE = 32
export const COMMA = 44
export const POINT = 46
export const plainDialect: Dialect = { delimiter: COMMA, decimal: POINT }

export function emptyLine(dialect: Dialect = plainDialect): Line {
  return {
    dialect,
    bytes: Buffer.alloc(0),
    count: 0,
    starts: new Int32Array(MAX_FIELDS),
    ends: new Int32Array(MAX_FIELDS)
  }
}

/**
 * Splits the line that begins at `from`; returns the start of the next line. The delimiter of the line's dialect
 * separates fields. A field in double quotes may contain it, blanks may stand before the quotes, and its quotes are removed. Fields beyond the 1,024th are dropped. Source: RFC 4180,
 * except that a field never spans lines.
 */
export function cutLine(line: Line, bytes: Buffer, from: number): number {
  const { starts, ends } = line
  const { delimiter } = line.dialect
  const length = bytes.length
  let count = 0
  let start = from
  let i = from
  line.bytes = bytes
  for (;;) {
    let end = -1
    if (bytes[i] === SPACE) i = afterBlanks(bytes, i)
    if (i < length && bytes[i] === QUOTE) {
      start = ++i
      while (i < length && bytes[i] !== NEWLINE && (bytes[i] !== QUOTE || bytes[i + 1] === QUOTE)) {
        i += bytes[i] === QUOTE ? 2 : 1
      }
      end = i
    }
    while (i < length && bytes[i] !== delimiter && bytes[i] !== NEWLINE) i++
    const atEnd = i >= length || bytes[i] === NEWLINE
    if (end < 0) end = atEnd && i > start && bytes[i - 1] === RETURN ? i - 1 : i
    if (count < MAX_FIELDS) {
      starts[count] = start
      ends[count++] = end
    }
    if (atEnd) break
    start = ++i
  }
  line.count = count === 1 && starts[0] === ends[0] ? 0 : count
  return i + 1
}

/** Position of the quote that follows blanks; `from` if something else follows them. */
function afterBlanks(bytes: Buffer, from: number): number {
  let i = from
  while (bytes[i] === SPACE) i++
  return bytes[i] === QUOTE ? i : from
}

/** Text of a field, trimmed; empty if the line has no such field. */
export function textOf(line: Line, field: number): string {
  if (field >= line.count) return ''
  const [start, end] = [line.starts[field], line.ends[field]]
  let text = line.bytes.toString('utf8', start, end).trim()
  if (text.includes('\ufffd')) text = line.bytes.toString('latin1', start, end).trim() // it is no UTF-8
  return unwrapped(text.includes('""') ? text.replaceAll('""', '"') : text)
}

/**
 * Matches what programs leave around a value: np.float64(50.0), Decimal('50.0'), Timestamp('2024-03-05 00:00:00') and b'KO' of
 * Python, ="50" and '50 of spreadsheets, and quotation marks of a text program.
 */
const wrapping =
  /^(?:(?:np|numpy)\.[a-z]+\d*_?\((.*)\)|(?:Decimal|Timestamp|(?:np\.)?datetime64)\('(.*)'\)|="(.*)"|b?'([^']*)'?|[“”„](.*)[“”])$/
const marksBefore = "'“”„"
const marksAfter = ')\'"“”'

function unwrapped(text: string): string {
  if (text === '' || !(marksAfter.includes(text[text.length - 1]) || marksBefore.includes(text[0]))) return text
  const [, ...inner] = wrapping.exec(text) ?? []
  const value = inner.find((each) => each !== undefined)
  return value === undefined ? text : unwrapped(value.trim())
}

/** Says of a row that it has more fields than its heading, not counting empty ones at its end. */
export function surplusFields(line: Line, fields: number): { readonly wrong: string } | undefined {
  let count = line.count
  while (count > fields && textOf(line, count - 1) === '') count--
  if (count <= fields) return undefined
  return {
    wrong: `it has ${count} fields, and its heading ${fields}: a figure may hold the sign that separates fields`
  }
}

/** Whether a field equals an ASCII text. This is faster than converting the field to a string. */
export function fieldEquals({ bytes, count, starts, ends }: Line, field: number, text: string): boolean {
  if (field >= count) return text === ''
  const start = starts[field]
  if (ends[field] - start !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false
  return true
}

/** Number in a field; NaN if the field means "no value", undefined if it holds any other text. */
export function numberOf(line: Line, field: number): number | undefined {
  if (field >= line.count) return Number.NaN
  const start = line.starts[field]
  const end = line.ends[field]
  if (start === end) return Number.NaN
  const value = decimalIn(line.bytes, start, end, line.dialect.decimal)
  return Number.isNaN(value) ? numberIn(textOf(line, field), line.dialect.decimal === COMMA) : value
}

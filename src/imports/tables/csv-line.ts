import { decimalIn } from './decimal.ts'

/** One line of a CSV file, split into fields without copying its bytes. The next call of `cutLine` overwrites it. */
export interface Line {
  bytes: Buffer
  /** Number of fields; 0 for an empty line. */
  count: number
  readonly starts: Int32Array
  readonly ends: Int32Array
}

const MAX_FIELDS = 1024

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const COMMA = 44

export function emptyLine(): Line {
  return {
    bytes: Buffer.alloc(0),
    count: 0,
    starts: new Int32Array(MAX_FIELDS),
    ends: new Int32Array(MAX_FIELDS)
  }
}

/**
 * Splits the line that begins at `from`; returns the start of the next line. Commas separate fields. A field in double
 * quotes may contain commas, and its quotes are removed. Fields beyond the 1,024th are dropped. Source: RFC 4180,
 * except that a field never spans lines.
 */
export function cutLine(line: Line, bytes: Buffer, from: number): number {
  const { starts, ends } = line
  const length = bytes.length
  let count = 0
  let start = from
  let i = from
  line.bytes = bytes
  for (;;) {
    let end = -1
    if (i < length && bytes[i] === QUOTE) {
      start = ++i
      while (i < length && bytes[i] !== NEWLINE && (bytes[i] !== QUOTE || bytes[i + 1] === QUOTE)) {
        i += bytes[i] === QUOTE ? 2 : 1
      }
      end = i
    }
    while (i < length && bytes[i] !== COMMA && bytes[i] !== NEWLINE) i++
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

/** Text of a field, trimmed; empty if the line has no such field. */
export function textOf(line: Line, field: number): string {
  if (field >= line.count) return ''
  const text = line.bytes.toString('utf8', line.starts[field], line.ends[field]).trim()
  return text.includes('""') ? text.replaceAll('""', '"') : text
}

/** Whether a field equals an ASCII text. This is faster than converting the field to a string. */
export function fieldEquals({ bytes, count, starts, ends }: Line, field: number, text: string): boolean {
  if (field >= count) return text === ''
  const start = starts[field]
  if (ends[field] - start !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false
  return true
}

const absent = /^(|\.|-|nan|na|n\/a|#n\/a|null|none|nil|\\n)$/i

/** Whether a text means "no value": an empty text, a point (as in SAS), a dash, NaN, NA, null and the like. */
export function isAbsent(text: string): boolean {
  return absent.test(text)
}

/** Number in a field; NaN if the field means "no value", undefined if it holds any other text. */
export function numberOf(line: Line, field: number): number | undefined {
  if (field >= line.count) return Number.NaN
  const start = line.starts[field]
  const end = line.ends[field]
  if (start === end) return Number.NaN
  const value = decimalIn(line.bytes, start, end)
  return Number.isNaN(value) ? numberFrom(textOf(line, field)) : value
}

function numberFrom(text: string): number | undefined {
  if (isAbsent(text)) return Number.NaN
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

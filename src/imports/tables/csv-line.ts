import { decimalIn } from '../../market/decimal.ts'

/** One line of a CSV file, cut into fields without being copied. The next cut overwrites it. */
export interface Line {
  bytes: Buffer
  /** Fields of the line; 0 for an empty one. */
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
 * Cuts the line that begins at `from` and returns where the next one begins. Fields are separated by commas; one in
 * double quotes may hold commas, and is shown without its quotes. No field reaches over the end of a line. Fields
 * beyond the 1,024th are dropped. Source: RFC 4180, but for line breaks inside quotes.
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

/** The text of a field, without surrounding blanks. A field that is not there reads as empty. */
export function textOf(line: Line, field: number): string {
  if (field >= line.count) return ''
  const text = line.bytes.toString('utf8', line.starts[field], line.ends[field]).trim()
  return text.includes('""') ? text.replaceAll('""', '"') : text
}

/** Whether a field holds exactly this text, which is quicker than reading it. The text must be ASCII. */
export function fieldEquals({ bytes, count, starts, ends }: Line, field: number, text: string): boolean {
  if (field >= count) return text === ''
  const start = starts[field]
  if (ends[field] - start !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false
  return true
}

const absent = /^(|\.|-|nan|na|n\/a|#n\/a|null|none|nil|\\n)$/i

/** Whether a text is what vendors write where there is nothing: no letter, a point (SAS), NaN, NA, null and the like. */
export function isAbsent(text: string): boolean {
  return absent.test(text)
}

/** The number in a field: NaN where it says that there is none, undefined where it holds anything else. */
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

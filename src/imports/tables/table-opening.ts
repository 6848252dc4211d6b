import { cutLine, type Dialect, emptyLine, type Line, textOf } from './csv-line.ts'

/** Lines of a table around its heading, by which the forms of its fields are recognized. */
export interface TableSample {
  /** Lines before the heading, as fields. */
  readonly preamble: readonly (readonly string[])[]
  /** Texts of a column in the first rows. */
  texts(column: number): readonly string[]
}

/** Number of lines among which the heading is searched. */
const MAX_PREAMBLE = 20
/** Number of rows in a sample. */
const SAMPLE = 1000

export interface Opening<Reader> {
  readonly reader: Reader
  /** Position of the first byte after the heading, and number of lines up to it. */
  readonly end: number
  readonly lines: number
  /** Names of its columns in lower case, to recognize it where it is repeated. */
  readonly names: readonly string[]
}

/**
 * Finds the heading of a table among its first lines: the first line of which `readerOf` makes a reader without a
 * problem. If there is none, returns the reader of the widest line. Undefined if there is no line.
 */
export function openingOf<Reader extends { readonly problem: string | undefined }>(
  bytes: Buffer,
  dialect: Dialect,
  readerOf: (heading: Line, sample: TableSample) => Reader
): Opening<Reader> | undefined {
  const preamble: (readonly string[])[] = []
  let widest: { readonly opening: Opening<Reader>; readonly fields: number } | undefined
  for (let at = 0, lines = 1; at < bytes.length && preamble.length < MAX_PREAMBLE; lines++) {
    // The line is a new one each time, because its reader may keep it.
    const line = emptyLine(dialect)
    at = cutLine(line, bytes, at)
    if (line.count === 0) continue
    const reader = readerOf(line, sampleAfter(bytes, at, dialect, [...preamble]))
    const opening = { reader, end: at, lines, names: namesIn(line) }
    if (reader.problem === undefined) return opening
    if (widest === undefined || line.count > widest.fields) widest = { opening, fields: line.count }
    preamble.push(fieldsOf(line))
  }
  return widest?.opening
}

function sampleAfter(bytes: Buffer, from: number, dialect: Dialect, preamble: TableSample['preamble']): TableSample {
  let rows: (readonly string[])[] | undefined
  const read = () => {
    const found: (readonly string[])[] = []
    const line = emptyLine(dialect)
    for (let at = from; at < bytes.length && found.length < SAMPLE; ) {
      at = cutLine(line, bytes, at)
      found.push(fieldsOf(line))
    }
    return found
  }
  return {
    preamble,
    texts(column) {
      rows ??= read()
      return rows.flatMap((row) => (row[column] === undefined || row[column] === '' ? [] : [row[column]]))
    }
  }
}

/** Whether a line below a heading is that heading again, or one with other columns or another order of them. */
export function headingAgain(line: Line, names: readonly string[]): 'same' | 'other' | undefined {
  const texts = namesIn(line)
  if (texts.length === names.length && texts.every((text, at) => text === names[at])) return 'same'
  const again = new Set(texts.filter((text) => text !== '' && names.includes(text))).size
  return again >= FEWEST_AGAIN && 2 * again >= texts.length ? 'other' : undefined
}

/** Fewest names of columns by which a line is known as a heading. */
const FEWEST_AGAIN = 3

const namesIn = (line: Line) => fieldsOf(line).map((text) => text.toLowerCase())

function fieldsOf(line: Line): readonly string[] {
  return Array.from({ length: line.count }, (_, column) => textOf(line, column))
}

const origin =
  /^(downloaded|source|copyright|©|disclaimer|data (provided|as of)|note|total|generated|exported|end of)\b/i

/** Matches a count of rows under a table: 84 records, (84 rows affected). */
const countOfRows = /^\(?\d[\d,.]* (?:rows?|records?|lines?|results?|contracts?|options?)\b/i
/** Matches a cell of a row that sums the columns up. */
const sum = /^(?:grand )?totals?:?$|^sum:?$/i

/** Matches a cell of a line that is drawn between heading and rows: ---, :---:, ----+----. */
const drawn = /^[:+|=_-]{2,}$/

function isRule(line: Line): boolean {
  const cells = fieldsOf(line).filter((text) => text !== '')
  return cells.length > 0 && cells.every((text) => drawn.test(text))
}

/** Whether a line is a remark under a table, such as where it was downloaded, or sums it up, and is no row. */
export function isRemark(line: Line): boolean {
  for (let field = 0; field < line.count; field++) if (sum.test(textOf(line, field))) return true
  if (isRule(line)) return true
  for (let field = 1; field < line.count; field++) if (textOf(line, field) !== '') return false
  const text = textOf(line, 0)
  return origin.test(text) || countOfRows.test(text) || (text.match(/[A-Za-z]{4,}/g) ?? []).length >= 3
}

/** Whether all fields of a line with several are empty. */
export function isBlank({ count, starts, ends }: Line): boolean {
  return count > 1 && ends[count - 1] - starts[0] === count - 1
}

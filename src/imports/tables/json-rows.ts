import { jsonFault } from '../../market/json-fault.ts'
import { FilesError } from '../import-files.ts'
import { reasonOf } from '../import-writer.ts'

/** Whether a text begins as JSON does. */
export function isJson(text: Buffer): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*\{)/.test(text.toString('latin1', 0, 200))
}

/** Maximum size of a JSON document that is not written line by line, bytes. */
const MAX_DOCUMENT = 256 * 1024 * 1024

/** Maximum length of a line of a JSON text with a row in each line, and of objects within objects. */
const MAX_LINE = 1024 * 1024
const MAX_DEPTH = 8

type Cells = Readonly<Record<string, unknown>>

/**
 * Converts JSON to lines of CSV: an object in each line, a list of objects, an object that holds such lists of one table
 * (calls and puts), or an object of columns. Objects within objects fill columns such as `details.ticker`. The names of all columns must be
 * among the first objects. Throws a `FilesError` that names the line.
 */
export async function* jsonRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let text = ''
  let columns: readonly string[] | undefined
  let line = 0
  let isByLine: boolean | undefined
  const decoder = new TextDecoder()
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true })
    isByLine ??= isRowByRow(text)
    if (!isByLine) {
      if (text.length > MAX_DOCUMENT)
        throw new FilesError('it is one JSON document of over 256 MB: write a line for each row')
      continue
    }
    const end = text.lastIndexOf('\n')
    if (end < 0) {
      if (text.length > MAX_LINE) throw new FilesError('it is no table: it has a line of over a megabyte')
      continue
    }
    const rows = text
      .slice(0, end)
      .split('\n')
      .flatMap((each) => rowIn(each, ++line))
    text = text.slice(end + 1)
    if (columns === undefined) yield heading((columns = namesIn(rows)))
    yield csvOf(rows, columns)
  }
  const rows = isByLine === true ? rowIn(text, ++line) : rowsOfDocument(text)
  if (columns === undefined) yield heading((columns = namesIn(rows)))
  yield csvOf(rows, columns)
}

/** Whether the first line is an object by itself: followed by another one, or without a list that could be the table. */
function isRowByRow(text: string): boolean {
  const [first, second = ''] = text.split('\n', 2)
  try {
    const value: unknown = JSON.parse(first)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return second.startsWith('{') || !Object.values(value).some(Array.isArray)
  } catch {
    return false
  }
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FilesError(`it is no JSON: ${jsonFault(text, reasonOf(error), line)}`)
  }
}

function rowIn(text: string, line: number): readonly Cells[] {
  if (text.trim() === '') return []
  return [flat(parsed(text, line) as Cells)]
}

const isRows = (value: unknown): value is readonly Cells[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)

function rowsOfDocument(text: string): readonly Cells[] {
  const document = parsed(text, 1)
  if (isRows(document)) return document.map((row) => flat(row))
  const lists = typeof document === 'object' && document !== null ? Object.entries(document) : []
  const tables = lists.map(([, list]) => list).filter(isRows)
  if (tables.length > 0 && tables.every((table) => haveSameNames(table[0], tables[0][0]))) {
    return tables.flat().map((row) => flat(row))
  }
  if (tables.length > 1) {
    const names = lists.filter(([, list]) => isRows(list)).map(([name]) => name)
    throw new FilesError(`its JSON holds several tables: ${names.join(', ')}`)
  }
  const columns = lists.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const length = columns[0]?.[1].length ?? 0
  if (length === 0 || columns.some(([, list]) => list.length !== length)) {
    throw new FilesError('its JSON holds no table: neither a list of objects nor columns of one length')
  }
  return Array.from({ length }, (_, row) => Object.fromEntries(columns.map(([name, list]) => [name, list[row]])))
}

/** Whether two rows are of one table, such as the first call and the first put of a chain. */
function haveSameNames(one: Cells, other: Cells): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => name in other)
}

function flat(row: Cells, depth = 0): Cells {
  if (depth > MAX_DEPTH) throw new FilesError(`its objects lie within more than ${MAX_DEPTH} others: it is no table`)
  const cells: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) cells[name] = value
    else for (const [inner, each] of Object.entries(flat(value as Cells, depth + 1))) cells[`${name}.${inner}`] = each
  }
  return cells
}

function namesIn(rows: readonly Cells[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

const cell = (value: unknown) => {
  if (value === null || value === undefined) return ''
  return typeof value === 'number'
    ? String(value)
    : `"${String(value)
        .replaceAll('"', '""')
        .replaceAll(/[\r\n]/g, ' ')}"`
}

const heading = (columns: readonly string[]) => Buffer.from(`${columns.map(cell).join(',')}\n`)

function csvOf(rows: readonly Cells[], columns: readonly string[]): Buffer {
  const known = new Set(columns)
  for (const row of rows) {
    const other = Object.keys(row).find((name) => !known.has(name))
    if (other !== undefined) throw new FilesError(`its first rows have no field ${other}, and later ones do`)
  }
  return Buffer.from(rows.map((row) => `${columns.map((name) => cell(row[name])).join(',')}\n`).join(''))
}

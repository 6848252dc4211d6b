import { jsonFault } from '../../market/json-fault.ts'
import { FilesError } from '../import-files.ts'
import { reasonOf } from '../import-writer.ts'
import { flat, type JsonCells, rowsOfDocument } from './json-document.ts'

/** Whether a text begins as JSON does. */
export function isJson(text: Buffer): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[{[])/.test(text.toString('latin1', 0, 200))
}

/** Maximum size of a JSON document that is not written line by line, bytes. */
const MAX_DOCUMENT = 256 * 1024 * 1024

/** Maximum length of a line of a JSON text with a row in each line. */
const MAX_LINE = 1024 * 1024

/**
 * Converts JSON to lines of CSV: an object in each line, or a document with a table (see `rowsOfDocument`). Objects within
 * objects fill columns such as `details.ticker`. The names of all columns must be among the first objects. Throws a
 * `FilesError` that names the line.
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
    if (isByLine !== true) {
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
    const first = columns === undefined ? heading((columns = namesIn(rows))) : ''
    yield Buffer.from(first + csvOf(rows, columns))
  }
  const rows = isByLine === true ? rowIn(text, ++line) : rowsOfDocument(parsed(text, 1))
  const first = columns === undefined ? heading((columns = namesIn(rows))) : ''
  yield Buffer.from(first + csvOf(rows, columns))
}

/** Whether the first line is an object by itself, followed by another one. Undefined if nothing follows it so far. */
function isRowByRow(text: string): boolean | undefined {
  const [, first, second] = /^\s*([^\n]*)\s*([^\n]?)/.exec(text)!
  if (second !== '' && !second.startsWith('{')) return false
  try {
    const value: unknown = JSON.parse(first)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return second === '' ? undefined : true
  } catch {
    return first.length < text.trimStart().length ? false : undefined
  }
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FilesError(`it is no JSON: ${jsonFault(text, reasonOf(error), line)}`)
  }
}

function rowIn(text: string, line: number): readonly JsonCells[] {
  if (text.trim() === '') return []
  return [flat(parsed(text, line) as JsonCells)]
}

function namesIn(rows: readonly JsonCells[]): readonly string[] {
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

const heading = (columns: readonly string[]) => `${columns.map(cell).join(',')}\n`

function csvOf(rows: readonly JsonCells[], columns: readonly string[]): string {
  const known = new Set(columns)
  for (const row of rows) {
    const other = Object.keys(row).find((name) => !known.has(name))
    if (other !== undefined) throw new FilesError(`its first rows have no field ${other}, and later ones do`)
  }
  return rows.map((row) => `${columns.map((name) => cell(row[name])).join(',')}\n`).join('')
}

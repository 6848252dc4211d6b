import { ARROW_STREAM, arrowBatch, arrowEnd, arrowHead, countArrowRows } from '../../formats/arrow/arrow-stream.ts'
import { joined } from '../../formats/arrow/buffers.ts'
import { countCsvRows, csvLine } from '../../formats/written-csv.ts'
import type { Zone } from '../serializer.ts'
import type { AnswerColumn } from './table-columns.ts'

/** A way to write a table: at once, or its beginning, its rows in parts, and its end. */
export interface TableForm {
  /** Word of the parameter `format`. */
  readonly name: string
  /** Media type: lower case, without parameters. */
  readonly type: string
  /** Clock that times are printed on; undefined for that of the request. A binary form holds instants. */
  readonly zone?: Zone
  readonly head: (columns: readonly AnswerColumn[]) => Uint8Array
  readonly part: (columns: readonly AnswerColumn[], rows: readonly (readonly unknown[])[]) => Uint8Array
  readonly end: Uint8Array
  /** Number of rows that `part` wrote. */
  readonly rowsIn: (part: Uint8Array) => number
}

const LF = 10
const nothing = new Uint8Array(0)
const utf8 = new TextEncoder()
const lines = (each: readonly string[]) => utf8.encode(each.map((line) => `${line}\n`).join(''))

/** A heading, and a line that ends with LF for each row. Null is an empty cell. Source: RFC 4180. */
const csv: TableForm = {
  name: 'csv',
  type: 'text/csv',
  head: (columns) => lines([csvLine(columns.map(({ name }) => name))]),
  part: (_, rows) => lines(rows.map(csvLine)),
  end: nothing,
  rowsIn: countCsvRows
}

/** Largest number of rows of an Arrow batch. */
const MAX_BATCH = 65_536

const arrow: TableForm = {
  name: 'arrow',
  type: ARROW_STREAM,
  zone: 'utc',
  head: arrowHead,
  part: (columns, rows) => {
    const batches: Uint8Array[] = []
    for (let from = 0; from < rows.length; from += MAX_BATCH) {
      const some = rows.slice(from, from + MAX_BATCH)
      const values = columns.map((_, at) => some.map((row) => row[at]))
      batches.push(arrowBatch(columns, values, some.length))
    }
    return joined(batches)
  },
  end: arrowEnd,
  rowsIn: countArrowRows
}

/** One JSON object a line, with every column of its row. */
const ndjson: TableForm = {
  name: 'ndjson',
  type: 'application/x-ndjson',
  head: () => nothing,
  part: (columns, rows) => {
    const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
    return lines(rows.map((row) => `{${names.map((name, at) => name + JSON.stringify(row[at] ?? null)).join()}}`))
  },
  end: nothing,
  rowsIn: (part) => part.reduce((count, byte) => count + (byte === LF ? 1 : 0), 0)
}

/** Forms in which every answer can be had besides JSON. */
export const tableForms: readonly TableForm[] = [csv, arrow]

/** Forms of tables of many answers. */
export const bulkForms: readonly TableForm[] = [ndjson, ...tableForms]

export function writtenTable(form: TableForm, columns: readonly AnswerColumn[], rows: readonly (readonly unknown[])[]) {
  return joined([form.head(columns), form.part(columns, rows), form.end])
}

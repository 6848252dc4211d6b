import { readSymbol } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import { filesAt } from '../import-files.ts'
import type { ImportWriter } from '../import-writer.ts'
import { type ColumnLayout, columnLayout, layoutByAliases } from './column-map.ts'
import { type Line, surplusFields } from './csv-line.ts'
import { insteadOfNumber, repeatedAt, tableSymbol, textAt } from './table-fields.ts'
import {
  eachTable,
  type ImportTableOptions,
  nameOfTable,
  reportedAs,
  type TableFile,
  type TableProgress,
  tableName
} from './table-file.ts'
import type { TableSample } from './table-opening.ts'
import { type RowReader, readTable, type UnusedRow } from './table-rows.ts'
import { type Forms, writtenForms } from './written-forms.ts'

type Layout<Field extends string> = ColumnLayout<Field | 'symbol'>

/** A table in which each row states something about a symbol, such as a dividend. */
export interface RowTable<Field extends string, Value> {
  readonly fields: readonly (Field | 'symbol')[]
  /**
   * Column names that vendors use for each field, in lower case with letters only. The first name found in the table
   * counts.
   */
  readonly namesOf: Readonly<Record<Field | 'symbol', readonly (string | RegExp)[]>>
  /** Fields whose texts show how the dates of the table are written. */
  readonly dates: readonly Field[]
  /** Matches what may follow the symbol in the name of a file: KO for KO_dividends.csv. */
  readonly nameEnding: RegExp
  /** Needed fields that no column of a layout fills. */
  readonly lacking: (layout: Layout<Field>) => readonly string[]
  readonly read: (line: Line, symbol: Ticker, layout: Layout<Field>, forms: Forms) => Value | UnusedRow
  /** Makes the collector of a table's rows. */
  readonly collect: (path: string, writer: ImportWriter) => RowCollector<Value>
}

export interface RowCollector<Value> {
  add(value: Value, line: number): void
  /** Called every few thousand rows; absent if nothing is written before the end of the table. */
  pause?(): Promise<void>
  /** Called after all rows of a table that was read to its end. */
  end(): Promise<void>
}

/** Imports tables whose rows are as declared. */
export async function importRows<Field extends string, Value extends object>(
  declared: RowTable<Field, Value>,
  paths: readonly string[],
  options: ImportTableOptions,
  writer: ImportWriter
): Promise<void> {
  const files = await filesAt(paths, tableName)
  await eachTable(files, options.archive, writer, (table, progress) =>
    importTable(declared, table, options, writer, progress)
  )
}

async function importTable<Field extends string, Value extends object>(
  declared: RowTable<Field, Value>,
  { path, text }: TableFile,
  options: ImportTableOptions,
  writer: ImportWriter,
  progress: TableProgress
): Promise<void> {
  const { fields, namesOf, dates } = declared
  const symbol = options.symbol ?? symbolInName(path, declared.nameEnding)
  const heading = (line: Line, sample: TableSample): RowReader<Value> => {
    const layout: Layout<Field> =
      options.columns === undefined ? layoutByAliases(line, namesOf) : columnLayout(line, options.columns, fields)
    const dated = dates.flatMap((field) => {
      const place = layout[field]
      return place === undefined ? [] : sample.texts(place.column)
    })
    const forms = writtenForms(dated, options.forms)
    const read = rowReader(declared, layout, symbol, forms)
    return { problem: problemOf(declared, layout, symbol), read: (row) => surplusFields(row, line.count) ?? read(row) }
  }
  const collector = declared.collect(path, writer)
  const row = (value: Value, line: number) => {
    collector.add(value, line)
    return undefined
  }
  const pause = async (read: number) => {
    await collector.pause?.()
    await progress(read)
    return !writer.signal.aborted
  }
  const isWhole = await readTable(text, heading, { row, pause }, reportedAs(path, writer), options.forms?.decimal)
  if (isWhole) await collector.end()
}

/** Symbol in a file name: KO for KO.csv and, with that ending, for KO_dividends.csv. Undefined for other names. */
function symbolInName(path: string, ending: RegExp): Ticker | undefined {
  const name = nameOfTable(path, ending)
  return name === undefined ? undefined : readSymbol(name)
}

function problemOf<Field extends string, Value>(
  { lacking }: RowTable<Field, Value>,
  layout: Layout<Field>,
  symbol: Ticker | undefined
): string | undefined {
  if (layout.symbol === undefined && symbol === undefined) return 'nothing says which symbol it is of: give --symbol'
  const needed = lacking(layout)
  return needed.length === 0 ? undefined : `no column fills ${needed.join(', ')}`
}

function rowReader<Field extends string, Value>(
  { read }: RowTable<Field, Value>,
  layout: Layout<Field>,
  symbol: Ticker | undefined,
  forms: Forms
): (line: Line) => Value | UnusedRow {
  const symbolIn = repeatedAt(layout.symbol, tableSymbol)
  return (line) => {
    const owner = layout.symbol === undefined ? symbol : symbolIn(line)
    return owner === undefined ? wrongField(line, layout, 'symbol', 'symbol') : read(line, owner, layout, forms)
  }
}

/** Says of a row that a field of it cannot be read; `name` is what people call the field. */
export function wrongField<Field extends string>(
  line: Line,
  layout: ColumnLayout<Field>,
  name: string,
  field: Field
): UnusedRow {
  const text = textAt(line, layout[field])
  return { wrong: `its ${name} is ${JSON.stringify(text)}${field === 'symbol' ? insteadOfNumber(text) : ''}` }
}

import type { Endpoint } from '../endpoint.ts'
import type { SchemaNode } from '../schema-node.ts'
import { answerTables } from './answer-table.ts'
import { bulkForms } from './forms.ts'
import { compiledTable, type FixedName, fixedNames, type Table } from './table.ts'
import type { AnswerColumn } from './table-columns.ts'

/** Which columns a table of many answers has. */
export interface PartShape {
  /** Path of an array, or `*`; undefined for the figures of the answer itself. */
  readonly rows?: string | undefined
  readonly parents?: boolean | undefined
  /** Columns after the fixed ones, in this order; undefined for all. */
  readonly fields?: readonly string[] | undefined
  /** Whether absent answers have a row with the code of their error. */
  readonly missing?: 'row' | 'skip' | undefined
}

/** The rows of one answer in a table of many. */
export interface TablePart extends PartShape {
  /** Name of the form that the rows are written in, one of `bulkForms`. */
  readonly format: string
  /** Symbol and moment that were asked for; the moment as on the wire, null for now. */
  readonly symbol: string
  readonly at: string | null
}

const MAX_COMPILED = 200
const error: AnswerColumn = {
  name: 'error',
  type: 'string',
  nullable: true,
  unit: undefined,
  description: 'code of the error instead of an answer; null where there is one',
  words: undefined
}

const compiled = new Map<string, Table>()

/**
 * The table that parts of this shape have: the fixed columns, `error` if absent answers have rows, then those of the
 * answers. Throws for rows or fields that there are not; `answerTables` and the table without `fields` list them.
 */
export function partTable(endpoint: Endpoint, shape: PartShape): Table {
  const { rows, parents, fields, missing } = shape
  const key = JSON.stringify([endpoint.id, rows, parents, fields, missing])
  let table = compiled.get(key)
  if (table === undefined) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    table = shapedTable(wholeTable(endpoint, shape), shape)
    compiled.set(key, table)
  }
  return table
}

/** A table with the columns that are wanted, and `error` where absent answers have rows. Throws for unknown columns. */
export function shapedTable(table: Table, { fields, missing }: PartShape): Table {
  return withError(chosen(table, fields), missing === 'row')
}

function wholeTable({ response }: Endpoint, { rows, parents }: PartShape): Table {
  return compiledTable(response as SchemaNode, { rows, fixed: fixedNames, parents: parents ?? false })
}

function chosen({ columns, read }: Table, fields: readonly string[] | undefined): Table {
  if (fields === undefined) return { columns, read }
  const fixed: readonly string[] = fixedNames
  const names = [...fixed, ...fields.filter((name) => !fixed.includes(name))]
  const places = names.map((name) => columns.findIndex((column) => column.name === name))
  if (places.includes(-1)) throw new Error(`there is no column ${names[places.indexOf(-1)]}`)
  return {
    columns: places.map((place) => columns[place]),
    read: (answer, values) => read(answer, values).map((cells) => places.map((place) => cells[place]))
  }
}

function withError({ columns, read }: Table, hasError: boolean): Table {
  if (!hasError) return { columns, read }
  const first = fixedNames.length
  return {
    columns: columns.toSpliced(first, 0, error),
    read: (answer, values) => read(answer, values).map((cells) => cells.toSpliced(first, 0, null))
  }
}

/** The row of an answer that there is not: what was asked for, and the code of the error. */
export function absentRow(
  { columns }: Table,
  { symbol, at }: Pick<TablePart, 'symbol' | 'at'>,
  code: string
): unknown[] {
  const known: Readonly<Record<FixedName | 'error', unknown>> = { symbol, at, as_of: null, error: code }
  return columns.map(({ name }, place) =>
    place <= fixedNames.length && Object.hasOwn(known, name) ? known[name as FixedName] : null
  )
}

/** Writes the rows of a parsed answer, without head and end. */
export function partBytes(endpoint: Endpoint, part: TablePart, answer: unknown, as_of: string | null): Uint8Array {
  const form = bulkForms.find(({ name }) => name === part.format)!
  const { columns, read } = partTable(endpoint, part)
  return form.part(columns, read(answer, { symbol: part.symbol, at: part.at, as_of }))
}

/** Names that `rows` may have for an endpoint, besides none. */
export const rowNames = (endpoint: Endpoint) => answerTables(endpoint).names.slice(1)

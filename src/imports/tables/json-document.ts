import { FilesError } from '../import-files.ts'

/** A row of a table, by the names of its columns. */
export type JsonCells = Readonly<Record<string, unknown>>

/** Most objects within others. */
const MAX_DEPTH = 8

interface FoundTable {
  /** Name under which the document holds the table. */
  readonly name: string
  readonly rows: readonly JsonCells[]
}

/**
 * Rows of a JSON document: a list of objects, such lists of one table anywhere in it (calls and puts, or one for each
 * strike), objects by row or by column as pandas writes them, or lists by column. Single values beside the rows, such as
 * a symbol, fill columns of all rows.
 */
export function rowsOfDocument(document: unknown): readonly JsonCells[] {
  if (isRows(document)) return document.map((row) => flat(row))
  if (!isObject(document)) throw new FilesError(noTable)
  const byColumn = splitRows(document) ?? columnRows(document)
  if (byColumn !== undefined) return byColumn
  const tables: FoundTable[] = []
  const values: Record<string, unknown> = {}
  collect(document, '', 0, tables, values)
  if (tables.length === 0) return singleRow(values)
  const [first] = tables
  const other = tables.find(({ rows }) => !haveSameNames(first.rows[0], rows[0]))
  if (other !== undefined) {
    const names = new Set(tables.map(({ name }) => name))
    throw new FilesError(`its JSON holds several tables: ${[...names].slice(0, 5).join(', ')}`)
  }
  return tables.flatMap(({ rows }) => rows.map((row) => ({ ...values, ...flat(row) })))
}

const noTable = 'its JSON holds no table: neither a list of objects nor columns of one length'

const isObject = (value: unknown): value is JsonCells =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRows = (value: unknown): value is readonly JsonCells[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Collects the tables in an object, and the single values beside them. */
function collect(
  within: JsonCells,
  path: string,
  depth: number,
  tables: FoundTable[],
  values: Record<string, unknown>
) {
  if (depth > MAX_DEPTH) throw new FilesError(tooDeep)
  for (const [key, value] of Object.entries(within)) {
    const name = path === '' ? key : `${path}.${key}`
    const rows = isRows(value) ? value : isObject(value) ? labelledRows(value) : undefined
    if (rows !== undefined) tables.push({ name, rows })
    else if (isObject(value)) collect(value, name, depth + 1, tables, values)
    else if (!Array.isArray(value)) values[name] = value
  }
}

/** Matches labels of rows: numbers, and dates. */
const label = /^\d+$|^\d{4}-\d{2}-\d{2}/

/** Rows of an object of objects with equal names: by row as `index` writes them, or by column. The labels fill `index`. */
function labelledRows(value: JsonCells): readonly JsonCells[] | undefined {
  const entries = Object.entries(value)
  if (entries.length === 0 || !entries.every((entry): entry is [string, JsonCells] => isObject(entry[1])))
    return undefined
  const [[, first]] = entries as [string, JsonCells][]
  const names = Object.keys(first)
  if (names.length === 0 || Object.values(first).some((each) => typeof each === 'object' && each !== null))
    return undefined
  if (!entries.every(([, each]) => haveSameNames(first, each as JsonCells))) return undefined
  if (entries.every(([key]) => label.test(key)))
    return entries.map(([index, row]) => ({ index, ...(row as JsonCells) }))
  if (!names.every((name) => label.test(name))) return undefined
  return names.map((index) => ({
    index,
    ...Object.fromEntries(entries.map(([column, cells]) => [column, (cells as JsonCells)[index]]))
  }))
}

/** Rows of `columns` and `data`, as pandas writes them by `split`. */
function splitRows({ columns, data, index }: JsonCells): readonly JsonCells[] | undefined {
  if (!Array.isArray(columns) || !Array.isArray(data) || !data.every(Array.isArray)) return undefined
  return data.map((row: readonly unknown[], at) => ({
    ...(Array.isArray(index) ? { index: index[at] } : {}),
    ...Object.fromEntries(columns.map((name, k) => [String(name), row[k]]))
  }))
}

/** Rows of an object of lists of one length, or of an object of columns. */
function columnRows(document: JsonCells): readonly JsonCells[] | undefined {
  const labelled = labelledRows(document)
  if (labelled !== undefined) return labelled
  const columns = Object.entries(document).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const length = columns[0]?.[1].length ?? 0
  if (length === 0 || columns.some(([, list]) => list.length !== length || isRows(list))) return undefined
  return Array.from({ length }, (_, row) => Object.fromEntries(columns.map(([name, list]) => [name, list[row]])))
}

/** Fewest values that can be a row. */
const FEWEST = 4

/** The only row of a document without tables. Another text is told, because it may say why there is no table. */
function singleRow(values: JsonCells): readonly JsonCells[] {
  if (Object.keys(values).length >= FEWEST) return [values]
  const said = Object.values(values).find((value) => typeof value === 'string' && value.includes(' '))
  throw new FilesError(
    said === undefined ? noTable : `its JSON holds no table, but says: ${String(said).slice(0, 200)}`
  )
}

/** Whether two rows are of one table, such as the first call and the first put of a chain. */
function haveSameNames(one: JsonCells, other: JsonCells): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => name in other)
}

const tooDeep = `its objects lie within more than ${MAX_DEPTH} others: it is no table`

/** Fills the objects within a row into columns of their own: `details.ticker`. */
export function flat(row: JsonCells, depth = 0): JsonCells {
  if (depth > MAX_DEPTH) throw new FilesError(tooDeep)
  const cells: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) cells[name] = value
    else
      for (const [inner, each] of Object.entries(flat(value as JsonCells, depth + 1))) cells[`${name}.${inner}`] = each
  }
  return cells
}

import { FilesError } from '../import-files.ts'

/** A row of a table, by the names of its columns. */
export type JsonCells = Readonly<Record<string, unknown>>

/** Most objects within others. */
const MAX_DEPTH = 8

interface FoundTable {
  /** Name under which the document holds the table. */
  readonly name: string
  readonly rows: readonly JsonCells[]
  /** Columns with one value for all of them, such as the right of calls and puts. */
  readonly said: JsonCells
}

/**
 * Rows of a JSON document: a list of objects, such lists of one table anywhere in it (calls and puts, or one for each
 * strike), objects by row or by column as pandas writes them, or lists by column. Single values beside the rows, such as
 * a symbol, fill columns of all rows, and a row with nothing but such a value fills a column of the rows below it.
 */
export function rowsOfDocument(document: unknown): readonly JsonCells[] {
  if (isRows(document) && !document.every(holdsTables)) return filledDown(document)
  const parts = Array.isArray(document) ? document : [document]
  const lists = listedRows(parts)
  if (lists !== undefined) return lists
  if (parts.length === 0 || !parts.every((part) => isObject(part) || isRows(part))) throw new FilesError(noTable)
  const byColumn = isObject(document)
    ? (schemaRows(document) ?? splitRows(document) ?? columnRows(document))
    : undefined
  if (byColumn !== undefined) return byColumn
  const tables: FoundTable[] = []
  const values: Record<string, unknown> = {}
  parts.forEach((part, at) => {
    if (isObject(part)) collect(part, '', 0, tables, values)
    else tables.push({ name: String(at), rows: part, said: {} })
  })
  if (tables.length === 0) return singleRow(values)
  const [first] = tables
  const other = tables.find(({ rows }) => !areAlike(first.rows[0], rows[0]))
  if (other !== undefined) {
    const names = new Set(tables.map(({ name }) => name))
    throw new FilesError(`its JSON holds several tables: ${[...names].slice(0, 5).join(', ')}`)
  }
  return tables.flatMap(({ rows, said }) => filledDown(rows).map((row) => ({ ...values, ...said, ...row })))
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
    const rows = isRows(value) ? value : isObject(value) ? (labelledRows(value) ?? listRows(value)) : undefined
    if (rows?.some(wrapsTables)) {
      for (const row of rows) {
        const within: FoundTable[] = []
        const beside: Record<string, unknown> = {}
        collect(row, name, depth + 1, within, beside)
        for (const table of within) tables.push({ ...table, said: { ...beside, ...table.said } })
      }
    } else if (rows !== undefined) tables.push({ name, rows, said: saidBy(key) })
    else if (isObject(value)) collect(value, name, depth + 1, tables, values)
    else if (!Array.isArray(value)) values[name] = value
  }
}

/** Whether an object holds nothing but further objects and lists, as maps of chains do: it is no row. */
function holdsTables(row: JsonCells): boolean {
  const values = Object.values(row)
  return values.length > 0 && values.every((value) => isRows(value) || (isObject(value) && holdsTables(value)))
}

/** Names of lists of contracts within an object of a list, as in the answers of Yahoo. */
const wrapped = ['options', 'calls', 'puts', 'contracts', 'chain']

function wrapsTables(row: JsonCells): boolean {
  return wrapped.some((name) => {
    const within = row[name]
    return isRows(within) || (isObject(within) && Object.keys(within).length > 0 && holdsTables(within))
  })
}

/** Names of the tables of calls and of puts. */
const rightNames = [/^c(alls?)?$/i, /^p(uts?)?$/i]

/** Columns that the name of a table fills: the right of calls and puts, or a symbol. */
function saidBy(name: string): JsonCells {
  const side = rightNames.findIndex((pattern) => pattern.test(name))
  if (side >= 0) return { right: side === 0 ? 'C' : 'P' }
  return symbolName.test(name) ? { symbol: name } : {}
}

/** Matches names of tables that are symbols, and no words for a table. */
const symbolName = /^(?!(?:DATA|ROWS?|ITEMS?|LIST|TABLE|BARS?|CHAINS?|QUOTE|TRADE)$)[A-Z]{1,5}(?:[./-][A-Z])?$/

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

/** Rows beside a description of their columns, as pandas writes them by `table`. */
function schemaRows({ schema, data }: JsonCells): readonly JsonCells[] | undefined {
  const isDescribed = isObject(schema) && Array.isArray(schema.fields)
  return isDescribed && isRows(data) ? data.map((row) => flat(row)) : undefined
}

/** Rows of lists, the first of which names the columns. */
function listedRows([names, ...rows]: readonly unknown[]): readonly JsonCells[] | undefined {
  if (!isList(names) || !names.every((name) => typeof name === 'string') || rows.length === 0) return undefined
  if (!rows.every((row) => isList(row) && row.length === names.length)) return undefined
  return (rows as (readonly unknown[])[]).map((row) => Object.fromEntries(names.map((name, k) => [name, row[k]])))
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

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
  return labelledRows(document) ?? columnsAsRows(document)
}

/** Rows of an object of lists within a document. Few lists of one length are no table. */
function listRows(value: JsonCells): readonly JsonCells[] | undefined {
  const rows = columnsAsRows(value)
  return rows !== undefined && Object.keys(rows[0]).length >= FEWEST ? rows : undefined
}

function columnsAsRows(value: JsonCells): readonly JsonCells[] | undefined {
  const columns = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
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

/** Whether two rows are of one table, such as the first call and the first put of a chain: some fields may be absent. */
function areAlike(one: JsonCells, other: JsonCells): boolean {
  const [few, more] = [one, other].sort((a, b) => Object.keys(a).length - Object.keys(b).length)
  const names = Object.keys(few)
  return 2 * names.filter((name) => name in more).length > names.length
}

/**
 * Flat rows, also below headings among them, such as the expiration that stands once above its strikes: the column that
 * only rows of a single value fill is filled downwards, and those rows are left out.
 */
function filledDown(given: readonly JsonCells[]): readonly JsonCells[] {
  const rows = given.map((row) => flat(row))
  const filled = rows.map((row) => Object.keys(row).filter((name) => !isEmpty(row[name])))
  const [heading] = filled[0]?.length === 1 ? filled[0] : []
  if (heading === undefined) return rows
  const isHeading = filled.map((names) => names.length === 1 && names[0] === heading)
  if (isHeading.every(Boolean) || rows.some((row, at) => !isHeading[at] && !isEmpty(row[heading]))) return rows
  let above: unknown
  return rows.flatMap((row, at): readonly JsonCells[] => {
    if (!isHeading[at]) return [{ ...row, [heading]: above }]
    above = row[heading]
    return []
  })
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

function haveSameNames(one: JsonCells, other: JsonCells): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => name in other)
}

const tooDeep = `its objects lie within more than ${MAX_DEPTH} others: it is no table`

/**
 * Fills the objects within a row into columns of their own: `details.ticker`. A resource of JSON:API is the row of its
 * attributes.
 */
export function flat(row: JsonCells, depth = 0): JsonCells {
  if (depth > MAX_DEPTH) throw new FilesError(tooDeep)
  if (depth === 0 && typeof row.type === 'string' && isObject(row.attributes)) return flat(row.attributes, 1)
  const cells: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) cells[name] = value
    else
      for (const [inner, each] of Object.entries(flat(value as JsonCells, depth + 1))) cells[`${name}.${inner}`] = each
  }
  return cells
}

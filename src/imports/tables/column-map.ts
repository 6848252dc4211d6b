import { FilesError } from '../import-files.ts'
import type { Line } from './csv-line.ts'
import { textOf } from './csv-line.ts'
import { columnNamed } from './known-layout.ts'

/**
 * For each of a table's columns, our name of the field that it fills, and a number by which its numbers are divided.
 */
export type ColumnMap = ReadonlyMap<string, MappedColumn>

interface MappedColumn {
  readonly field: string
  readonly divisor: number
}

export interface ColumnPlace {
  readonly column: number
  readonly divisor: number
}

/** Position of each field's column in a file; fields without a column are absent. */
export type ColumnLayout<Field extends string> = Readonly<Partial<Record<Field, ColumnPlace>>>

/**
 * Parses a column map: pairs such as `quote_date=date,strike_price=strike/1000`, or a JSON object such as
 * `{"quote_date": "date", "strike_price": "strike/1000"}`. Throws a single `FilesError` that lists all mistakes.
 */
export function parseColumnMap(text: string, fields: readonly string[]): ColumnMap {
  const problems: string[] = []
  const map = new Map<string, MappedColumn>()
  for (const [column, target] of pairsIn(text)) {
    const [, field = '', divisor] = /^([a-z_]+)(?:\/(\d+(?:\.\d+)?))?$/.exec(target) ?? []
    const by = divisor === undefined ? 1 : Number(divisor)
    if (column === '') problems.push(`a column without a name is mapped to ${target}`)
    else if (!fields.includes(field)) problems.push(`${column}=${target}: there is no field ${field || target}`)
    else if (!(by > 0)) problems.push(`${column}=${target}: it cannot be divided by ${divisor}`)
    else if (map.has(column)) problems.push(`the column ${column} is mapped twice`)
    else if ([...map.values()].some((other) => other.field === field))
      problems.push(`the field ${field} is filled twice`)
    else map.set(column, { field, divisor: by })
  }
  if (map.size === 0 && problems.length === 0) problems.push('it maps no column')
  if (problems.length > 0) {
    throw new FilesError(`the column map cannot be used: ${problems.join('; ')}. Fields are ${fields.join(', ')}`)
  }
  return map
}

function pairsIn(text: string): readonly (readonly [string, string])[] {
  if (!text.trimStart().startsWith('{')) {
    return text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const at = pair.lastIndexOf('=')
        return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()]
      })
  }
  const document: unknown = readJson(text)
  const entries = typeof document === 'object' && document !== null ? Object.entries(document) : []
  return entries.map(([column, field]) => [column.trim(), String(field).trim()])
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FilesError(`the column map is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Finds the columns of fields in a heading. Without a map, the column's name must equal the field's name; case, blanks
 * and punctuation do not matter. With a map, only mapped columns are read, and each must be present. Of columns with
 * the same name a map tells the second by `Bid#2`. Throws a `FilesError` if a column is missing or comes twice.
 */
export function columnLayout<Field extends string>(
  heading: Line,
  map: ColumnMap | undefined,
  fields: readonly Field[]
): ColumnLayout<Field> {
  const names = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  const layout: Partial<Record<Field, ColumnPlace>> = {}
  if (map === undefined) {
    const letters = names.map(lettersOf)
    for (const field of fields) {
      const column = letters.indexOf(lettersOf(field))
      if (column >= 0) layout[field] = { column: onlyOne(letters, column, names), divisor: 1 }
    }
    return layout
  }
  const absent = [...map.keys()].filter((name) => columnNamed(names, name) < 0)
  if (absent.length > 0) {
    throw new FilesError(`there is no column ${absent.join(', ')}; its heading is ${names.join(', ')}`)
  }
  for (const [name, { field, divisor }] of map) {
    const column = columnNamed(names, name)
    layout[field as Field] = { column: names[column] === name ? onlyOne(names, column, names) : column, divisor }
  }
  return layout
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

function onlyOne(keys: readonly string[], column: number, names: readonly string[]): number {
  if (keys.indexOf(keys[column], column + 1) < 0) return column
  const name = names[column]
  throw new FilesError(`the column ${name} comes twice: write ${name}#1 or ${name}#2 in --map`)
}

/**
 * Finds the columns of fields in a heading by the names that vendors use. Names are compared in lower case with letters
 * only, or with a pattern. The first in the list that is in the heading counts.
 */
export function layoutByAliases<Field extends string>(
  heading: Line,
  aliases: Readonly<Record<Field, readonly (string | RegExp)[]>>
): ColumnLayout<Field> {
  const names = Array.from({ length: heading.count }, (_, column) => lettersOf(textOf(heading, column)))
  const layout: Partial<Record<Field, ColumnPlace>> = {}
  for (const [field, known] of Object.entries(aliases) as [Field, readonly (string | RegExp)[]][]) {
    const column = known
      .map((alias) => names.findIndex((name) => (typeof alias === 'string' ? name === alias : alias.test(name))))
      .find((found) => found >= 0)
    if (column !== undefined) layout[field] = { column, divisor: 1 }
  }
  return layout
}

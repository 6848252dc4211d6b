import type { SchemaNode } from '../schema-node.ts'
import { type ArrayPlace, arraysOf, holdsObjects, PARALLEL, parallelNames } from './arrays.ts'
import { type ReadRows, readAlong, readElements, readFlat } from './read-rows.ts'
import { type AnswerColumn, type ScalarField, scalarsOf, valueColumn, valueShapes } from './table-columns.ts'

/** Columns before those of the answer: what a row is about. */
export const fixedNames = ['symbol', 'at', 'as_of'] as const
export type FixedName = (typeof fixedNames)[number]

/** Values of the fixed columns, written as on the wire. */
export type FixedValues = Readonly<Record<FixedName, string | null>>

export interface TableOptions {
  /** Path of an array, `*` for the arrays that run along one another; undefined for the table of the answer itself. */
  readonly rows: string | undefined
  readonly fixed: readonly FixedName[]
  /** Adds the scalars of the answer itself after those of the rows. */
  readonly parents?: boolean
}

/**
 * A table that answers of one declaration become. Its columns depend on the declaration and on `TableOptions` alone,
 * never on the data.
 */
export interface Table {
  readonly columns: readonly AnswerColumn[]
  /** Rows of an answer, in its order; a missing value is null. Each has a cell for each column. */
  readonly read: (answer: unknown, fixed: FixedValues) => unknown[][]
}

/** Paths that `rows` may name. */
export function tableNames(schema: SchemaNode): readonly string[] {
  const arrays = arraysOf(schema).filter(({ path }) => path !== '')
  return [...arrays.map(({ path }) => path), ...(parallelNames(schema).length > 0 ? [PARALLEL] : [])]
}

/**
 * The table that is meant where nobody names one: the first array whose elements a key tells apart, else the first of
 * objects; undefined for the answer itself.
 */
export function mainTable(schema: SchemaNode): string | undefined {
  const found = arraysOf(schema).filter((place) => place.steps.length === 1 && holdsObjects(place))
  if (found.some(({ path }) => path === '')) return undefined
  return (found.find(({ key }) => key !== undefined) ?? found[0])?.path
}

/** Compiles a table. Throws for rows that the schema does not have; `tableNames` lists those that it has. */
export function compiledTable(schema: SchemaNode, { rows, fixed, parents = false }: TableOptions): Table {
  const before = fixed.map((name) => fixedColumns[name])
  const ofAnswer = answerFields(schema, fixed)
  const made = (columns: readonly AnswerColumn[], read: ReadRows): Table => ({
    columns: distinct([...before, ...columns]),
    read: (answer, values) => {
      const first = fixed.map((name) => values[name])
      return read(answer).map((cells) => [...first, ...cells])
    }
  })
  if (rows === undefined) return made(columnsOf(ofAnswer), readFlat(ofAnswer))
  const more = parents ? ofAnswer : []
  if (rows === PARALLEL) {
    const names = parallelNames(schema)
    if (names.length > 0)
      return made([rowColumn, ...alongColumns(schema, names), ...columnsOf(more)], readAlong(names, more))
  }
  const place = arraysOf(schema).find(({ path }) => path === rows)
  if (place === undefined || rows === '') throw new Error(`an answer has no rows ${rows}`)
  const { levels, columns } = elementFields(place)
  return made([rowColumn, ...columns, ...columnsOf(more)], readElements(place.steps, levels, more))
}

const column = (name: string, type: AnswerColumn['type'], nullable: boolean, description: string): AnswerColumn => ({
  name,
  type,
  nullable,
  unit: undefined,
  description,
  words: undefined
})

export const fixedColumns: Readonly<Record<FixedName, AnswerColumn>> = {
  symbol: column('symbol', 'string', true, 'the symbol that was asked for'),
  at: column('at', 'timestamp', true, 'the moment that was asked for; null for now'),
  as_of: column('as_of', 'timestamp', true, 'the moment that the answer describes')
}
const rowColumn: AnswerColumn = {
  ...column('row', 'number', false, 'place of the element in its array, from 0'),
  unit: 'count'
}

const columnsOf = (fields: readonly ScalarField[]) => fields.map((field) => field.column)

/** Scalars of the answer, or of its elements if it is an array, without those that the fixed columns hold. */
function answerFields(schema: SchemaNode, fixed: readonly FixedName[]): readonly ScalarField[] {
  const objects = valueShapes(schema).map((shape) => (shape.type === 'array' ? (shape.items ?? {}) : shape))
  const held = (name: string) => (fixed as readonly string[]).includes(name)
  return scalarsOf({ anyOf: objects }).filter(({ column: { name } }) => !held(name))
}

/** Columns of the elements: their scalars, then those of the elements around them, and what is read of each. */
function elementFields({ items, steps }: ArrayPlace) {
  const innermost = items.length - 1
  const value = valueColumn(items[innermost])
  const own: readonly ScalarField[] = value === undefined ? scalarsOf(items[innermost]) : [{ column: value, path: [] }]
  const levels = items.map((item, level) => (level === innermost ? own : scalarsOf(item)))
  const outer = levels.slice(0, innermost).flatMap((fields, level) => {
    const around = steps.slice(0, level + 1).flat()
    return fields.map((field) => ({ ...field.column, name: [...around, field.column.name].join('.') }))
  })
  return { levels, columns: [...columnsOf(own), ...outer] }
}

function alongColumns(schema: SchemaNode, names: readonly string[]): readonly AnswerColumn[] {
  return names.map((name) => {
    const { items = {}, description } = schema.properties![name]
    const found = valueColumn(items)
    if (found === undefined) throw new Error(`${name} is no array of scalars`)
    return { ...found, name, nullable: true, description: description ?? found.description }
  })
}

/** Puts `rows.` before a name that is taken already. */
function distinct(columns: readonly AnswerColumn[]): readonly AnswerColumn[] {
  const taken = new Set<string>()
  return columns.map((each) => {
    let { name } = each
    while (taken.has(name)) name = `rows.${name}`
    taken.add(name)
    return name === each.name ? each : { ...each, name }
  })
}

import type { Endpoint } from '../endpoint.ts'
import { readsMarket } from '../inputs/inputs.ts'
import type { SchemaNode } from '../schema-node.ts'
import { compiledTable, type FixedName, mainTable, type Table, tableNames } from './table.ts'

/** Name by which `rows` asks for the scalars of the answer itself. */
export const FLAT = 'flat'

interface AnswerTables {
  /** Values of the parameter `rows`: `flat`, then the arrays of the answer. */
  readonly names: readonly string[]
  readonly main: string
  readonly moment: readonly string[] | undefined
  readonly compiled: Map<string, Table>
}

const known = new WeakMap<Endpoint, AnswerTables>()

/** The tables that an answer can be written as; found once for each endpoint. */
export function answerTables(endpoint: Endpoint): AnswerTables {
  let tables = known.get(endpoint)
  if (tables === undefined) {
    const schema = endpoint.response as SchemaNode
    tables = {
      names: [FLAT, ...tableNames(schema)],
      main: mainTable(schema) ?? FLAT,
      moment: momentPath(schema),
      compiled: new Map()
    }
    known.set(endpoint, tables)
  }
  return tables
}

/** The table of an endpoint for one of the names of `answerTables`. */
export function answerTable(endpoint: Endpoint, rows: string): Table {
  const { compiled } = answerTables(endpoint)
  let table = compiled.get(rows)
  if (table === undefined) {
    const named = rows === FLAT ? undefined : rows
    table = compiledTable(endpoint.response as SchemaNode, { rows: named, fixed: fixedOf(endpoint) })
    compiled.set(rows, table)
  }
  return table
}

/** Columns that say what an answer is about: its symbol if the path names one, its moment if it reads a market. */
function fixedOf({ params, needs }: Endpoint): readonly FixedName[] {
  const isOfSymbol = Object.values(params).some(({ in: place }) => place === 'path')
  return [...(isOfSymbol ? (['symbol'] as const) : []), ...(readsMarket(needs) ? (['as_of'] as const) : [])]
}

/** The moment that a parsed answer describes, as it writes it; null if it names none. */
export function answerMoment(endpoint: Endpoint, answer: unknown): string | null {
  let found = answer
  for (const name of answerTables(endpoint).moment ?? []) found = (found as Readonly<Record<string, unknown>>)?.[name]
  return typeof found === 'string' ? found : null
}

/** Path of the field that is marked as the moment of an answer, else of one that is named as such. */
function momentPath({ properties = {} }: SchemaNode): readonly string[] | undefined {
  for (const [name, node] of Object.entries(properties)) {
    if (node['x-moment'] === true) return [name]
    const inside = momentPath(node)
    if (inside !== undefined) return [name, ...inside]
  }
  const named = ['as_of', 'lastUpdate'].find((name) => Object.hasOwn(properties, name))
  return named === undefined ? undefined : [named]
}

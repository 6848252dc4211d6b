import type { SchemaNode } from '../../../api/schema-node.ts'
import { fieldNode, ofType } from './part.ts'
import { type RowChoice, rowsShown } from './rows-shown.ts'

export interface CutChoice extends RowChoice {
  /** Longest text, characters. */
  readonly texts: number
  /** Greatest depth of objects and lists; what lies deeper is named and left out. */
  readonly depth: number
}

/** A list or a block of which not all is shown. */
export interface Cut {
  readonly part: string
  readonly of: number
  readonly shown: string
}

/** What is learned of an answer while it is cut. */
export interface Learned {
  /** Paths of figures by their unit. */
  readonly units: Map<string, Set<string>>
  /** Why figures are null, where the answer or its schema says so, by path. */
  readonly nulls: Map<string, string>
  readonly cuts: Cut[]
}

export const nothingLearned = (): Learned => ({ units: new Map(), nulls: new Map(), cuts: [] })

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Path of a field within another; the whole answer has an empty one. */
const within = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/**
 * Cuts an answer to what a reader can take in. A list of objects becomes columns and rows, an object stays one. Notes
 * units, reasons of nulls and what was left out.
 */
export function cut(value: unknown, node: SchemaNode, path: string, choice: CutChoice, learned: Learned): unknown {
  if (Array.isArray(value)) return cutList(value, ofType(node, 'array').items ?? {}, path, choice, learned)
  if (!isFields(value)) return scalar(value, node, path, choice, learned)
  const names = Object.keys(value)
  if (choice.depth <= 0 && names.length > 0) {
    learned.cuts.push({ part: path, of: names.length, shown: 'none' })
    return undefined
  }
  const deeper = { ...choice, depth: choice.depth - 1 }
  const fields = names.map((name) => {
    const inner = value[name]
    if (inner === null) noteNull(value, name, fieldNode(node, name), within(path, name), learned)
    return [name, cut(inner, fieldNode(node, name), within(path, name), deeper, learned)] as const
  })
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined))
}

function scalar(value: unknown, node: SchemaNode, path: string, { texts }: CutChoice, { units }: Learned): unknown {
  const unit = unitOf(node)
  if (unit !== undefined && typeof value === 'number') {
    const paths = units.get(unit) ?? new Set()
    units.set(unit, paths.add(path))
  }
  return typeof value === 'string' && value.length > texts ? `${value.slice(0, texts - 1)}…` : value
}

const unitOf = ({ 'x-unit': unit, anyOf = [] }: SchemaNode): string | undefined =>
  unit ?? anyOf.map((each) => each['x-unit']).find((each) => each !== undefined)

/** Notes why a figure is null: a field beside it says so, or its description does. */
function noteNull(fields: Fields, name: string, node: SchemaNode, path: string, { nulls }: Learned): void {
  const beside = [`${name}_reason`, `${name}_note`, `${name}_gated`, 'null_reason', 'reason']
  const said = beside.map((each) => fields[each]).find((each) => typeof each === 'string' && each !== '')
  const texts = [node, ...(node.anyOf ?? [])].map(({ description = '' }) => /\bnull\b.*/.exec(description)?.[0])
  const reason = said ?? texts.find((text) => text !== undefined)
  if (reason !== undefined && nulls.size < MAX_NULLS) nulls.set(path, String(reason).slice(0, 120))
}

const MAX_NULLS = 12

function cutList(
  list: readonly unknown[],
  items: SchemaNode,
  path: string,
  choice: CutChoice,
  learned: Learned
): unknown {
  if (list.length === 0) return []
  if (choice.depth <= 0) {
    learned.cuts.push({ part: path, of: list.length, shown: 'none' })
    return undefined
  }
  const { rows, shown } = rowsShown(list, choice)
  const note = shown === undefined ? undefined : { of: list.length, shown }
  if (note !== undefined) learned.cuts.push({ part: path, ...note })
  const deeper = { ...choice, fromRow: undefined, depth: choice.depth - 1 }
  const shownRows = rows.map((row) => cut(row, items, path, deeper, learned))
  const table = tableOf(shownRows)
  if (table !== undefined) return { ...note, ...table }
  return note === undefined ? shownRows : { ...note, values: shownRows }
}

/** Path of the rows that figures over time are made into. */
export const OVER_TIME = 'rows'

/** Two rows or more whose fields are plain, as columns and rows; undefined for other lists. Blocks of a row become dotted columns. */
function tableOf(
  rows: readonly unknown[]
): { readonly columns: readonly string[]; readonly rows: unknown } | undefined {
  if (rows.length < 2 || !rows.every(isFields)) return undefined
  const flat = rows.map((row) => flattened(row as Fields))
  if (flat.some((row) => row === undefined)) return undefined
  const columns = [...new Set(flat.flatMap((row) => [...row!.keys()]))]
  return { columns, rows: flat.map((row) => columns.map((name) => row!.get(name) ?? null)) }
}

function flattened(row: Fields, before = ''): ReadonlyMap<string, unknown> | undefined {
  const cells = new Map<string, unknown>()
  for (const [name, value] of Object.entries(row)) {
    const isPlainList = Array.isArray(value) && value.length <= 5 && !value.some((each) => typeof each === 'object')
    if (isFields(value)) {
      const inner = flattened(value, `${before}${name}.`)
      if (inner === undefined) return undefined
      for (const [path, cell] of inner) cells.set(path, cell)
    } else if (Array.isArray(value) && !isPlainList) return undefined
    else cells.set(`${before}${name}`, value)
  }
  return cells
}

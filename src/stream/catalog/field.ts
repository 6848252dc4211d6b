import { IsOptional, type TSchema } from 'typebox'
import type { Endpoint } from '../../api/endpoint.ts'
import { LEAST_NODE_CADENCE, NODE_COST } from './limits.ts'

export const valueTypes = ['number', 'string', 'boolean', 'object', 'array'] as const
export type ValueType = (typeof valueTypes)[number]
export type SelectorKind = 'key' | 'atm' | 'front' | 'position'

/** How the rows of an array are told apart. Without a key they are known by their position alone. */
export interface RowKey {
  readonly field: string | undefined
  readonly type: 'number' | 'date' | 'text' | undefined
  readonly selectors: readonly SelectorKind[]
}

/** One name of a path. Where rows are picked from the array of that name, `rows` says how. */
export interface Step {
  readonly name: string
  readonly rows: RowKey | undefined
}

/** One streamable field of one endpoint. */
export interface Field {
  /** Canonical, with [*] where a selector is needed. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly path: readonly Step[]
  readonly valueType: ValueType
  readonly nullable: boolean
  readonly unit: string | undefined
  /** What a subscription to it counts for, and the quickest it may be sent, milliseconds. */
  readonly cost: 1 | 10
  readonly leastCadence: number
}

interface Node {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly 'x-unit'?: string
  readonly 'x-ranked'?: boolean
}

/**
 * What the metrics of an endpoint begin with: the first fixed segment of its path, a dot and the others, or `current`
 * where there are none. Streaming contract, section 4.
 */
export function prefixOf({ path }: Pick<Endpoint, 'path'>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const [first, ...rest] = segments[0] === 'v1' ? segments.slice(1) : segments
  const method = rest.length === 0 ? 'current' : rest.join('_')
  return `${first}.${method}`.replaceAll('-', '_')
}

/** Every field of an endpoint's answer, outer ones before those inside them. */
export function fieldsOf(endpoint: Endpoint): readonly Field[] {
  const fields: Field[] = []
  const prefix = prefixOf(endpoint)

  function walk(node: Node, id: string, path: readonly Step[], nullable: boolean): void {
    const shapes = shapesOf(node)
    const objects = shapes.filter(({ properties }) => properties !== undefined)
    for (const name of new Set(objects.flatMap(({ properties }) => Object.keys(properties!)))) {
      if (!/^[A-Za-z]\w*$/.test(name)) continue // no id can name it
      const found = objects.flatMap(({ properties }) => properties![name] ?? [])
      const inner: Node = found.length === 1 ? found[0] : { anyOf: found }
      const absent = found.length < objects.length || found.some((one) => IsOptional(one as TSchema) || admitsNull(one))
      add(inner, `${id}.${name}`, [...path, { name, rows: undefined }], nullable || absent)
    }
  }

  function add(node: Node, id: string, path: readonly Step[], nullable: boolean): void {
    const [shape] = shapesOf(node)
    const valueType = shape && valueTypeOf(shape)
    if (valueType === undefined) return
    const isNode = valueType === 'object' || valueType === 'array'
    const terms = { cost: isNode ? NODE_COST : 1, leastCadence: isNode ? LEAST_NODE_CADENCE : 0 } as const
    fields.push({ id, endpoint, path, valueType, nullable, unit: shape['x-unit'], ...terms })
    if (valueType === 'object') walk(node, id, path, nullable)
    if (valueType !== 'array' || shape.items?.properties === undefined) return
    const rows = keyOf(shape.items.properties, shape['x-ranked'] ?? false)
    const picked = [...path.slice(0, -1), { name: path[path.length - 1].name, rows }]
    // A row may be gone tomorrow, but a field that every row has is not for that called nullable.
    add(shape.items, `${id}[*]`, picked, nullable)
  }

  walk(endpoint.response as Node, prefix, [], false)
  return fields
}

/** The shapes a value may have, null aside. */
function shapesOf(node: Node): readonly Node[] {
  return node.anyOf === undefined ? (node.type === 'null' ? [] : [node]) : node.anyOf.flatMap(shapesOf)
}

function admitsNull({ type, anyOf }: Node): boolean {
  return type === 'null' || (anyOf?.some(admitsNull) ?? false)
}

function valueTypeOf({ type, enum: words, const: word }: Node): ValueType | undefined {
  const named = type ?? typeof (word ?? words?.[0])
  if (named === 'integer') return 'number'
  return named === 'undefined' || named === 'null' ? undefined : (named as ValueType)
}

const dates = ['expiry', 'expiration']
const words = ['bucket', 'move_pct', 'move']

/**
 * The field that tells rows apart. A strike alone or a date alone does; rows with both, or with a side, are contracts:
 * they are known by their place in a ranking.
 */
function keyOf(properties: Readonly<Record<string, Node>>, ranked: boolean): RowKey {
  const has = (name: string) => Object.hasOwn(properties, name)
  const date = dates.find(has)
  const place: readonly SelectorKind[] = ranked ? ['position'] : []
  if (has('type')) return { field: undefined, type: undefined, selectors: ['position'] }
  if (has('strike') && date === undefined) {
    return { field: 'strike', type: 'number', selectors: ['key', 'atm', ...place] }
  }
  if (date !== undefined && !has('strike')) return { field: date, type: 'date', selectors: ['key', 'front', ...place] }
  const field = date === undefined && !has('strike') ? words.find(has) : undefined
  if (field === undefined) return { field: undefined, type: undefined, selectors: ['position'] }
  const type = valueTypeOf(shapesOf(properties[field])[0]) === 'number' ? 'number' : 'text'
  return { field, type, selectors: ['key', ...place] }
}

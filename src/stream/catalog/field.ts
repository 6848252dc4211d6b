import { IsOptional, type TSchema } from 'typebox'
import type { Endpoint } from '../../api/endpoint.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import type { ValueType } from '../../api/stream-frames.ts'
import { MIN_NODE_CADENCE, NODE_COST } from '../protocol/limits.ts'
import { type RowKey, rowKeyOf } from './row-key.ts'
import { admitsNull, shapesOf, valueTypeOf } from './schema.ts'

/** One name of a field's path. If the name leads to an array, `rows` tells how one of its rows is picked. */
export interface SchemaStep {
  readonly name: string
  readonly rows: RowKey | undefined
}

/** A field of an endpoint's response that clients can subscribe to. */
export interface Field {
  /** Full metric id of the field, with [*] wherever a row must be selected. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly path: readonly SchemaStep[]
  readonly valueType: ValueType
  readonly nullable: boolean
  readonly unit: string | undefined
  /** A user may have a limited number of subscriptions. A subscription to this field uses up this many of them. */
  readonly cost: 1 | 10
  /** Shortest allowed time between updates, milliseconds. */
  readonly minCadence: number
}

/** All fields in an endpoint's response schema, outer fields before inner ones. */
export function fieldsOfSchema(endpoint: Endpoint): readonly Field[] {
  const fields: Field[] = []

  function walk(node: SchemaNode, id: string, path: readonly SchemaStep[], nullable: boolean): void {
    const shapes = shapesOf(node)
    const objects = shapes.filter(({ properties }) => properties !== undefined)
    for (const name of new Set(objects.flatMap(({ properties }) => Object.keys(properties!)))) {
      if (!/^[A-Za-z]\w*$/.test(name)) continue // such a name cannot be written in an id
      const found = objects.flatMap(({ properties }) => properties![name] ?? [])
      if (found.some((one) => one['x-echo'] === true)) continue
      const inner: SchemaNode = found.length === 1 ? found[0] : { anyOf: found }
      const absent = found.length < objects.length || found.some((one) => IsOptional(one as TSchema) || admitsNull(one))
      add(inner, `${id}.${name}`, [...path, { name, rows: undefined }], nullable || absent)
    }
  }

  function add(node: SchemaNode, id: string, path: readonly SchemaStep[], nullable: boolean): void {
    const [shape] = shapesOf(node)
    const valueType = shape && valueTypeOf(shape)
    if (valueType === undefined) return
    const isNode = valueType === 'object' || valueType === 'array'
    const terms = { cost: isNode ? NODE_COST : 1, minCadence: isNode ? MIN_NODE_CADENCE : 0 } as const
    fields.push({ id, endpoint, path, valueType, nullable, unit: shape['x-unit'], ...terms })
    if (valueType === 'object') walk(node, id, path, nullable)
    if (valueType !== 'array' || shape.items?.properties === undefined) return
    const picked = [...path.slice(0, -1), { name: path[path.length - 1].name, rows: rowKeyOf(shape, id) }]
    // A row may be missing tomorrow, but that alone does not make its fields nullable.
    add(shape.items, `${id}[*]`, picked, nullable)
  }

  walk(endpoint.response as SchemaNode, endpoint.id, [], false)
  return fields
}

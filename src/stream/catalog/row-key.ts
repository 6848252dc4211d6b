import type { SchemaNode } from '../../api/schema-node.ts'
import type { SelectorKind } from '../../api/stream-frames.ts'
import { shapesOf, valueTypeOf } from './schema.ts'

/** How the rows of an array are identified. Rows without a key have only their position. */
export interface RowKey {
  readonly field: string | undefined
  readonly type: 'number' | 'date' | 'text' | undefined
  readonly selectors: readonly SelectorKind[]
  /** Fields that name a row of an array without a key. */
  readonly nameFields: readonly string[]
}

/**
 * The row key that the schema of an array declares. Strikes can also be picked relative to spot (atm), dates from the
 * nearest (front), rankings by position. Every streamed array of objects must declare its key; without one the catalog
 * cannot be made.
 */
export function rowKeyOf(array: SchemaNode, id: string): RowKey {
  const { 'x-row-key': field, 'x-row-name': nameFields, 'x-ranked': ranked = false } = array
  const named = field === undefined ? nameFields : [field]
  if (named === undefined) {
    throw new Error(
      `${id} is an array of objects: declare rowKey, rowName or rowsByPosition of api/annotations.ts for it`
    )
  }
  const properties = array.items?.properties ?? {}
  const missing = named.find((name) => !Object.hasOwn(properties, name))
  if (missing !== undefined) {
    throw new Error(`${id}: rows have no field ${missing}, which is declared to tell them apart`)
  }
  if (field === undefined) return { field, type: undefined, selectors: ['position'], nameFields: named }
  const [key] = shapesOf(properties[field])
  const type = valueTypeOf(key) === 'number' ? 'number' : key.format === 'date' ? 'date' : 'text'
  const isStrike = type === 'number' && key['x-unit'] === 'price'
  const moving: readonly SelectorKind[] = isStrike ? ['atm'] : type === 'date' ? ['front'] : []
  return { field, type, selectors: ['key', ...moving, ...(ranked ? (['position'] as const) : [])], nameFields: [] }
}

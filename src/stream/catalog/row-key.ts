import type { SchemaNode } from '../../api/schema-node.ts'
import type { SelectorKind } from '../../api/stream-frames.ts'
import { shapesOf, valueTypeOf } from './schema.ts'

/** Tells how the rows of an array are identified: by a key field or, without one, by position. */
export interface RowKey {
  readonly field: string | undefined
  readonly type: 'number' | 'date' | 'text' | undefined
  readonly selectors: readonly SelectorKind[]
  /** Fields whose values label a row if the array has no key field. */
  readonly nameFields: readonly string[]
}

/**
 * Reads from an array's schema how its rows can be picked. Besides by key, strikes can be picked relative to spot
 * (`atm`), dates counting from the nearest (`front`), and rankings by position. Throws if an array of objects declares
 * no key, so such a catalog cannot be built.
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

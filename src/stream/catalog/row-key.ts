import type { SelectorKind } from '../../api/stream-frames.ts'
import { guessRowKey, guessRowName } from './guesses.ts'
import { type SchemaNode, shapesOf, valueTypeOf } from './schema.ts'

/** How the rows of an array are told apart. Rows without a key are known by their position alone. */
export interface RowKey {
  readonly field: string | undefined
  readonly type: 'number' | 'date' | 'text' | undefined
  readonly selectors: readonly SelectorKind[]
  /** The fields that name the row at a position where there is no key. */
  readonly nameFields: readonly string[]
}

/**
 * The row key that the schema of an array declares. Strikes are counted from spot as well (atm), dates from the nearest
 * one (front), rankings from their first row (position).
 */
export function rowKeyOf(array: SchemaNode): RowKey {
  const { 'x-row-key': declared, 'x-row-name': name, 'x-ranked': ranked = false } = array
  const properties = array.items?.properties ?? {}
  const field = declared ?? guessRowKey(properties)
  if (field === undefined) {
    const nameFields = name ?? guessRowName(properties)
    return { field: undefined, type: undefined, selectors: ['position'], nameFields }
  }
  if (!Object.hasOwn(properties, field))
    throw new Error(`rows have no field ${field}, which is declared to be their key`)
  const [key] = shapesOf(properties[field])
  const type = valueTypeOf(key) === 'number' ? 'number' : key.format === 'date' ? 'date' : 'text'
  const isStrike = type === 'number' && key['x-unit'] === 'price'
  const moving: readonly SelectorKind[] = isStrike ? ['atm'] : type === 'date' ? ['front'] : []
  return { field, type, selectors: ['key', ...moving, ...(ranked ? (['position'] as const) : [])], nameFields: [] }
}

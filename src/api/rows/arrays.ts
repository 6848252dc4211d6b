import type { SchemaNode } from '../schema-node.ts'
import { valueShapes } from './table-columns.ts'

/** An array of an answer that has a table of its own. */
export interface ArrayPlace {
  /** Names joined by dots, also through the elements of an array around it: expirations.strikes. */
  readonly path: string
  /** Names from the answer to the array: one list of names for each array on the way. */
  readonly steps: readonly (readonly string[])[]
  /** Schemas of the elements of each of these arrays. */
  readonly items: readonly SchemaNode[]
  /** Field that tells the elements apart; undefined where none does. */
  readonly key: string | undefined
}

/** Name of the table of the arrays that run along one another. */
export const PARALLEL = '*'

/** Arrays of an answer, in the order of its schema, each before those in its elements; arrays of arrays are left out. */
export function arraysOf(schema: SchemaNode): readonly ArrayPlace[] {
  const found = new Map<string, ArrayPlace>()
  for (const place of arraysIn(schema, [], [], [])) if (!found.has(place.path)) found.set(place.path, place)
  return [...found.values()]
}

function* arraysIn(
  node: SchemaNode,
  names: readonly string[],
  steps: ArrayPlace['steps'],
  items: readonly SchemaNode[]
): Generator<ArrayPlace> {
  for (const shape of valueShapes(node)) {
    for (const [name, child] of Object.entries(shape.properties ?? {})) {
      if (child['x-echo'] === true) continue
      yield* arraysIn(child, [...names, name], steps, items)
    }
    if (shape.type !== 'array' || shape.items === undefined) continue
    const around = { steps: [...steps, names], items: [...items, shape.items] }
    if (holdsRows(shape.items)) yield { ...around, path: around.steps.flat().join('.'), key: shape['x-row-key'] }
    for (const item of valueShapes(shape.items)) {
      if (item.type === 'object') yield* arraysIn(item, [], around.steps, around.items)
    }
  }
}

/** Whether elements are scalars or objects whose fields are declared. */
function holdsRows(items: SchemaNode): boolean {
  const shapes = valueShapes(items)
  const isRow = ({ type, properties }: SchemaNode) => (type === 'object' ? properties !== undefined : type !== 'array')
  return shapes.length > 0 && shapes.every((shape) => shape.type !== undefined && isRow(shape))
}

/** Whether the elements of an array are objects. */
export function holdsObjects({ items }: ArrayPlace): boolean {
  return valueShapes(items[items.length - 1]).some(({ type }) => type === 'object')
}

/** Names of the arrays at the top of an answer that run along one another, as its schema says. */
export function parallelNames({ properties = {} }: SchemaNode): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]['x-parallel'] !== undefined)
}

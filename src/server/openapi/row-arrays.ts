import { schemaPath } from '../../api/schema-names.ts'
import type { Schema } from './python-types.ts'

/** An array of objects in an answer. */
export interface RowArray {
  /** Names joined by dots; empty where the answer itself is the array. */
  readonly path: string
  /** Field that tells its elements apart; undefined where none does. */
  readonly key: string | undefined
}

/** The arrays of objects of an answer, in its order, those with a key first; arrays inside arrays are left out. */
export function rowArraysOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): readonly RowArray[] {
  const found = [...arraysIn(schema, schemas, [])]
  return [...found.filter(({ key }) => key !== undefined), ...found.filter(({ key }) => key === undefined)]
}

function* arraysIn(
  node: Schema,
  schemas: Readonly<Record<string, Schema>>,
  path: readonly string[]
): Generator<RowArray> {
  if (path.length > 3) return
  if (node.$ref !== undefined) {
    yield* arraysIn(schemas[node.$ref.slice(schemaPath.length)], schemas, path)
    return
  }
  for (const form of node.anyOf ?? node.oneOf ?? node.allOf ?? []) yield* arraysIn(form, schemas, path)
  if (node.type === 'array') {
    if (holdsObjects(node.items ?? {}, schemas)) yield { path: path.join('.'), key: node['x-row-key'] }
    return
  }
  for (const [name, field] of Object.entries(node.properties ?? {})) yield* arraysIn(field, schemas, [...path, name])
}

function holdsObjects(node: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  if (node.$ref !== undefined) return holdsObjects(schemas[node.$ref.slice(schemaPath.length)], schemas)
  return node.type === 'object' || (node.anyOf ?? []).some((form) => holdsObjects(form, schemas))
}

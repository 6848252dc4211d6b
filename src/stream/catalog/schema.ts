import type { TSchema } from 'typebox'
import type { SchemaNode } from '../../api/schema-node.ts'
import type { ValueType } from '../../api/stream-frames.ts'

export const valueTypes = ['number', 'string', 'boolean', 'object', 'array'] as const satisfies readonly ValueType[]

/** Alternatives of a schema, without null: the members of its union, or the schema itself. */
export function shapesOf(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf === undefined ? (node.type === 'null' ? [] : [node]) : node.anyOf.flatMap(shapesOf)
}

export function admitsNull({ type, anyOf }: SchemaNode): boolean {
  return type === 'null' || (anyOf?.some(admitsNull) ?? false)
}

/** JSON type of one schema; undefined for null and for a schema without a type. */
export function valueTypeOf({ type, enum: words, const: word }: SchemaNode): ValueType | undefined {
  const named = type ?? typeof (word ?? words?.[0])
  if (named === 'integer') return 'number'
  return named === 'undefined' || named === 'null' ? undefined : (named as ValueType)
}

/** Name of the first top-level response field whose schema passes `fits`. */
export function topField(response: TSchema, fits: (node: SchemaNode) => boolean): string | undefined {
  const fields = shapesOf(response as SchemaNode).flatMap(({ properties }) => Object.entries(properties ?? {}))
  return fields.find(([, node]) => shapesOf(node).some(fits))?.[0]
}

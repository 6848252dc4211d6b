import type { TSchema } from 'typebox'
import type { SchemaNode } from '../../api/schema-node.ts'
import type { ValueType } from '../../api/stream-frames.ts'

export const valueTypes = ['number', 'string', 'boolean', 'object', 'array'] as const satisfies readonly ValueType[]

/** The shapes a value may have, null aside. */
export function shapesOf(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf === undefined ? (node.type === 'null' ? [] : [node]) : node.anyOf.flatMap(shapesOf)
}

export function admitsNull({ type, anyOf }: SchemaNode): boolean {
  return type === 'null' || (anyOf?.some(admitsNull) ?? false)
}

/** The JSON type of a value of one shape; undefined for null and for what a schema leaves open. */
export function valueTypeOf({ type, enum: words, const: word }: SchemaNode): ValueType | undefined {
  const named = type ?? typeof (word ?? words?.[0])
  if (named === 'integer') return 'number'
  return named === 'undefined' || named === 'null' ? undefined : (named as ValueType)
}

/** The first field at the top of an answer, in any of its shapes, whose schema fits. */
export function topField(response: TSchema, fits: (node: SchemaNode) => boolean): string | undefined {
  const fields = shapesOf(response as SchemaNode).flatMap(({ properties }) => Object.entries(properties ?? {}))
  return fields.find(([, node]) => shapesOf(node).some(fits))?.[0]
}

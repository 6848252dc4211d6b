import type { Static, TSchema } from 'typebox'
import type { Loose } from '../../../api/quantity.ts'
import type { Scope } from '../../../exposure/scope.ts'

/** One part of an answer: its declared shape beside the code that fills it. */
export function block<Schema extends TSchema, More extends readonly unknown[]>(
  schema: Schema,
  fill: (scope: Scope, ...more: More) => Loose<Static<Schema>>
) {
  return { schema, fill }
}

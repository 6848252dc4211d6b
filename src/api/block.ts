import type { Static, TSchema } from 'typebox'
import type { Loose } from './quantity.ts'

/**
 * One part of a response: its schema, and the function that fills it with figures. An endpoint puts `schema`, or its
 * `properties`, into its response schema and calls `fill` in its answer function.
 */
export interface Block<Schema extends TSchema, Sources extends readonly unknown[]> {
  readonly schema: Schema
  readonly fill: (...sources: Sources) => Loose<Static<Schema>>
}

/** Declares a block. The compiler checks that `fill` returns the declared shape. */
export function block<Schema extends TSchema, Sources extends readonly unknown[]>(
  schema: Schema,
  fill: (...sources: Sources) => Loose<Static<Schema>>
): Block<Schema, Sources> {
  return { schema, fill }
}

import type { Static, TSchema } from 'typebox'
import type { Loose } from './quantity.ts'

/**
 * One part of an answer: its declared shape beside the function that fills it from measures. An endpoint names `schema`
 * in its response, or spreads the `properties` of it there, and `fill` in its answer.
 */
export interface Block<Schema extends TSchema, Sources extends readonly unknown[]> {
  readonly schema: Schema
  readonly fill: (...sources: Sources) => Loose<Static<Schema>>
}

/** Declares a block. The compiler holds both sides together: `fill` must return the declared shape. */
export function block<Schema extends TSchema, Sources extends readonly unknown[]>(
  schema: Schema,
  fill: (...sources: Sources) => Loose<Static<Schema>>
): Block<Schema, Sources> {
  return { schema, fill }
}

import Type, { type TObject, type TSchema } from 'typebox'
import { envelope } from './envelope.ts'

/**
 * Shape of an answer: `plain` is the one that its endpoint declares, `compatible` the one that existing clients of
 * historical answers read.
 */
export const shapes = ['plain', 'compatible'] as const
export type AnswerShape = (typeof shapes)[number]

/** The compatible shape of an endpoint whose answers differ there: its schema, and how it is made from an answer. */
export interface Reshaping {
  readonly response: TSchema
  readonly of: (answer: never, inputs: never, params: never) => unknown
}

/** Makes the compatible shape from the declared one. */
export type Reshape = (response: TObject) => Reshaping

/** All fields but symbol, price and moment lie in an object `payload`. */
export const inPayload: Reshape = ({ properties }) => {
  const [outside, inside] = [true, false].map((isOutside) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => Object.hasOwn(envelope, name) === isOutside))
  )
  return {
    response: Type.Object({ ...outside, payload: Type.Object(inside) }),
    of: (answer: object) => ({ ...answer, payload: answer })
  }
}

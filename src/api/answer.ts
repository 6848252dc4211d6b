import type { Endpoint } from './endpoint.ts'
import type { Inputs } from './inputs/inputs.ts'
import type { Entitlement } from './plan.ts'
import { type Serializer, serializerOf, type Zone } from './serializer.ts'

/**
 * Everything that a response of an endpoint depends on. It is plain data, so that any thread can compute the response.
 */
export interface AnswerTask {
  readonly params: Readonly<Record<string, unknown>>
  readonly inputs: Partial<Inputs>
  readonly body: unknown
  readonly caller: readonly Entitlement[]
  /** How times are printed: in UTC (the default) or as New York time. */
  readonly zone?: Zone
  /** Media type of the requested format, unless it is JSON. */
  readonly form?: string | undefined
}

const serializers: Readonly<Record<Zone, WeakMap<Endpoint, Serializer>>> = { utc: new WeakMap(), et: new WeakMap() }

/**
 * Computes the response of an endpoint as bytes, or throws an ApiError. For equal tasks the response is always equal.
 */
export function answerBytes(endpoint: Endpoint, task: AnswerTask): Uint8Array {
  const { zone = 'utc' } = task
  const form = endpoint.forms.find(({ type }) => type === task.form)
  if (form !== undefined) return form.write(plainAnswer(endpoint, task) as never, zone, task.params as never)
  let serialize = serializers[zone].get(endpoint)
  if (serialize === undefined) serializers[zone].set(endpoint, (serialize = serializerOf(endpoint.response, zone)))
  return serialize(plainAnswer(endpoint, task))
}

/** Computes a response as text, for tests and exports. */
export function answer(endpoint: Endpoint, task: AnswerTask): string {
  return new TextDecoder().decode(answerBytes(endpoint, task))
}

function plainAnswer(endpoint: Endpoint, { params, inputs, body, caller }: AnswerTask): unknown {
  const more = { body, caller: new Set(caller) }
  return endpoint.answer(inputs as never, params as never, more as never)
}

import type { Endpoint } from './endpoint.ts'
import type { Inputs } from './inputs/inputs.ts'
import type { Entitlement } from './plan.ts'
import { type Serializer, serializerOf, type Zone } from './serializer.ts'

/** Everything one answer depends on beside its endpoint: plain data, so that any thread can make it. */
export interface AnswerTask {
  readonly params: Readonly<Record<string, unknown>>
  readonly inputs: Partial<Inputs>
  readonly body: unknown
  /** Those of the caller's entitlements that the endpoint declares in `varies`. */
  readonly caller: readonly Entitlement[]
  /** The clock that times are printed on: UTC, where nothing is said. */
  readonly zone?: Zone
  /** The media type of the form that is wanted, where it is another than JSON. */
  readonly form?: string | undefined
}

const serializers: Readonly<Record<Zone, WeakMap<Endpoint, Serializer>>> = { utc: new WeakMap(), et: new WeakMap() }

/**
 * The answer of an endpoint as bytes of the form that is wanted, or the ApiError that refuses it, thrown. The same task has
 * the same answer.
 */
export function answerBytes(endpoint: Endpoint, task: AnswerTask): Uint8Array {
  const { zone = 'utc' } = task
  const form = endpoint.forms.find(({ type }) => type === task.form)
  if (form !== undefined) return form.write(plainAnswer(endpoint, task) as never, zone, task.params as never)
  let serialize = serializers[zone].get(endpoint)
  if (serialize === undefined) serializers[zone].set(endpoint, (serialize = serializerOf(endpoint.response, zone)))
  return serialize(plainAnswer(endpoint, task))
}

/** The same as text. */
export function answer(endpoint: Endpoint, task: AnswerTask): string {
  return new TextDecoder().decode(answerBytes(endpoint, task))
}

function plainAnswer(endpoint: Endpoint, { params, inputs, body, caller }: AnswerTask): unknown {
  const more = { body, caller: new Set(caller) }
  return endpoint.answer(inputs as never, params as never, more as never)
}

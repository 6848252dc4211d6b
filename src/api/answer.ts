import type { TObject } from 'typebox'
import { easternDateTime } from '../market/eastern.ts'
import { isoInstant } from '../market/units.ts'
import type { AnswerShape } from './compatible-shape.ts'
import type { Endpoint } from './endpoint.ts'
import type { Inputs } from './inputs/inputs.ts'
import type { Entitlement } from './plan.ts'
import { answerMoment, answerTable } from './rows/answer-table.ts'
import { tableForms, writtenTable } from './rows/forms.ts'
import { partBytes, type TablePart } from './rows/table-part.ts'
import { serializerOf, type Zone } from './serializer.ts'

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
  /** Shape of JSON: that of the declaration (the default) or the one that existing historical clients read. */
  readonly shape?: AnswerShape
  /** Media type of the requested format, unless it is JSON. */
  readonly form?: string | undefined
  /** Rows that are to be written in that form; undefined for what the endpoint itself writes in it. */
  readonly rows?: string | undefined
  /** Writes the rows of a part of a table of many answers instead. */
  readonly part?: TablePart | undefined
}

type Writer = (answer: unknown, task: AnswerTask) => Uint8Array

const writers: Readonly<Record<Zone, Readonly<Record<AnswerShape, WeakMap<Endpoint, Writer>>>>> = {
  utc: { plain: new WeakMap(), compatible: new WeakMap() },
  et: { plain: new WeakMap(), compatible: new WeakMap() }
}

/**
 * Computes the response of an endpoint as bytes, or throws an ApiError. For equal tasks the response is always equal.
 */
export function answerBytes(endpoint: Endpoint, task: AnswerTask): Uint8Array {
  const { zone = 'utc', shape = 'plain', form: type, rows, part } = task
  if (part !== undefined) {
    const json = plainJson(endpoint, task, 'utc')
    return partBytes(endpoint, part, json, answerMoment(endpoint, json) ?? chainMoment(task.inputs, 'utc'))
  }
  if (type !== undefined && rows !== undefined) return tableBytes(endpoint, task, { type, rows, zone })
  const form = endpoint.forms.find((one) => one.type === type)
  if (form !== undefined) return form.write(plainAnswer(endpoint, task) as never, zone, task.params as never)
  return jsonBytes(endpoint, task, { zone, shape })
}

function jsonBytes(
  endpoint: Endpoint,
  task: AnswerTask,
  { zone, shape }: Required<Pick<AnswerTask, 'zone' | 'shape'>>
): Uint8Array {
  const made = writers[zone][shape]
  let write = made.get(endpoint)
  if (write === undefined) made.set(endpoint, (write = writerOf(endpoint, zone, shape)))
  return write(plainAnswer(endpoint, task), task)
}

function writerOf({ response, compatible }: Endpoint, zone: Zone, shape: AnswerShape): Writer {
  const reshaping = shape === 'compatible' ? compatible?.(response as TObject) : undefined
  if (reshaping === undefined) return serializerOf(response, zone)
  const serialize = serializerOf(reshaping.response, zone)
  return (answer, { inputs, params }) => serialize(reshaping.of(answer as never, inputs as never, params as never))
}

/** Writes rows of a response. They are read from its JSON as declared, so every cell equals the field of that answer. */
function tableBytes(
  endpoint: Endpoint,
  task: AnswerTask,
  { type, rows, zone: asked }: { readonly type: string; readonly rows: string; readonly zone: Zone }
): Uint8Array {
  const form = tableForms.find((one) => one.type === type)!
  const { zone = asked } = form
  const json = plainJson(endpoint, task, zone)
  const { columns, read } = answerTable(endpoint, rows)
  const [symbol = null] = endpoint.symbols(task.params as never)
  const as_of = answerMoment(endpoint, json) ?? chainMoment(task.inputs, zone)
  return writtenTable(form, columns, read(json, { symbol, at: null, as_of }))
}

function plainJson(endpoint: Endpoint, task: AnswerTask, zone: Zone): unknown {
  return JSON.parse(new TextDecoder().decode(jsonBytes(endpoint, task, { zone, shape: 'plain' })))
}

/** Moment of the chain or quote behind an answer that does not name it; null if there is none. */
function chainMoment(inputs: AnswerTask['inputs'], zone: Zone): string | null {
  const { chain, anyChain, quote, anyQuote } = inputs
  const asOf = (chain ?? anyChain ?? quote ?? anyQuote)?.asOf
  if (asOf === undefined) return null
  return zone === 'et' ? easternDateTime(asOf) : isoInstant(asOf)
}

/** Computes a response as text, for tests and exports. */
export function answer(endpoint: Endpoint, task: AnswerTask): string {
  return new TextDecoder().decode(answerBytes(endpoint, task))
}

function plainAnswer(endpoint: Endpoint, { params, inputs, body, caller }: AnswerTask): unknown {
  const more = { body, caller: new Set(caller) }
  return endpoint.answer(inputs as never, params as never, more as never)
}

import type { AnswerTask } from '../../api/answer.ts'
import type { AnswerShape } from '../../api/compatible-shape.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { InputReadings } from '../../api/inputs/load.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Plan } from '../../api/plan.ts'
import type { Zone } from '../../api/serializer.ts'
import type { FlowPart, FlowSource } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import { type Encodable, type Encoding, MIN_COMPRESSED } from '../http/content-negotiation.ts'
import type { HeaderLines } from '../http/headers.ts'
import type { Renewable } from './renewals.ts'
import { MAX_TEXT_BODY } from './single-write-response.ts'

/** Everything that a response varies by, apart from the version of its inputs. */
export interface AnswerQuestion extends Pick<AnswerTask, 'params' | 'caller' | 'form' | 'rows'> {
  readonly endpoint: Endpoint
  readonly zone: Zone
  readonly shape: AnswerShape
}

/** The bytes to send, plain or compressed, and the headers that are sent with them. */
export interface AnswerPayload {
  /** Undefined if the client has the bytes already. */
  readonly bytes: Buffer | undefined
  readonly encoding: Encoding | undefined
  /** Small bytes as Latin-1 text, one character per byte; see `SingleWriteResponse`. */
  readonly text: string | undefined
  /** Headers that all requests of one plan share. */
  readonly heads: Map<Plan | undefined, { readonly dataSource: string; readonly lines: HeaderLines }>
}

/** A finished response body, whose bytes are computed once and sent many times, and all that is remembered with it. */
export interface KeptAnswer extends Encodable {
  readonly key: string
  readonly version: string
  readonly etag: string
  /**
   * Media type; undefined for JSON. `hasForms`: the Accept header selects the media type, so HTTP caches must tell the
   * variants apart.
   */
  readonly form: string | undefined
  readonly hasForms: boolean
  /** Headers of the chains that the response was computed from, without their columns. */
  readonly chains: readonly ChainHeader[]
  /** Source of the prints behind the response; undefined if it is not about flow. */
  readonly flowSource: FlowSource | undefined
  /** What these prints cover; undefined if all of the session is there. */
  readonly flowPart: FlowPart | undefined
  /** Past session that the response describes, whose chains are supposed to be old; undefined for the current one. */
  readonly session: IsoDate | undefined
  /** Symbol of the chain whose quality the response has; undefined if there is no single live chain. */
  readonly rated: Ticker | undefined
  /** The quality of that chain, as last known. */
  quality: ChainAssessment | undefined
  /** Readings that the response was made from, by the maximum age of data that they were made for, milliseconds. */
  readonly readings: Map<number, InputReadings>
  /** Payloads sent so far: the plain bytes, their encodings, and the empty one for clients that hold the bytes. */
  readonly payloads: Partial<Record<Encoding | 'plain' | 'held', AnswerPayload>>
  /** How it is renewed in advance; undefined if nobody comes back for it. */
  renewable: Renewable | undefined
  /** When the first chain behind it was replaced, wall clock. */
  outdatedSince: Instant | undefined
}

/**
 * Cache key of a response. `keyless` is part of it, since a request without an API key may see another session.
 */
export function answerKey(
  { endpoint, params, caller, zone, shape, form, rows }: AnswerQuestion,
  { keyless }: Pick<DataRequest, 'keyless'>
): string {
  let key = `${endpoint.id} ${JSON.stringify(params)}`
  if (caller.length > 0) key += ` ${caller.join()}`
  if (keyless) key += ' keyless'
  if (form !== undefined) key += rows === undefined ? ` ${form}` : ` ${form} ${rows}`
  if (shape !== 'plain') key += ` ${shape}`
  return zone === 'utc' ? key : `${key} ${zone}`
}

/** Estimated bytes of a cache entry apart from key and body: its objects, tag and version; and those of one fact. */
const ENTRY_OVERHEAD = 1000
const FACT_BYTES = 200

/**
 * Size of a cache entry, bytes. At most two compressed forms are added later; they take up to four fifths of the body
 * together. A small body is also cached as text once it was sent.
 */
export function sizeOfAnswer({ body, readings }: KeptAnswer, key: string): number {
  const compressed = body.length < MIN_COMPRESSED ? 0 : 0.8 * body.length
  const text = (body.length <= MAX_TEXT_BODY ? body.length : 0) + Math.min(compressed, 2 * MAX_TEXT_BODY)
  let facts = 0
  for (const made of readings.values()) facts += made.facts.length
  return Math.ceil(body.length + compressed + text) + key.length + ENTRY_OVERHEAD + FACT_BYTES * facts
}

/** Returns the bytes as a Buffer on the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

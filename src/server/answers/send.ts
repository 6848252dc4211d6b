import type { IncomingHttpHeaders } from 'node:http'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { DataRequest } from '../../api/market-source.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import { encoded, encodingFor } from '../http/content-negotiation.ts'
import type { Exchange } from '../http/exchange.ts'
import { type RequestRecord, recordOf } from '../http/exchange.ts'
import type { AllowedOrigins, HeaderList } from '../http/headers.ts'
import { type AnswerPayload, answerHeaders, answerHeaderText } from './answer-headers.ts'
import type { CachedAnswer, Served } from './answers.ts'
import { perRequestHeaders, perRequestHeaderText } from './per-request-headers.ts'
import { SingleWriteResponse } from './single-write-response.ts'

export interface SendOptions {
  readonly quota: QuotaCounters
  /** Named in every answer, so that nobody mistakes made-up data for a market: where what it is made of came from. */
  readonly dataSource: (chains: readonly ChainHeader[]) => string
  readonly wallNow: () => number
  readonly corsOrigin: AllowedOrigins
  /** Hears of every request. With the same `alike` come records that differ in id, status, seconds and bytes alone. */
  readonly onRequest: (record: RequestRecord, alike?: object) => void
}

/**
 * A finished answer, the request for data that it was found by, the quality of that data, and the headers that name its
 * moment or what was ignored.
 */
export interface FoundAnswer {
  readonly served: Served
  readonly asking: DataRequest
  readonly quality: ChainAssessment | undefined
  readonly momentHeaders: HeaderList
  /** Its headers that are the same for every request of a moment, where several share them: see `momentText`. */
  readonly momentText?: string
}

const nothing: AnswerPayload = { bytes: undefined, encoding: undefined }

/**
 * What a client is sent of an answer: nothing when it has the bytes, else the smallest form that it takes. A promise
 * while that form is being compressed.
 */
export function payloadFor(headers: IncomingHttpHeaders, answer: CachedAnswer): MaybePromise<AnswerPayload> {
  if (isHeldBy(headers, answer)) return nothing
  const encoding = encodingFor(headers['accept-encoding'] as string | undefined, answer.body.length)
  if (encoding === undefined) return { bytes: answer.body, encoding }
  return andThen(encoded(answer, encoding, 'quick'), (bytes) => ({ bytes, encoding }))
}

/** Whether the client has these bytes already. Tags are compared weakly: some proxies drop the mark of a weak one. */
function isHeldBy(headers: IncomingHttpHeaders, { etag }: CachedAnswer): boolean {
  const held = headers['if-none-match']
  return held !== undefined && (held === '*' || held.includes(etag.slice('W/'.length)))
}

/**
 * Sends a finished answer through Node alone, without what the framework adds on the way, and records it. `alike`: see
 * `SendOptions.onRequest`.
 */
export function sendAnswer(
  exchange: Exchange,
  found: FoundAnswer,
  payload: AnswerPayload,
  options: SendOptions,
  alike?: object
): void {
  const { raw, method, account } = exchange
  const { answer, chains } = found.served
  const { bytes } = payload
  const status = bytes === undefined ? 304 : 200
  // A page asks again and again whether anything is new: for a browser that costs nothing while nothing is.
  const isFree = status === 304 && account?.uncounted === 'held'
  if (isFree) options.quota.refund(account)
  const used = isFree ? Math.max(0, exchange.used - 1) : exchange.used
  const dataSource = options.dataSource(chains)
  if (method === 'GET' && raw instanceof SingleWriteResponse && raw.canSendInOneWrite) {
    const headers = answerHeaderText(answer, payload, account, dataSource)
    raw.sendInOneWrite(headers + perRequestHeaderText(exchange, used, found, options), bytes)
  } else {
    const headers = answerHeaders(answer, payload, account, dataSource)
    raw.writeHead(status, [...headers, ...perRequestHeaders(exchange, used, found, options)])
    raw.end(method === 'HEAD' ? undefined : bytes)
  }
  options.onRequest(recordOf(exchange, status, bytes?.length ?? 0), alike)
}

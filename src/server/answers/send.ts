import type { IncomingHttpHeaders } from 'node:http'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { DataRequest } from '../../api/market-source.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { type Encoding, encoded, encodingFor } from '../http/content-negotiation.ts'
import { isHeldBy } from '../http/entity-tag.ts'
import type { Exchange } from '../http/exchange.ts'
import { type RequestRecord, recordOf } from '../http/exchange.ts'
import { type AllowedOrigins, type HeaderLines, headerPairs } from '../http/headers.ts'
import { perRequestLines, sharedLines } from './answer-headers.ts'
import type { Served } from './answers.ts'
import type { AnswerPayload, KeptAnswer } from './kept-answer.ts'
import { MAX_TEXT_BODY, SingleWriteResponse } from './single-write-response.ts'

export interface SendOptions {
  readonly quota: QuotaCounters
  /**
   * Value of X-Data-Source, on every response: the source of its chains, so that nobody mistakes synthetic data for a
   * market.
   */
  readonly dataSource: (chains: readonly ChainHeader[]) => string
  readonly wallNow: () => number
  readonly corsOrigin: AllowedOrigins
  readonly onRequest: (record: RequestRecord) => void
}

export interface FoundAnswer {
  readonly served: Served
  readonly asking: DataRequest
  /** Headers of the moment that was asked for, of ignored parameters and of a deprecated endpoint. */
  readonly lines: HeaderLines
}

/**
 * The payload for a client: nothing if it has the bytes already, else the smallest encoding it accepts. A promise while
 * that encoding is being compressed.
 */
export function payloadFor(headers: IncomingHttpHeaders, answer: KeptAnswer): MaybePromise<AnswerPayload> {
  const { body, payloads } = answer
  if (isHeldBy(headers, answer.etag)) return (payloads.held ??= payloadOf(undefined))
  const encoding = encodingFor(headers['accept-encoding'] as string | undefined, body.length)
  if (encoding === undefined) return (payloads.plain ??= payloadOf(body))
  const made = payloads[encoding]
  if (made !== undefined) return made
  return andThen(encoded(answer, encoding, 'quick'), (bytes) => (payloads[encoding] ??= payloadOf(bytes, encoding)))
}

function payloadOf(bytes: Buffer | undefined, encoding?: Encoding): AnswerPayload {
  const isSmall = bytes !== undefined && bytes.length <= MAX_TEXT_BODY
  return { bytes, encoding, text: isSmall ? bytes.toString('latin1') : undefined, heads: new Map() }
}

/** Sends a finished response directly through Node, bypassing Fastify, and records the request. */
export function sendAnswer(exchange: Exchange, found: FoundAnswer, payload: AnswerPayload, options: SendOptions): void {
  const { raw, method, account } = exchange
  const { answer, chains } = found.served
  const { bytes, text } = payload
  const status = bytes === undefined ? 304 : 200
  // Pages poll for news; polling from a browser does not count while nothing has changed.
  const isFree = status === 304 && account?.uncounted === 'held' && account.page === undefined
  if (isFree) options.quota.refund(account)
  const used = isFree ? Math.max(0, exchange.used - 1) : exchange.used
  const shared = sharedLines(answer, payload, account, options.dataSource(chains))
  const lines = shared + perRequestLines(exchange, used, found, options)
  if (method === 'GET' && raw instanceof SingleWriteResponse && raw.canSendInOneWrite) {
    raw.sendInOneWrite(lines, bytes, text)
  } else {
    raw.writeHead(status, headerPairs(lines))
    raw.end(method === 'HEAD' ? undefined : bytes)
  }
  options.onRequest(recordOf(exchange, status, bytes?.length ?? 0))
}

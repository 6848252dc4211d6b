import type { QuotaCounters } from '../../accounts/quota.ts'
import type { DataRequest } from '../../api/source.ts'
import type { Exchange } from '../http/exchange.ts'
import { type AllowedOrigins, addUsage, callerHeaders, type HeaderList } from '../http/headers.ts'
import { type RequestRecord, recordOf } from '../http/record.ts'
import type { CachedAnswer, Encoding, Served } from './answers.ts'
import { addAge, lastingHead, lastingHeaders, textOf } from './head.ts'
import { WholeResponse } from './whole-response.ts'

export interface SendOptions {
  readonly quota: QuotaCounters
  /** Named in every answer, so that nobody mistakes made-up data for a market. */
  readonly dataSource: string
  readonly wallNow: () => number
  readonly corsOrigin: AllowedOrigins
  readonly onRequest: (record: RequestRecord) => void
}

/** An answer on its way: whose market it came from, and what is said of the moment beside the usual headers. */
export interface Outgoing {
  readonly served: Served
  readonly asking: DataRequest
  readonly moment: HeaderList
}

/** What is sent of an answer: nothing where the client has it already, else its bytes as they are or encoded. */
export interface Sendable {
  readonly bytes: Buffer | undefined
  readonly encoding: Encoding | undefined
}

/** Whether the client has these bytes already. Tags are compared weakly: some proxies drop the mark of a weak one. */
export function isHeldBy({ headers }: Pick<Exchange, 'headers'>, { etag }: CachedAnswer): boolean {
  const held = headers['if-none-match']
  return held !== undefined && (held === '*' || held.includes(etag.slice('W/'.length)))
}

/** Writes a finished answer to the socket, past the framework's own way to send, and records it. */
export function sendAnswer(
  exchange: Exchange,
  { served, asking, moment }: Outgoing,
  { bytes, encoding }: Sendable,
  options: SendOptions
): void {
  const { raw, method, account } = exchange
  const status = bytes === undefined ? 304 : 200
  const passing = callerHeaders(exchange, options.corsOrigin)
  if (account !== undefined) addUsage(passing, account, exchange.used, options.quota, options.wallNow())
  addAge(passing, served, asking)
  passing.push(...moment)
  const sent = bytes && { bytes, encoding }
  if (sent !== undefined && method === 'GET' && raw instanceof WholeResponse && raw.takesWhole) {
    raw.sendWhole(lastingHead(served.answer, sent, account, options.dataSource) + textOf(passing), sent.bytes)
  } else {
    raw.writeHead(status, [...lastingHeaders(served.answer, sent, account, options.dataSource), ...passing])
    raw.end(method === 'HEAD' ? undefined : bytes)
  }
  options.onRequest(recordOf(exchange, status, bytes?.length ?? 0))
}

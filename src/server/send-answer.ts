import type { QuotaCounters } from '../accounts/quota.ts'
import type { Asking } from '../api/source.ts'
import type { CachedAnswer, Encoding, Served } from './answers.ts'
import type { Exchange } from './exchange.ts'
import { type AllowedOrigins, addRateHeaders, commonHeaders, contentHeadersFor, type HeaderList } from './headers.ts'
import { type RequestRecord, recordOf } from './record.ts'

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
  readonly asking: Asking
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

/**
 * Writes a finished answer to the socket and records it. Headers go out as one list, past the framework's own way to
 * send, header by header and hook by hook.
 */
export function sendAnswer(
  exchange: Exchange,
  { served, asking, moment }: Outgoing,
  { bytes, encoding }: Sendable,
  options: SendOptions
): void {
  const { raw, method, account } = exchange
  const { answer } = served
  const status = bytes === undefined ? 304 : 200
  const headers = commonHeaders(exchange, options.corsOrigin)
  headers.push(...contentHeadersFor(account), 'etag', answer.etag)
  headers.push('vary', account === undefined ? 'accept-encoding, origin, x-api-key' : 'accept-encoding, origin')
  if (account !== undefined) addRateHeaders(headers, account, exchange.used, options.quota, options.wallNow())
  addDataHeaders(headers, served, asking, options.dataSource)
  headers.push(...moment)
  if (encoding !== undefined) headers.push('content-encoding', encoding)
  if (bytes !== undefined) headers.push('content-length', `${bytes.length}`)
  raw.writeHead(status, headers)
  if (method === 'HEAD' || bytes === undefined) raw.end()
  else raw.end(bytes)
  options.onRequest(recordOf(exchange, status, bytes?.length ?? 0))
}

/** Where the figures come from and how old they are. */
function addDataHeaders(headers: HeaderList, { chains }: Served, { source }: Asking, dataSource: string): void {
  headers.push('x-data-source', dataSource)
  if (chains.length === 0) return
  let oldest = chains[0].asOf
  for (const { asOf } of chains) oldest = Math.min(oldest, asOf)
  headers.push('x-data-age', (Math.max(0, source.now() - oldest) / 1000).toFixed(1))
  if (chains.some((chain) => source.isStale(chain))) headers.push('x-data-stale', 'true')
}

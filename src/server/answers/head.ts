import type { Account } from '../../accounts/accounts.ts'
import type { DataRequest } from '../../api/source.ts'
import { contentHeadersFor, type HeaderList, limitHeaders, noSniffing } from '../http/headers.ts'
import type { CachedAnswer, Encoding, Served } from './answers.ts'

/** What is sent of an answer: its bytes as they are or encoded; none where the client has them already. */
export interface Payload {
  readonly bytes: Buffer | undefined
  readonly encoding: Encoding | undefined
}

/** The headers that are the same for every request of one plan that is sent the same bytes. */
export function answerHeaders(
  { etag }: CachedAnswer,
  { bytes, encoding }: Payload,
  account: Account | undefined,
  dataSource: string
): HeaderList {
  const vary = account === undefined ? 'accept-encoding, origin, x-api-key' : 'accept-encoding, origin'
  const headers = [...noSniffing, ...contentHeadersFor(account)]
  headers.push('etag', etag, 'vary', vary, 'x-data-source', dataSource)
  if (account !== undefined) headers.push(...limitHeaders(account))
  if (encoding !== undefined) headers.push('content-encoding', encoding)
  if (bytes !== undefined) headers.push('content-length', `${bytes.length}`)
  return headers
}

/** How old the figures are. */
export function addAge(headers: HeaderList, { chains }: Served, { source }: DataRequest): void {
  if (chains.length === 0) return
  let oldest = chains[0].asOf
  for (const { asOf } of chains) oldest = Math.min(oldest, asOf)
  headers.push('x-data-age', secondsText(Math.max(0, source.now() - oldest)))
  if (chains.some((chain) => source.isStale(chain))) headers.push('x-data-stale', 'true')
}

/** Milliseconds as seconds with one decimal. */
function secondsText(milliseconds: number): string {
  return (Math.round(milliseconds / 100) / 10).toFixed(1)
}

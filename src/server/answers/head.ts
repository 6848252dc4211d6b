import type { Account } from '../../accounts/accounts.ts'
import type { Plan } from '../../api/plan.ts'
import type { DataRequest } from '../../api/source.ts'
import { contentHeadersFor, type HeaderList, limitHeaders, noSniffing } from '../http/headers.ts'
import { flat } from '../operations/flat-text.ts'
import type { CachedAnswer, Encoding, Served } from './answers.ts'

const written = new WeakMap<Buffer, Map<Plan | undefined, string>>()

/**
 * Status line and headers as far as they are the same for every request of one plan that is sent the same bytes: put
 * together once for each.
 */
export function lastingHead(
  answer: CachedAnswer,
  sent: SentBytes,
  account: Account | undefined,
  dataSource: string
): string {
  let plans = written.get(sent.bytes)
  if (plans === undefined) written.set(sent.bytes, (plans = new Map()))
  let head = plans.get(account?.plan)
  if (head === undefined) {
    head = flat(`HTTP/1.1 200 OK\r\n${textOf(lastingHeaders(answer, sent, account, dataSource))}`)
    plans.set(account?.plan, head)
  }
  return head
}

/** What is sent of an answer, as it is or encoded. */
export interface SentBytes {
  readonly bytes: Buffer
  readonly encoding: Encoding | undefined
}

/** The same headers as a list; without bytes those of an answer the client has already. */
export function lastingHeaders(
  { etag }: CachedAnswer,
  sent: SentBytes | undefined,
  account: Account | undefined,
  dataSource: string
): HeaderList {
  const vary = account === undefined ? 'accept-encoding, origin, x-api-key' : 'accept-encoding, origin'
  const headers = [...noSniffing, ...contentHeadersFor(account)]
  headers.push('etag', etag, 'vary', vary, 'x-data-source', dataSource)
  if (account !== undefined) headers.push(...limitHeaders(account))
  if (sent?.encoding !== undefined) headers.push('content-encoding', sent.encoding)
  if (sent !== undefined) headers.push('content-length', `${sent.bytes.length}`)
  return headers
}

/** How old the figures are. */
export function addAge(headers: HeaderList, { chains }: Served, { source }: DataRequest): void {
  if (chains.length === 0) return
  let oldest = chains[0].asOf
  for (const { asOf } of chains) oldest = Math.min(oldest, asOf)
  headers.push('x-data-age', tenthsText(Math.max(0, source.now() - oldest)))
  if (chains.some((chain) => source.isStale(chain))) headers.push('x-data-stale', 'true')
}

let tenths = 0
let tenthsWritten = '0.0'

/** Milliseconds as seconds with one decimal: written anew ten times a second, for the answers that are asked most. */
function tenthsText(milliseconds: number): string {
  const rounded = Math.round(milliseconds / 100)
  if (rounded !== tenths) {
    tenths = rounded
    tenthsWritten = (rounded / 10).toFixed(1)
  }
  return tenthsWritten
}

/** Headers as they go over the wire. */
export function textOf(headers: HeaderList): string {
  let text = ''
  for (let k = 0; k < headers.length; k += 2) text += `${headers[k]}: ${headers[k + 1]}\r\n`
  return text
}

import type { Account } from '../accounts/accounts.ts'
import type { Plan } from '../api/plan.ts'
import type { Asking } from '../api/source.ts'
import type { CachedAnswer, Encoding, Served } from './answers.ts'
import { flat } from './flat-text.ts'
import { contentHeadersFor, type HeaderList, limitHeaders, noSniffing } from './headers.ts'

/** What of a head is the same for every request of one plan that is sent the same bytes. */
export interface LastingHead {
  readonly headers: HeaderList
  /** The same as text, behind the status line. */
  readonly text: string
}

const written = new WeakMap<Buffer, Map<Plan | undefined, LastingHead>>()

/** That part of a head, written once and sent many times. */
export function lastingHead(
  answer: CachedAnswer,
  { bytes, encoding }: { readonly bytes: Buffer; readonly encoding: Encoding | undefined },
  account: Account | undefined,
  dataSource: string
): LastingHead {
  let plans = written.get(bytes)
  if (plans === undefined) written.set(bytes, (plans = new Map()))
  let lasting = plans.get(account?.plan)
  if (lasting === undefined) {
    const headers = lastingHeaders(answer, account, dataSource)
    if (encoding !== undefined) headers.push('content-encoding', encoding)
    headers.push('content-length', `${bytes.length}`)
    lasting = { headers, text: flat(`HTTP/1.1 200 OK\r\n${textOf(headers)}`) }
    plans.set(account?.plan, lasting)
  }
  return lasting
}

/** The same without what describes the bytes, for a client that has them already. */
export function lastingHeaders({ etag }: CachedAnswer, account: Account | undefined, dataSource: string): HeaderList {
  const vary = account === undefined ? 'accept-encoding, origin, x-api-key' : 'accept-encoding, origin'
  const limits = account === undefined ? [] : limitHeaders(account)
  return [
    ...noSniffing,
    ...contentHeadersFor(account),
    'etag',
    etag,
    'vary',
    vary,
    'x-data-source',
    dataSource,
    ...limits
  ]
}

/** How old the figures are. */
export function addAge(headers: HeaderList, { chains }: Served, { source }: Asking): void {
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

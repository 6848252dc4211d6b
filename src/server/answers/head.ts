import type { Account } from '../../accounts/accounts.ts'
import type { Plan } from '../../api/plan.ts'
import type { DataRequest } from '../../api/source.ts'
import { type Assessment, scoreAt } from '../../quality/assessment.ts'
import type { Encoding } from '../http/encoding.ts'
import { contentHeadersFor, type HeaderList, limitHeaders, noSniffing } from '../http/headers.ts'
import type { CachedAnswer, Served } from './answers.ts'
import { headerText } from './single-write-response.ts'

/** What is sent of an answer: its bytes as they are or encoded; none where the client has them already. */
export interface Payload {
  readonly bytes: Buffer | undefined
  readonly encoding: Encoding | undefined
}

/** The headers that are the same for every request of one plan that is sent the same bytes. */
export function answerHeaders(
  { etag, form, hasForms, flowSource }: CachedAnswer,
  { bytes, encoding }: Payload,
  account: Account | undefined,
  dataSource: string
): HeaderList {
  const vary = [
    ...(hasForms ? ['accept'] : []),
    'accept-encoding, origin',
    ...(account === undefined ? ['x-api-key, cookie'] : [])
  ].join(', ')
  const headers = [...noSniffing, ...contentHeadersFor(account, form)]
  headers.push('etag', etag, 'vary', vary, 'x-data-source', dataSource)
  if (flowSource !== undefined) headers.push('x-flow-source', flowSource)
  if (account !== undefined) headers.push(...limitHeaders(account))
  if (encoding !== undefined) headers.push('content-encoding', encoding)
  if (bytes !== undefined) headers.push('content-length', `${bytes.length}`)
  return headers
}

const written = new WeakMap<Buffer, Map<Plan | undefined, { readonly dataSource: string; readonly text: string }>>()

/**
 * The same headers as text, put together once for each plan that is sent these bytes. It is kept in one piece: one put
 * together from others is a tree of them, which is walked whenever it is written.
 */
export function answerHeaderText(
  answer: CachedAnswer,
  payload: Payload & { readonly bytes: Buffer },
  account: Account | undefined,
  dataSource: string
): string {
  let plans = written.get(payload.bytes)
  if (plans === undefined) written.set(payload.bytes, (plans = new Map()))
  const held = plans.get(account?.plan)
  if (held?.dataSource === dataSource) return held.text
  const text = flat(headerText(answerHeaders(answer, payload, account, dataSource)))
  plans.set(account?.plan, { dataSource, text })
  return text
}

function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** How old the figures are. An age below zero says that the clock is behind, or the source ahead: it is no good age. */
export function addAge(headers: HeaderList, { chains }: Served, { source }: DataRequest): void {
  if (chains.length === 0) return
  let oldest = chains[0].asOf
  for (const { asOf } of chains) oldest = Math.min(oldest, asOf)
  const age = secondsText(source.now() - oldest)
  headers.push('x-data-age', age)
  if (age.startsWith('-') || chains.some((chain) => source.isStale(chain))) headers.push('x-data-stale', 'true')
}

/**
 * How good the chain behind the figures is: the score of /v1/quality at this second. What is known of another chain than
 * that of the answer says nothing of it.
 */
export function addQuality(
  headers: HeaderList,
  { chains }: Served,
  quality: Assessment | undefined,
  { source }: DataRequest
): void {
  if (quality === undefined || !chains.some(({ symbol, asOf }) => symbol === quality.symbol && asOf === quality.asOf))
    return
  headers.push('x-data-quality', `${scoreAt(quality, source.clock(1000))}`)
}

let secondsWritten = { tenths: 0, text: '0.0' }

/** Milliseconds as seconds with one decimal: written ten times a second where one chain is asked for again and again. */
function secondsText(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  if (tenths !== secondsWritten.tenths) secondsWritten = { tenths, text: (tenths / 10).toFixed(1) }
  return secondsWritten.text
}

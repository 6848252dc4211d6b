import type { Account } from '../../accounts/accounts.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { Plan } from '../../api/plan.ts'
import { scoreAt } from '../../quality/chain-assessment.ts'
import type { Encoding } from '../http/content-negotiation.ts'
import { contentHeadersFor, type HeaderList, limitHeaders, noSniffing } from '../http/headers.ts'
import type { Served } from './answers.ts'
import type { KeptAnswer } from './kept-answer.ts'
import { headerText } from './single-write-response.ts'

/** The bytes to send, plain or compressed; none if the client has them already. */
export interface AnswerPayload {
  readonly bytes: Buffer | undefined
  readonly encoding: Encoding | undefined
}

/** Headers shared by all requests of one plan that get the same bytes. */
export function answerHeaders(
  { etag, form, hasForms, flowSource }: KeptAnswer,
  { bytes, encoding }: AnswerPayload,
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

const written = new WeakMap<object, Map<Plan | undefined, { readonly dataSource: string; readonly text: string }>>()

/**
 * The headers of `answerHeaders` as header lines, built once for each payload and plan. The text is flattened: V8 keeps
 * concatenated strings as trees, which would be walked at every write.
 */
export function answerHeaderText(
  answer: KeptAnswer,
  payload: AnswerPayload,
  account: Account | undefined,
  dataSource: string
): string {
  const sent = payload.bytes ?? answer
  let plans = written.get(sent)
  if (plans === undefined) written.set(sent, (plans = new Map()))
  const held = plans.get(account?.plan)
  if (held?.dataSource === dataSource) return held.text
  const text = flat(headerText(answerHeaders(answer, payload, account, dataSource)))
  plans.set(account?.plan, { dataSource, text })
  return text
}

function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** Age of the data, seconds. Negative if our clock is behind, or the source's ahead. */
export function dataAge({ chains }: Served, { source }: DataRequest): string | undefined {
  if (chains.length === 0) return undefined
  let oldest = chains[0].asOf
  for (const { asOf } of chains) oldest = Math.min(oldest, asOf)
  return secondsText(source.now() - oldest)
}

export function isDataStale(age: string, { chains }: Served, { source }: DataRequest): boolean {
  return age.startsWith('-') || chains.some((chain) => source.isStale(chain))
}

/**
 * Quality score of the chain behind the response, as /v1/quality would give it now. Undefined if the known quality
 * belongs to another chain.
 */
export function qualityText({ chains, quality }: Served, { source }: DataRequest): number | undefined {
  if (quality === undefined) return undefined
  const isOfAnswer = chains.some(({ symbol, asOf }) => symbol === quality.symbol && asOf === quality.asOf)
  return isOfAnswer ? scoreAt(quality, source.clock(1000)) : undefined
}

let secondsWritten = { tenths: 0, text: '0.0' }

/**
 * Formats milliseconds as seconds with one decimal; caches the last text, as one chain is often requested repeatedly.
 */
function secondsText(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  if (tenths !== secondsWritten.tenths) secondsWritten = { tenths, text: (tenths / 10).toFixed(1) }
  return secondsWritten.text
}

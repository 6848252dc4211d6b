import type { Account } from '../../accounts/accounts.ts'
import type { DataRequest } from '../../api/market-source.ts'
import type { FlowPart } from '../../flow/tape-views.ts'
import { scoreAt } from '../../quality/chain-assessment.ts'
import type { Exchange } from '../http/exchange.ts'
import {
  callerLines,
  contentLines,
  type HeaderLines,
  headerLine,
  limitLines,
  noSniffing,
  usageLines
} from '../http/headers.ts'
import { keyHeaders } from '../http/request-key.ts'
import type { Served } from './answers.ts'
import type { AnswerPayload, KeptAnswer } from './kept-answer.ts'
import type { FoundAnswer, SendOptions } from './send.ts'

/** Headers shared by all requests of one plan that get the same bytes; written once for each payload and plan. */
export function sharedLines(
  answer: KeptAnswer,
  payload: AnswerPayload,
  account: Account | undefined,
  dataSource: string
): HeaderLines {
  const held = payload.heads.get(account?.plan)
  if (held?.dataSource === dataSource) return held.lines
  const { bytes, encoding } = payload
  const { etag, form, hasForms, flowSource, flowPart } = answer
  const vary = `${hasForms ? 'accept, ' : ''}accept-encoding, origin${account === undefined ? `, ${keyHeaders}` : ''}`
  let lines = noSniffing + contentLines(account, form)
  lines += headerLine('etag', etag) + headerLine('vary', vary) + headerLine('x-data-source', dataSource)
  if (flowSource !== undefined) lines += headerLine('x-flow-source', flowSource)
  if (flowPart !== undefined) lines += headerLine('x-flow-partial', partText(flowPart))
  if (account !== undefined) lines += limitLines(account)
  if (encoding !== undefined) lines += headerLine('content-encoding', encoding)
  if (bytes !== undefined) lines += headerLine('content-length', `${bytes.length}`)
  const head = { dataSource, lines: flat(lines) }
  payload.heads.set(account?.plan, head)
  return head.lines
}

/** Value of X-Flow-Partial: the share of the session with its first moment, or the share of the symbols. */
function partText({ since, share }: FlowPart): string {
  const rounded = (Math.floor(1000 * share) / 1000).toFixed(3)
  return since === undefined ? `symbols=${rounded}` : `session=${rounded}, since=${new Date(since).toISOString()}`
}

/** Copies a text: V8 keeps concatenated strings as trees, which would be walked at every write. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** Headers of a cached response that differ between requests. `used` is the number of requests of the account today. */
export function perRequestLines(
  exchange: Exchange,
  used: number,
  { served, asking, lines }: FoundAnswer,
  { quota, wallNow, corsOrigin }: Pick<SendOptions, 'quota' | 'wallNow' | 'corsOrigin'>
): HeaderLines {
  const { account } = exchange
  const usage = account === undefined ? '' : usageLines(account, used, quota, wallNow())
  return callerLines(exchange, corsOrigin) + usage + dataLines(served, asking) + lines
}

/**
 * Age of the data, whether it is older than its source promises, and its quality as /v1/quality would give it now. The
 * close of a past session that was asked for is not stale.
 */
function dataLines({ answer, chains, quality }: Served, { source }: DataRequest): HeaderLines {
  if (chains.length === 0) return ''
  let oldest = chains[0].asOf
  for (const { asOf } of chains) oldest = Math.min(oldest, asOf)
  const age = source.now() - oldest
  let lines = `x-data-age: ${secondsText(age)}\r\n`
  // A negative age means that our clock is behind, or the source's ahead.
  const isStale = answer.session === undefined && chains.some((chain) => source.isStale(chain))
  if (isStale || Math.round(age / 100) < 0) lines += 'x-data-stale: true\r\n'
  const isOfAnswer = chains.some(({ symbol, asOf }) => symbol === quality?.symbol && asOf === quality.asOf)
  if (isOfAnswer) lines += `x-data-quality: ${scoreAt(quality!, source.clock(1000))}\r\n`
  return lines
}

const secondsText = (milliseconds: number) => (Math.round(milliseconds / 100) / 10).toFixed(1)

import type { FastifyReply } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import type { Exchange } from './exchange.ts'
import { maskKeys } from './key-mask.ts'

/** Header names and values in alternation, as Node accepts them in one call. */
export type HeaderList = string[]

const exposed = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Data-Age',
  'X-Data-Quality',
  'X-Data-Source',
  'X-Data-Stale',
  'X-Flow-Source',
  'X-Ignored-Parameters',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Replay-As-Of',
  'X-Replay-At',
  'X-Replay-Fidelity',
  'X-Request-Id'
].join(', ')

export type AllowedOrigins = '*' | readonly string[]

const JSON_TYPE = 'application/json; charset=utf-8'
const keyed: HeaderList = ['cache-control', 'private, no-cache']
const keyless: HeaderList = ['cache-control', 'public, max-age=60']

/**
 * Content type and cache control of a response. A response to a request without a key may be cached by anybody for a
 * minute, otherwise by its caller alone; `vary` keeps the two apart, since a public endpoint may return different data
 * for a key. `form` is the media type if it is not JSON.
 */
export function contentHeadersFor(account: Account | undefined, form?: string): HeaderList {
  const type = form === undefined ? JSON_TYPE : form.startsWith('text/') ? `${form}; charset=utf-8` : form
  return ['content-type', type, ...(account === undefined ? keyless : keyed)]
}

/** Headers of every response: request id, safety, and permission for pages of allowed origins to read it. */
export function commonHeaders(exchange: Exchange, allowed: AllowedOrigins): HeaderList {
  return [...noSniffing, ...callerHeaders(exchange, allowed)]
}

/** Keeps a browser from guessing another content type. */
export const noSniffing = ['x-content-type-options', 'nosniff'] as const

const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains'

/** Headers of every response that depend on the request. */
export function callerHeaders(exchange: Exchange, allowed: AllowedOrigins): HeaderList {
  const headers = ['x-request-id', exchange.id]
  if (exchange.secure) headers.push('strict-transport-security', STRICT_TRANSPORT)
  const origin = allowedOrigin(exchange.headers.origin, allowed)
  if (origin !== undefined) {
    headers.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
  }
  return headers
}

const strictTransportText = `strict-transport-security: ${STRICT_TRANSPORT}\r\n`
const exposedText = `access-control-expose-headers: ${exposed}\r\n`

/** The headers of `callerHeaders` as header lines. */
export function callerText({ id, secure, headers }: Exchange, allowed: AllowedOrigins): string {
  const text = secure ? `x-request-id: ${id}\r\n${strictTransportText}` : `x-request-id: ${id}\r\n`
  const origin = allowedOrigin(headers.origin, allowed)
  return origin === undefined ? text : `${text}access-control-allow-origin: ${origin}\r\n${exposedText}`
}

/**
 * Value of access-control-allow-origin: a star, the origin itself, or undefined if the origin is not allowed or the
 * request has none.
 */
export function allowedOrigin(origin: string | undefined, allowed: AllowedOrigins): string | undefined {
  if (origin === undefined) return undefined
  if (allowed === '*') return '*'
  return allowed.includes(origin) ? origin : undefined
}

/**
 * Headers for the daily limit of an account: the older X-RateLimit fields, and the RateLimit fields of the IETF draft.
 */
export function limitHeaders({ plan: { dailyLimit } }: Account): HeaderList {
  if (dailyLimit === undefined) return ['x-ratelimit-limit', 'unlimited', 'x-ratelimit-remaining', 'unlimited']
  return ['x-ratelimit-limit', `${dailyLimit}`, 'ratelimit-policy', `"daily";q=${dailyLimit};w=86400`]
}

export function addUsage(
  headers: HeaderList,
  { plan: { dailyLimit } }: Account,
  used: number,
  quota: QuotaCounters,
  now: number
): void {
  const { at, left } = resetTexts(quota.resetsAt(), now)
  headers.push('x-ratelimit-reset', at)
  if (dailyLimit === undefined) return
  const remaining = `${Math.max(0, dailyLimit - used)}`
  headers.push('x-ratelimit-remaining', remaining, 'ratelimit', `"daily";r=${remaining};t=${left}`)
}

/** The headers of `addUsage` as header lines. */
export function usageText({ plan: { dailyLimit } }: Account, used: number, quota: QuotaCounters, now: number): string {
  const { at, left } = resetTexts(quota.resetsAt(), now)
  if (dailyLimit === undefined) return `x-ratelimit-reset: ${at}\r\n`
  const remaining = `${Math.max(0, dailyLimit - used)}`
  return `x-ratelimit-reset: ${at}\r\nx-ratelimit-remaining: ${remaining}\r\nratelimit: "daily";r=${remaining};t=${left}\r\n`
}

let resetWritten = { resetsAt: Number.NaN, seconds: Number.NaN, at: '', left: '' }

/** End of the quota day in Unix seconds, and the seconds until then; formatted once a second. */
function resetTexts(resetsAt: number, now: number) {
  const seconds = Math.max(0, Math.ceil((resetsAt - now) / 1000))
  if (seconds !== resetWritten.seconds || resetsAt !== resetWritten.resetsAt) {
    resetWritten = { resetsAt, seconds, at: `${resetsAt / 1000}`, left: `${seconds}` }
  }
  return resetWritten
}

export function rateHeaders(account: Account, used: number, quota: QuotaCounters, now: number): HeaderList {
  const headers = limitHeaders(account)
  addUsage(headers, account, used, quota, now)
  return headers
}

export function setHeaders(reply: FastifyReply, headers: HeaderList): void {
  for (let k = 0; k < headers.length; k += 2) reply.header(headers[k], headers[k + 1])
}

/** Maximum number of ignored names listed; `MAX_NAME_LENGTH` is the number of characters shown of each. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 40

const none: HeaderList = []

/** Header that lists parameters of the request that the endpoint does not know; empty if there are none. */
export function ignoredHeaders(names: readonly string[]): HeaderList {
  if (names.length === 0) return none
  const listed = names.slice(0, MAX_NAMES).map(asToken)
  if (names.length > MAX_NAMES) listed.push('...')
  return ['x-ignored-parameters', listed.join(', ')]
}

/** A parameter name in a form that a header can carry: short printable ASCII without commas and keys. */
function asToken(name: string): string {
  const plain = maskKeys(name).replace(/[^\w.~[\]-]/g, '?')
  return plain.length > MAX_NAME_LENGTH ? `${plain.slice(0, MAX_NAME_LENGTH)}...` : plain
}

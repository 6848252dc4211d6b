import type { FastifyReply } from 'fastify'
import type { Account } from '../accounts/accounts.ts'
import type { QuotaCounters } from '../accounts/quota.ts'
import type { Exchange } from './exchange.ts'

/** Header names and values in turn: Node takes them in one call. */
export type HeaderList = string[]

const exposed = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Data-Age',
  'X-Data-Source',
  'X-Data-Stale',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id'
].join(', ')

/** Origins whose pages may call: all of them, or a list. */
export type AllowedOrigins = '*' | readonly string[]

export const contentHeaders: HeaderList = [
  'content-type',
  'application/json; charset=utf-8',
  'cache-control',
  'private, no-cache'
]

/** The headers of every answer: request id, safety, and permission for pages of allowed origins to read it. */
export function commonHeaders(exchange: Exchange, allowed: AllowedOrigins): HeaderList {
  const headers = ['x-request-id', exchange.id, 'x-content-type-options', 'nosniff']
  if (exchange.secure) headers.push('strict-transport-security', 'max-age=31536000; includeSubDomains')
  const origin = allowedOrigin(exchange.headers.origin, allowed)
  if (origin !== undefined) {
    headers.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
  }
  return headers
}

/** What to say about an origin: a star, itself, or nothing when it is not allowed (or no page asked). */
export function allowedOrigin(origin: string | undefined, allowed: AllowedOrigins): string | undefined {
  if (origin === undefined) return undefined
  if (allowed === '*') return '*'
  return allowed.includes(origin) ? origin : undefined
}

/** What is left of an account's day: the older X-RateLimit fields, and the RateLimit fields of the IETF draft. */
export function addRateHeaders(
  headers: HeaderList,
  { plan }: Account,
  used: number,
  quota: QuotaCounters,
  now: number
): void {
  const resetsAt = quota.resetsAt()
  const limit = plan.dailyLimit
  const left = limit === undefined ? 'unlimited' : `${Math.max(0, limit - used)}`
  headers.push('x-ratelimit-limit', limit === undefined ? 'unlimited' : `${limit}`)
  headers.push('x-ratelimit-remaining', left, 'x-ratelimit-reset', `${resetsAt / 1000}`)
  if (limit === undefined) return
  const seconds = Math.max(0, Math.ceil((resetsAt - now) / 1000))
  headers.push('ratelimit-policy', `"daily";q=${limit};w=86400`, 'ratelimit', `"daily";r=${left};t=${seconds}`)
}

export function rateHeaders(account: Account, used: number, quota: QuotaCounters, now: number): HeaderList {
  const headers: HeaderList = []
  addRateHeaders(headers, account, used, quota, now)
  return headers
}

/** Sets a list of headers on an answer that the framework sends. */
export function setHeaders(reply: FastifyReply, headers: HeaderList): void {
  for (let k = 0; k < headers.length; k += 2) reply.header(headers[k], headers[k + 1])
}

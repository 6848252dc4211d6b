import type { FastifyReply } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import type { QuotaCounters } from '../../accounts/quota.ts'
import { type Deprecation, deprecationDate, sunsetDate } from '../../api/deprecation.ts'
import type { Exchange } from './exchange.ts'
import { maskKeys } from './key-mask.ts'

/** Header lines as they are sent; each ends in CRLF. One function writes each header of a response, in this form. */
export type HeaderLines = string

export const headerLine = (name: string, value: string): HeaderLines => `${name}: ${value}\r\n`

/** Splits header lines into a list in which names and values alternate. Node accepts such a list in one call. */
export function headerPairs(lines: HeaderLines): string[] {
  const pairs: string[] = []
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\r\n', start)
    const colon = lines.indexOf(': ', start)
    pairs.push(lines.slice(start, colon), lines.slice(colon + 2, end))
    start = end + 2
  }
  return pairs
}

/** Headers of an endpoint that will be removed. The link leads to what may change when (RFC 9745, section 3). */
export function deprecationLines(deprecation: Deprecation): HeaderLines {
  return (
    headerLine('deprecation', deprecationDate(deprecation)) +
    headerLine('sunset', sunsetDate(deprecation)) +
    headerLine('link', '</docs/versioning>; rel="deprecation"; type="text/html"')
  )
}

export function setHeaders(reply: FastifyReply, lines: HeaderLines): void {
  const pairs = headerPairs(lines)
  for (let k = 0; k < pairs.length; k += 2) reply.header(pairs[k], pairs[k + 1])
}

const exposed = [
  'Deprecation',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Bulk-Cost',
  'X-Bulk-Groups',
  'X-Data-Age',
  'X-Data-Quality',
  'X-Data-Source',
  'X-Data-Stale',
  'X-Flow-Partial',
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
const keyed = headerLine('cache-control', 'private, no-cache')
const keyless = headerLine('cache-control', 'public, max-age=60')

/**
 * Content type and cache control of a response. A response to a request without a key may be cached by anybody for a
 * minute; any other may be cached by its caller only. The header `vary` keeps caches from mixing both. `form` is the
 * media type if it is not JSON.
 */
export function contentLines(account: Account | undefined, form?: string): HeaderLines {
  const type = form === undefined ? JSON_TYPE : form.startsWith('text/') ? `${form}; charset=utf-8` : form
  return headerLine('content-type', type) + (account === undefined ? keyless : keyed)
}

/**
 * Headers of every response: the request id, security headers, and permission for pages of allowed origins to read the
 * response.
 */
export function commonLines(exchange: Exchange, allowed: AllowedOrigins): HeaderLines {
  return noSniffing + callerLines(exchange, allowed)
}

/** Tells browsers to trust the stated content type and not to guess another. */
export const noSniffing = headerLine('x-content-type-options', 'nosniff')

const strictTransport = headerLine('strict-transport-security', 'max-age=31536000; includeSubDomains')
const exposedToPages = headerLine('access-control-expose-headers', exposed)

/** Headers of every response whose values depend on the request. */
export function callerLines({ id, secure, headers }: Exchange, allowed: AllowedOrigins): HeaderLines {
  const lines = secure ? `x-request-id: ${id}\r\n${strictTransport}` : `x-request-id: ${id}\r\n`
  const origin = allowedOrigin(headers.origin, allowed)
  return origin === undefined ? lines : `${lines}access-control-allow-origin: ${origin}\r\n${exposedToPages}`
}

/**
 * Value of the header access-control-allow-origin: a star, or the origin itself. Undefined if the origin is not allowed
 * or the request has none.
 */
export function allowedOrigin(origin: string | undefined, allowed: AllowedOrigins): string | undefined {
  if (origin === undefined) return undefined
  if (allowed === '*') return '*'
  return allowed.includes(origin) ? origin : undefined
}

/**
 * Headers that state the daily limit of an account: the older X-RateLimit fields, and the RateLimit fields of the IETF
 * draft.
 */
export function limitLines({ plan: { dailyLimit } }: Account): HeaderLines {
  if (dailyLimit === undefined) return 'x-ratelimit-limit: unlimited\r\nx-ratelimit-remaining: unlimited\r\n'
  return `x-ratelimit-limit: ${dailyLimit}\r\nratelimit-policy: "daily";q=${dailyLimit};w=86400\r\n`
}

/** Headers that state how much of its daily limit an account has left. */
export function usageLines(
  { plan: { dailyLimit } }: Account,
  used: number,
  quota: QuotaCounters,
  now: number
): HeaderLines {
  const { at, left } = resetTexts(quota.resetsAt(), now)
  if (dailyLimit === undefined) return `x-ratelimit-reset: ${at}\r\n`
  const remaining = `${Math.max(0, dailyLimit - used)}`
  return `x-ratelimit-reset: ${at}\r\nx-ratelimit-remaining: ${remaining}\r\nratelimit: "daily";r=${remaining};t=${left}\r\n`
}

export function rateLines(account: Account, used: number, quota: QuotaCounters, now: number): HeaderLines {
  return limitLines(account) + usageLines(account, used, quota, now)
}

let resetWritten = { resetsAt: Number.NaN, seconds: Number.NaN, at: '', left: '' }

/**
 * End of the quota day in Unix seconds, and the number of seconds until then, both as text. Formatted at most once a
 * second.
 */
function resetTexts(resetsAt: number, now: number) {
  const seconds = Math.max(0, Math.ceil((resetsAt - now) / 1000))
  if (seconds !== resetWritten.seconds || resetsAt !== resetWritten.resetsAt) {
    resetWritten = { resetsAt, seconds, at: `${resetsAt / 1000}`, left: `${seconds}` }
  }
  return resetWritten
}

/**
 * Number of ignored parameter names that the header lists. Of each name it shows at most `MAX_NAME_LENGTH` characters.
 */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 40

/** Header that lists the parameters of a request that its endpoint does not know; empty if it knows all. */
export function ignoredLines(names: readonly string[]): HeaderLines {
  if (names.length === 0) return ''
  const listed = names.slice(0, MAX_NAMES).map(asToken)
  if (names.length > MAX_NAMES) listed.push('...')
  return headerLine('x-ignored-parameters', listed.join(', '))
}

/** A parameter name as the header can show it: short, in printable ASCII, without commas and keys. */
function asToken(name: string): string {
  const plain = maskKeys(name).replace(/[^\w.~[\]-]/g, '?')
  return plain.length > MAX_NAME_LENGTH ? `${plain.slice(0, MAX_NAME_LENGTH)}...` : plain
}

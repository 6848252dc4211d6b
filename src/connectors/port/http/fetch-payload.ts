import type { Instant } from '../../../market/units.ts'
import type { AnswerListener } from '../capture/capture.ts'
import { masked } from '../capture/masked.ts'
import { SourceError, type SourceFault } from '../source-error.ts'
import { MAX_REST, type RequestBudget, type StatedLimit } from './request-budget.ts'

/**
 * HTTP validators (ETag, Last-Modified) of a payload that we already have. With them, the server sends it again only if
 * it changed.
 */
export interface Validators {
  readonly etag: string | undefined
  readonly modified: string | undefined
}

export interface HttpLimits {
  /** Time from the request to the last byte, milliseconds. */
  readonly time: number
  readonly size: number
}

/** Settings of a vendor that is reached over HTTP, for all of its addresses. */
export interface HttpSource {
  readonly vendor: string
  readonly limits: HttpLimits
  /** Headers sent with every request, in addition to the user agent. */
  readonly headers: Readonly<Record<string, string>>
  /** A vendor-specific status that means "not found", as 404 does, if the text of the response matches. */
  readonly absent?: { readonly status: number; readonly text: RegExp }
  /** Meaning of vendor-specific statuses: "not found", or a fault. `meaning` completes the error message. */
  readonly statuses?: Readonly<Record<number, 'absent' | { readonly fault: SourceFault; readonly meaning: string }>>
  /** Hint for the operator about the account's keys, appended to errors with status 401 or 403. */
  readonly credentials?: string
  /** Request budget for the vendor. It adopts the limit stated in responses, and pauses when the vendor asks for it. */
  readonly budget?: RequestBudget
  /** Reads the request limit from the vendor's own headers. Retry-After is read separately. */
  readonly limit?: (headers: Headers, now: Instant) => StatedLimit | undefined
  readonly onAnswer?: AnswerListener | undefined
}

export interface HttpRequest {
  readonly address: string
  readonly method?: 'POST' | undefined
  readonly held: Validators | undefined
  readonly now: Instant
  readonly signal: AbortSignal
  readonly json?: unknown
}

/**
 * The server's response. Status `absent` means that nothing exists at the address. Every other failure is thrown as a
 * `SourceError`.
 */
export type HttpAnswer =
  | {
      readonly status: 'changed'
      readonly bytes: Buffer
      readonly validators: Validators
      /** The server's own clock, from its Date header; undefined without one. */
      readonly servedAt: Instant | undefined
    }
  | { readonly status: 'unchanged' }
  | { readonly status: 'absent'; readonly code: number }

const EXPLANATION_LIMIT = 64 * 1024
const MAX_REDIRECTS = 5
const PARTIAL_CONTENT = 206
/**
 * Difference between our clock and the server's Date header that still counts as equal, milliseconds. The header has
 * whole seconds, and the network takes time.
 */
const CLOCK_TOLERANCE = 2500
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Fetches a payload within the source's limits of time and size. If `signal` fires, its reason is thrown. */
export async function fetchPayload(source: HttpSource, request: HttpRequest): Promise<HttpAnswer> {
  const { vendor, limits } = source
  const { address, method, held, now, signal, json } = request
  const late = AbortSignal.timeout(limits.time)
  let unanswered: Unanswered
  try {
    const headers = { 'user-agent': 'gammawall', ...source.headers, ...conditionsOf(held) }
    const init = { ...requestInit({ method, json }, headers), signal: AbortSignal.any([signal, late]) }
    const response = await fetchWithinHost(address, init, vendor)
    const at = timeOf(response.headers, now)
    const stated = source.limit?.(response.headers, at)
    if (stated !== undefined) source.budget?.stated(stated)
    if (response.ok) return await changed(response, source, address)
    const explanation = await readExplanation(response)
    source.onAnswer?.({ address, status: response.status, headers: response.headers, bytes: explanation })
    const retryAfter = retryAfterOf(response, at) ?? stated?.endsIn
    unanswered = { status: response.status, explanation, retryAfter }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) throw new SourceError('timeout', `${vendor} did not answer within ${limits.time / 1000} seconds`)
    if (error instanceof SourceError) throw error
    throw new SourceError('unavailable', `${vendor} cannot be reached: ${reasonOf(error, source)}`)
  }
  signal.throwIfAborted()
  return withoutPayload(unanswered, source, held)
}

function requestInit(
  { method, json }: Pick<HttpRequest, 'method' | 'json'>,
  headers: Record<string, string>
): RequestInit {
  if (json === undefined) return { method: method ?? 'GET', headers }
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) }
}

/**
 * Fetches an address and follows redirects, but only within one host and port and never from https down to http: other
 * hosts must not receive a vendor's key or reach the operator's network.
 */
async function fetchWithinHost(address: string, init: RequestInit, vendor: string): Promise<Response> {
  let from = new URL(address)
  for (let followed = 0; ; followed++) {
    const response = await fetch(from.href, { ...init, redirect: 'manual' })
    const location = redirects.has(response.status) ? response.headers.get('location') : null
    if (location === null) return response
    await response.body?.cancel()
    const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
    if (to === undefined || !staysWithin(from, to)) {
      const place = to === undefined ? 'an address that is none' : to.protocol === from.protocol ? to.host : to.origin
      throw new SourceError('refused', `${vendor} sends us to ${place}, which is not followed beyond its own host`)
    }
    if (followed === MAX_REDIRECTS) throw new SourceError('refused', `${vendor} sends us from one address to the next`)
    from = to
  }
}

function staysWithin(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false
  if (to.protocol === from.protocol) return to.host === from.host
  // An upgrade from http to https keeps the host and the default ports.
  return from.protocol === 'http:' && to.protocol === 'https:' && to.host === from.host && from.port === ''
}

function conditionsOf(held: Validators | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  if (held?.etag !== undefined) headers['if-none-match'] = held.etag
  if (held?.modified !== undefined) headers['if-modified-since'] = held.modified
  return headers
}

async function changed(response: Response, source: HttpSource, address: string): Promise<HttpAnswer> {
  const { vendor, limits, onAnswer } = source
  const bytes = await readBytes(response, limits.size, vendor)
  onAnswer?.({ address, status: response.status, headers: response.headers, bytes })
  // A partial list would pass for a complete one.
  if (response.status === PARTIAL_CONTENT) throw new SourceError('malformed', `the answer of ${vendor} is only a part`)
  const etag = response.headers.get('etag') ?? undefined
  const modified = response.headers.get('last-modified') ?? undefined
  const served = Date.parse(response.headers.get('date') ?? '')
  const servedAt = Number.isNaN(served) ? undefined : served
  return { status: 'changed', bytes, validators: { etag, modified }, servedAt }
}

interface Unanswered {
  readonly status: number
  readonly explanation: Uint8Array
  /** The pause that the vendor requests, milliseconds. */
  readonly retryAfter: number | undefined
}

function withoutPayload(
  { status, explanation, retryAfter }: Unanswered,
  source: HttpSource,
  held: Validators | undefined
): HttpAnswer {
  const { vendor, absent, statuses, credentials, budget } = source
  if (status === 304) {
    if (held !== undefined) return { status: 'unchanged' }
    throw new SourceError('malformed', `${vendor} says that nothing changed, which was not asked`)
  }
  if (status === 404) return { status: 'absent', code: status }
  if (status === absent?.status && absent.text.test(Buffer.from(explanation).toString())) {
    return { status: 'absent', code: status }
  }
  const own = statuses?.[status]
  if (own === 'absent') return { status: 'absent', code: status }
  if (own !== undefined) {
    throw new SourceError(own.fault, `${vendor} answers with status ${status}: ${own.meaning}`, retryAfter)
  }
  if (status === 429) {
    if (retryAfter !== undefined) budget?.rest(retryAfter)
    throw new SourceError('rate_limited', `${vendor} asks for fewer requests`, retryAfter)
  }
  if (status >= 500) throw new SourceError('unavailable', `${vendor} answers with status ${status}`, retryAfter)
  const hint = credentials !== undefined && (status === 401 || status === 403) ? `: ${credentials}` : ''
  throw new SourceError('refused', `${vendor} refuses with status ${status}${hint}`, retryAfter)
}

/** Reads the body of an error response as far as it arrives. The status counts even if the body breaks off. */
async function readExplanation(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= EXPLANATION_LIMIT) break
    }
  } catch {
    // The part that arrived still explains the error.
  }
  return Buffer.concat(chunks).subarray(0, EXPLANATION_LIMIT)
}

async function readBytes(response: Response, sizeLimit: number, vendor: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > sizeLimit) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new SourceError('malformed', `the answer of ${vendor} broke off: ${reasonOf(error)}`)
  }
  if (size > sizeLimit) throw new SourceError('malformed', `the answer of ${vendor} is larger than ${sizeLimit} bytes`)
  return Buffer.concat(chunks)
}

/** Time by which times in the headers are read: the server's time if its clock differs from ours, otherwise `now`. */
function timeOf(headers: Headers, now: Instant): Instant {
  const time = Date.parse(headers.get('date') ?? '')
  return Math.abs(time - now) > CLOCK_TOLERANCE ? time : now
}

/** Parses Retry-After, in seconds or as a date, to at most a day of milliseconds (RFC 9110, 10.2.3). */
function retryAfterOf({ headers }: Response, now: Instant): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (text === undefined || text === '') return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_REST)
}

/**
 * Returns the text of an error's cause, because fetch itself only says that it failed. Headers are masked, because an
 * error that quotes one would reveal the API key.
 */
function reasonOf(error: unknown, { headers }: Pick<HttpSource, 'headers'> = { headers: {} }): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.cause instanceof Error ? error.cause.message || error.message : error.message
  return masked(text, ...Object.values(headers))
}

/** Fetches an address where something must exist. Waits for the request budget if the source has one. */
export async function fetchBody(source: HttpSource, address: string, signal: AbortSignal): Promise<Buffer> {
  await source.budget?.turn(signal)
  const answer = await fetchPayload(source, { address, held: undefined, now: Date.now(), signal })
  if (answer.status === 'changed') return answer.bytes
  throw new SourceError('unavailable', `${source.vendor} has nothing at ${new URL(address).pathname}`)
}

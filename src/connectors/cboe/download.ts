import type { Instant } from '../../market/units.ts'
import { SourceError } from '../port/connector.ts'

/** The state of a payload that we hold, so that the server need not send it again. */
export interface Validators {
  readonly etag: string | undefined
  readonly modified: string | undefined
}

export interface DownloadLimits {
  /** From the request to the last byte, milliseconds. */
  readonly time: number
  /** Unpacked, bytes. */
  readonly size: number
}

/**
 * What the server said. `absent`: it knows no such payload, or says so in the way of a file store, which answers 403 in
 * XML for a name it does not hold. Every other trouble is thrown as a `SourceError`.
 */
export type Download =
  | { readonly status: 'changed'; readonly bytes: Buffer; readonly validators: Validators }
  | { readonly status: 'unchanged' }
  | { readonly status: 'absent'; readonly code: 403 | 404 }

const EXPLANATION_LIMIT = 64 * 1024

/** Fetches a payload within the limits. When `signal` fires, its own reason is thrown. */
export async function download(
  address: string,
  held: Validators | undefined,
  limits: DownloadLimits,
  now: Instant,
  signal: AbortSignal
): Promise<Download> {
  const late = AbortSignal.timeout(limits.time)
  try {
    const headers = requestHeaders(held)
    const response = await fetch(address, { headers, signal: AbortSignal.any([signal, late]) })
    if (response.ok) return await changed(response, limits.size)
    return await withoutPayload(response, now)
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) throw new SourceError('timeout', `Cboe did not answer within ${limits.time / 1000} seconds`)
    if (error instanceof SourceError) throw error
    throw new SourceError('unavailable', `Cboe cannot be reached: ${reasonOf(error)}`)
  }
}

function requestHeaders(held: Validators | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'gammawall' }
  if (held?.etag !== undefined) headers['if-none-match'] = held.etag
  if (held?.modified !== undefined) headers['if-modified-since'] = held.modified
  return headers
}

async function changed(response: Response, sizeLimit: number): Promise<Download> {
  const bytes = await readBytes(response, sizeLimit)
  const etag = response.headers.get('etag') ?? undefined
  const modified = response.headers.get('last-modified') ?? undefined
  return { status: 'changed', bytes, validators: { etag, modified } }
}

async function withoutPayload(response: Response, now: Instant): Promise<Download> {
  const { status } = response
  const explanation = status === 403 ? await readBytes(response, EXPLANATION_LIMIT) : undefined
  if (explanation === undefined) await response.body?.cancel()
  if (status === 304) return { status: 'unchanged' }
  if (status === 404) return { status: 'absent', code: 404 }
  if (status === 403 && /^\s*<(\?xml|Error)/.test(String(explanation ?? ''))) return { status: 'absent', code: 403 }
  const retryAfter = retryAfterOf(response, now)
  if (status === 429) throw new SourceError('rate_limited', 'Cboe asks for fewer requests', retryAfter)
  if (status >= 500) throw new SourceError('unavailable', `Cboe answers with status ${status}`, retryAfter)
  throw new SourceError('refused', `Cboe refuses with status ${status}`, retryAfter)
}

async function readBytes(response: Response, sizeLimit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > sizeLimit) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new SourceError('malformed', `the answer of Cboe broke off: ${reasonOf(error)}`)
  }
  if (size > sizeLimit) throw new SourceError('malformed', `the answer of Cboe is larger than ${sizeLimit} bytes`)
  return Buffer.concat(chunks)
}

/** The header Retry-After in milliseconds: it comes as seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterOf(response: Response, now: Instant): number | undefined {
  const text = response.headers.get('retry-after')?.trim()
  if (text === undefined || text === '') return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) ? Math.max(wait, 0) : undefined
}

/** The words of an error and of what caused it: fetch itself says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply } from 'fastify'
import { ApiError, apiError, type ErrorCode } from '../../api/error.ts'
import { HistoryDamage } from '../../archive/history-error.ts'
import { RETRY_SHORTLY } from '../../facts/freshness.ts'
import { maskKeys } from './key-mask.ts'

/** API error codes for the errors that Fastify reports. */
const frameworkCodes: Readonly<Record<string, readonly [code: ErrorCode, message?: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['invalid_body', 'the body must be sent as content type application/json'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_body'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_body'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_body'],
  FST_ERR_BAD_URL: ['bad_address'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long']
}

/** API error codes for the errors that Node's HTTP parser reports. */
const connectionCodes: Readonly<Record<string, readonly [code: ErrorCode, message?: string]>> = {
  HPE_HEADER_OVERFLOW: ['uri_too_long', 'the address and the headers are too long together'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout']
}

/**
 * Converts any error to an ApiError. An unexpected error becomes internal_error, which does not tell the client its
 * cause.
 */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HistoryDamage) return apiError('history_damaged')
  const known = frameworkCodes[(error as FastifyError | undefined)?.code ?? '']
  if (known !== undefined) return apiError(...known)
  const status = (error as FastifyError | undefined)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) return apiError('invalid_body', (error as Error).message)
  return apiError('internal_error')
}

/**
 * Body of an error response. The published API contract prescribes its fields for 401, 403 and a used-up quota; all
 * other errors have a code and a message. Anything that looks like a key is masked, because people copy error bodies
 * into tickets and logs.
 */
export function refusalBody({ code, message: text, status, detail }: ApiError, requestId: string): object {
  const message = maskKeys(text)
  if (status === 401) return { title: 'Unauthorized', status, detail: message }
  const fields = Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? maskKeys(value) : value])
  )
  if (code === 'quota_exceeded') return { status: 'ERROR', error: 'Quota exceeded', message, ...fields }
  const state = code === 'coming_soon' || code === 'loading' ? code : 'ERROR'
  const trace = status >= 500 && state === 'ERROR' ? { request_id: requestId } : {}
  return { status: state, error: code, message, ...fields, ...trace }
}

/** Errors with status 503 for which a retry is useless. */
const permanent: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['coming_soon', 'history_off'])

export function sendRefusal(reply: FastifyReply, error: ApiError, requestId: string): FastifyReply {
  const { status, code, retryAfter = status === 503 && !permanent.has(code) ? RETRY_SHORTLY / 1000 : undefined } = error
  if (retryAfter !== undefined) reply.header('retry-after', `${retryAfter}`)
  return reply.code(status).header('cache-control', 'no-store').send(refusalBody(error, requestId))
}

/**
 * Refuses a request that cannot be parsed, is too long or arrives too slowly. The response has the same format as all
 * other errors.
 */
export function refuseUnreadable(
  error: Error & { readonly code?: string | undefined; readonly rawPacket?: unknown },
  socket: Socket
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const refusal = apiError(...(connectionCodes[error.code ?? ''] ?? (['bad_address'] as const)))
  const body = JSON.stringify(refusalBody(refusal, ''))
  const { rawPacket } = error
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.subarray(0, 5).toString('latin1') === 'HEAD '
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${isHead ? '' : body}`
  )
}

/** Whether a request has exactly one Host header, as HTTP/1.1 requires (RFC 9112, section 3.2). */
export function hasOneHost({ rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const name = rawHeaders[k]
    if (name.length === 4 && (name === 'Host' || name === 'host' || name.toLowerCase() === 'host')) hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersionMajor === 1 && httpVersionMinor === 0)
}

/** Error for invalid request headers; undefined if they are valid. Checked before anything else of the request. */
export function headRefusal(request: IncomingMessage): ApiError | undefined {
  if (!hasOneHost(request)) return apiError('bad_address', 'the request must have one Host header')
  const { expect } = request.headers
  if (expect === undefined || request.httpVersionMinor === 0 || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)) {
    return undefined
  }
  return apiError('expectation_failed')
}

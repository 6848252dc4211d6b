import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply } from 'fastify'
import { ApiError, apiError, type ErrorCode } from '../../api/error.ts'

/** What Fastify itself refuses, under the codes of the contract. */
const frameworkCodes: Readonly<Record<string, Parameters<typeof apiError>[0]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_body',
  FST_ERR_BAD_URL: 'bad_address',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long'
}

/** Any error as a refusal. One that the service did not mean to throw becomes internal_error and keeps its cause for the log. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = frameworkCodes[(error as FastifyError | undefined)?.code ?? '']
  if (code !== undefined) return apiError(code)
  const status = (error as FastifyError | undefined)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) return apiError('invalid_body', (error as Error).message)
  return apiError('internal_error')
}

/** The body of a refusal: the specification's shapes for 401, 403 and a used-up quota, else error and message. */
export function refusalBody({ code, message, status, detail }: ApiError, requestId: string): object {
  if (status === 401) return { title: 'Unauthorized', status, detail: message }
  if (code === 'quota_exceeded') return { status: 'ERROR', error: 'Quota exceeded', message, ...detail }
  const state = code === 'coming_soon' || code === 'loading' ? code : 'ERROR'
  const trace = status >= 500 && state === 'ERROR' ? { request_id: requestId } : {}
  return { status: state, error: code, message, ...detail, ...trace }
}

/** Refusals with status 503 that trying again shortly does not change. */
const permanent: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['coming_soon', 'history_off'])

/** Sends a refusal. */
export function sendRefusal(reply: FastifyReply, error: ApiError, requestId: string): FastifyReply {
  if (error.status === 503 && !permanent.has(error.code)) reply.header('retry-after', '2')
  const { retry_after: wait } = error.detail
  if (wait !== undefined) reply.header('retry-after', `${wait}`)
  return reply.code(error.status).header('cache-control', 'no-store').send(refusalBody(error, requestId))
}

/** Refuses what is no HTTP, or too long to be read as a request, in the words of any other refusal. */
export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? apiError('uri_too_long', 'the address and the headers are too long together')
      : apiError('bad_address', 'the request cannot be read as HTTP, or did not arrive in time')
  const body = JSON.stringify(refusalBody(refusal, ''))
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`
  )
}

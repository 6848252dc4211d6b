import type { ErrorCode } from '../api/error.ts'

/**
 * Error codes of the service, and two of the client: `unreachable` if no response came, `unreadable` if the response is
 * not from this service.
 */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'unreadable'

/** A refused or failed request. Clients import it as `ApiError`. */
export class RequestError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** Further fields of the error response, such as the wrong parameter, the required plan or a request id. */
  readonly detail: Readonly<Record<string, unknown>>
  /** Milliseconds until a retry makes sense; undefined if the service did not state it. */
  readonly retryAfter: number | undefined

  constructor(
    code: ApiErrorCode,
    message: string,
    more: Partial<Pick<RequestError, 'status' | 'detail' | 'retryAfter'>> & { readonly cause?: unknown } = {}
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = more.status ?? 0
    this.detail = more.detail ?? {}
    this.retryAfter = more.retryAfter
  }
}

/** Builds the error for a refused request. The bodies of 401 and 429 have their own shapes in the specification. */
export function apiErrorOf(status: number, headers: Headers, text: string): RequestError {
  const body = objectOf(text)
  const retryAfter = retryAfterOf(headers.get('retry-after'))
  if (status === 401) {
    const message = typeof body?.['detail'] === 'string' ? body['detail'] : 'a valid API key is needed'
    return new RequestError('unauthorized', message, { status, retryAfter })
  }
  const { error, message, status: _, ...detail } = body ?? {}
  if (typeof error !== 'string') {
    return new RequestError('unreadable', `the answer of status ${status} is none of this service`, {
      status,
      retryAfter
    })
  }
  const code = error === 'Quota exceeded' ? 'quota_exceeded' : (error as ErrorCode)
  return new RequestError(code, typeof message === 'string' ? message : error, { status, detail, retryAfter })
}

/** Milliseconds of a Retry-After header, which holds seconds or a date; undefined if it is absent or unreadable. */
export function retryAfterOf(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined // most likely a page of a proxy
  }
}

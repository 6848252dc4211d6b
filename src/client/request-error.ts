import type { ErrorCode } from '../api/error.ts'

/** Codes of the service, and two of the client: nothing answered, or something that is not this service. */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'unreadable'

/** A request that was refused or not answered. */
export class RequestError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** Of the HTTP answer; 0 where there was none. */
  readonly status: number
  /** The further fields of the refusal: the parameter that is wrong, the plan that is needed, a request id. */
  readonly detail: Readonly<Record<string, unknown>>
  /** When a new try makes sense, milliseconds from the refusal; undefined where the service did not say. */
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

/** Status, headers and body of a refusal as an error. The specification's 401 and 429 have shapes of their own. */
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

/** Milliseconds of a Retry-After header, which gives seconds or a moment; undefined without one that can be read. */
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
    return undefined // a page of some proxy
  }
}

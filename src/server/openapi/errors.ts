import Type from 'typebox'
import { apiError, type ErrorCode, statusOf } from '../../api/error.ts'
import { Count, Instant, Nullable } from '../../api/quantity.ts'

/** A piece of an OpenAPI document: plain JSON. */
export type Piece = Readonly<Record<string, unknown>>

const planName = Type.String({ description: 'capitalised plan name, e.g. Growth' })

/** The bodies of refusals, as `http/refusal.ts` writes them. */
export const errorSchemas = {
  Unauthorized: Type.Object({ title: Type.String(), status: Type.Literal(401), detail: Type.String() }),
  TierRestricted: Type.Object({
    status: Type.Literal('ERROR'),
    error: Type.Literal('tier_restricted'),
    message: Type.String(),
    current_plan: planName,
    required_plan: planName
  }),
  QuotaExceeded: Type.Object({
    status: Type.Literal('ERROR'),
    error: Type.Literal('Quota exceeded'),
    message: Type.String(),
    current_plan: planName,
    limit: Count('requests a day'),
    upgrade_to: Nullable(planName),
    reset_at: Instant('next 00:00 UTC')
  }),
  Error: Type.Object({
    error: Type.String({ description: 'one of the codes under x-error-codes' }),
    message: Type.String({ description: 'what to change, in a sentence' }),
    status: Type.Optional(Type.String()),
    parameter: Type.Optional(Type.String({ description: 'the input that was refused' })),
    request_id: Type.Optional(Type.String({ description: 'names the request in the log of the operator' }))
  })
}

export const refOf = (kind: string, name: string): Piece => ({ $ref: `#/components/${kind}/${name}` })
export const jsonOf = (schema: unknown): Piece => ({ 'application/json': { schema } })
export const headersOf = (...names: readonly string[]): Piece =>
  Object.fromEntries(names.map((name) => [name, refOf('headers', name)]))

/** On every response to a valid key. */
export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** Responses that read the same wherever they are given. */
export const sharedResponses: Readonly<Record<string, Piece>> = {
  Unauthorized: {
    description: 'key missing, mistyped, unknown or revoked',
    'x-error-codes': ['unauthorized'],
    content: jsonOf(refOf('schemas', 'Unauthorized'))
  },
  TierRestricted: {
    description: 'the plan of the key does not include this; required_plan names the least that does',
    'x-error-codes': ['tier_restricted'],
    headers: headersOf(...rateLimitHeaders),
    content: jsonOf(refOf('schemas', 'TierRestricted'))
  },
  QuotaExceeded: {
    description: 'the requests of the day are used up',
    'x-error-codes': ['Quota exceeded'],
    headers: headersOf('Retry-After', ...rateLimitHeaders),
    content: jsonOf(refOf('schemas', 'QuotaExceeded'))
  }
}

const sharedByStatus: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'TierRestricted',
  429: 'QuotaExceeded'
}

/** The responses in which these errors reach a client, by status, statuses ascending. */
export function errorResponses(codes: Iterable<ErrorCode>): Piece {
  const distinct = [...new Set(codes)]
  const statuses = [...new Set(distinct.map(statusOf))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      responseOf(
        status,
        distinct.filter((code) => statusOf(code) === status)
      )
    ])
  )
}

function responseOf(status: number, codes: readonly ErrorCode[]): Piece {
  const limited = codes.includes('too_many_requests')
  const shared = sharedByStatus[status]
  if (shared !== undefined && !limited) return refOf('responses', shared)
  const names = [...codes].sort()
  const quota = limited && codes.includes('quota_exceeded')
  const error = refOf('schemas', 'Error')
  return {
    description: names.map((code) => `${code}: ${apiError(code).message}`).join('; '),
    'x-error-codes': names.map((code) => (code === 'quota_exceeded' ? 'Quota exceeded' : code)),
    ...((status === 503 || limited) && { headers: headersOf('Retry-After') }),
    content: jsonOf(quota ? { anyOf: [refOf('schemas', 'QuotaExceeded'), error] } : error)
  }
}

import Type from 'typebox'
import { apiError, type ErrorCode, statusOf } from '../../api/error.ts'
import { Count, Nullable, Timestamp } from '../../api/quantity.ts'

/** A part of an OpenAPI document, as plain JSON. */
export type Piece = Readonly<Record<string, unknown>>

export const notModified = { 304: { description: 'the answer named in If-None-Match still holds' } }

const planName = Type.String({ description: 'capitalised plan name, e.g. Growth' })

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
    reset_at: Timestamp('next 00:00 UTC')
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

export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const ofTheHead: readonly ErrorCode[] = ['bad_address', 'request_timeout', 'uri_too_long', 'expectation_failed']

/** Error codes whose response bodies have fields beyond the usual ones, with the names of their schemas. */
const ownSchemas: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthorized: 'Unauthorized',
  tier_restricted: 'TierRestricted',
  quota_exceeded: 'QuotaExceeded'
}

/** Error responses that are described in one place for all operations, with the error codes of each. */
const shared: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthorized: ['unauthorized'],
  TierRestricted: ['tier_restricted'],
  TooManyRequests: ['quota_exceeded', 'too_many_requests'],
  RequestTimeout: ['request_timeout'],
  UriTooLong: ['uri_too_long'],
  ExpectationFailed: ['expectation_failed']
}

export const sharedResponses: Readonly<Record<string, Piece>> = Object.fromEntries(
  Object.entries(shared).map(([name, codes]) => [name, inlineResponse(statusOf(codes[0]), codes)])
)

/** OpenAPI descriptions of the responses for a set of error codes, by ascending HTTP status. */
export function errorResponses(codes: Iterable<ErrorCode>): Piece {
  const distinct = new Set([...codes, ...ofTheHead])
  if (distinct.has('unauthorized')) distinct.add('too_many_requests')
  const statuses = [...new Set([...distinct].map(statusOf))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const names = [...distinct].filter((code) => statusOf(code) === status).sort()
      const known = Object.keys(shared).find((name) => `${shared[name]}` === `${names}`)
      return [status, known === undefined ? inlineResponse(status, names) : refOf('responses', known)]
    })
  )
}

function inlineResponse(status: number, codes: readonly ErrorCode[]): Piece {
  const schemas = [...new Set(codes.map((code) => ownSchemas[code] ?? 'Error'))].map((name) => refOf('schemas', name))
  const headers = [
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(codes.includes('tier_restricted') || codes.includes('quota_exceeded') ? rateLimitHeaders : [])
  ]
  return {
    description: codes.map((code) => `${code}: ${apiError(code).message}`).join('; '),
    'x-error-codes': codes.map((code) => (code === 'quota_exceeded' ? 'Quota exceeded' : code)),
    ...(headers.length > 0 && { headers: headersOf(...headers) }),
    content: jsonOf(schemas.length === 1 ? schemas[0] : { anyOf: schemas })
  }
}

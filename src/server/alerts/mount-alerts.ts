import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { StorageError } from '../../accounts/storage-error.ts'
import type { Alerts } from '../../alerts/alerts.ts'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { readParameters } from '../../api/params.ts'
import type { Plan } from '../../api/plan.ts'
import { textSerializerOf } from '../../api/serializer.ts'
import type { IsoDate } from '../../market/units.ts'
import { TokenBuckets } from '../../pacing/token-bucket.ts'
import { readShape } from '../admin/body.ts'
import { keyInAddressRefusal } from '../http/access.ts'
import { type AuthorizeOptions, checkQuota, refund } from '../http/authorize.ts'
import { entityTag, isHeldBy } from '../http/entity-tag.ts'
import { ignoredLines, rateLines, setHeaders } from '../http/headers.ts'
import { readJson } from '../http/json-body.ts'
import { asApiError } from '../http/refusal.ts'
import { keyHeaders } from '../http/request-key.ts'
import { errorResponses, headersOf, jsonOf, notModified, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { keyInHeader, openApiParameters, requestBodyOf } from '../openapi/openapi.ts'
import { type AlertRoute, alertRoutes } from './alert-routes.ts'

export interface AlertHostOptions {
  /** Finds the account to which the key or session of a request belongs. Throws if there is none. */
  readonly authenticate: (request: FastifyRequest) => Account
  /** How requests are counted: like those of any other answer. */
  readonly counting: AuthorizeOptions
}

/** Maximum size of a request body, bytes. A URL of 2,000 characters and two metrics with their parameters fit. */
const MAX_BODY_BYTES = 16 * 1024
/** Parameters are parsed relative to a date. Those of these routes do not depend on it, so any date will do. */
const reading = { today: '1970-01-01' as IsoDate }
const MAX_PACES = 10_000

const MINUTES_PER_DAY = 1440
/** Alerts that a user may make, as a multiple of those that the plan lets them have: so many at once, and a day. */
const NEW_ALERTS = 5

/** How often a user may use a route, beside the quota of the plan. */
const paces = {
  changes: () => ({ burst: 30, perMinute: 60 }),
  creations: ({ alerts }: Plan) => ({ burst: NEW_ALERTS * alerts, perMinute: (NEW_ALERTS * alerts) / MINUTES_PER_DAY }),
  tests: () => ({ burst: 5, perMinute: 3 })
} as const

/**
 * Adds the routes with which users manage their alerts. Every key may use them. Requests count against the quota: an
 * alert shows a figure that another answer would have cost.
 */
export function mountAlerts(app: FastifyInstance, alerts: Alerts, options: AlertHostOptions): void {
  const { authenticate, counting } = options
  const { quota, wallNow } = counting
  const buckets = new TokenBuckets(MAX_PACES)
  for (const route of alertRoutes) {
    const { method, path, params, body, response, answer } = route
    const serialize = textSerializerOf(response)
    const names = queryNames(params)
    // This check comes before the body is read: without a valid key nobody can make the service hold a body in memory.
    const onRequest = (request: FastifyRequest, _reply: unknown, done: () => void) => {
      const inAddress = keyInAddressRefusal(request)
      if (inAddress !== undefined) throw inAddress
      request.account = authenticate(request)
      const { userId, plan } = request.account
      for (const pace of pacesOf(route)) {
        const wait = buckets.take(`${pace} ${userId}`, paces[pace](plan), wallNow())
        if (wait > 0) throw tooMany(pace, Math.ceil(wait / 1000))
      }
      checkQuota(request, counting)
      done()
    }
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest,
      bodyLimit: MAX_BODY_BYTES,
      handler: async (request, reply) => {
        const account = request.account!
        setHeaders(reply, rateLines(account, request.used, quota, wallNow()))
        setHeaders(reply, ignoredLines(ignoredNames(request.query as never, names)))
        const values = readParameters(params, request.params as never, request.query as never, reading)
        const sent = body && readShape(body.schema, readJson(request, body))
        const answered = await explained(() => answer(alerts, account, values as never, sent as never)).catch(
          (error) => {
            const { status } = asApiError(error)
            if (status === 403 || status >= 500) refund(account, quota)
            throw error
          }
        )
        const text = serialize(answered)
        reply.type('application/json; charset=utf-8')
        if (method !== 'GET') return reply.header('cache-control', 'no-store').send(text)
        const etag = entityTag(text)
        reply.header('cache-control', 'private, no-cache').header('etag', etag)
        reply.header('vary', `origin, ${keyHeaders}`)
        if (!isHeldBy(request.headers, etag)) return reply.send(text)
        // Pages poll for news; polling from a browser does not count while nothing has changed.
        if (account.uncounted === 'held') refund(account, quota)
        return reply.code(304).send()
      }
    })
  }
}

function pacesOf({ method, pace }: AlertRoute): readonly (keyof typeof paces)[] {
  if (method === 'GET') return []
  return pace === undefined ? ['changes'] : ['changes', pace]
}

function tooMany(pace: keyof typeof paces, seconds: number) {
  return apiError('too_many_requests', `too many ${pace} of alerts: try again in ${seconds} s`, {}, seconds)
}

/** Converts errors of a full disk to an API error that does not show the path of the data folder. */
async function explained(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw apiError('storage_unavailable', `the alert cannot be written: ${error.reason}; nothing was changed`)
  }
}

export const alertPaths: Readonly<Record<string, Piece>> = documentation()

function documentation(): Readonly<Record<string, Piece>> {
  const paths: Record<string, Piece> = {}
  for (const route of alertRoutes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  return paths
}

function operationOf(route: AlertRoute): Piece {
  const { operationId, summary, description, method, params, body, response, errors } = route
  const codes: ErrorCode[] = [
    'unauthorized',
    'quota_exceeded',
    'unknown_parameter',
    'internal_error',
    'storage_unavailable',
    ...errors
  ]
  for (const { code } of Object.values(params)) codes.push(code)
  if (method !== 'GET') codes.push('too_many_requests')
  if (body !== undefined) codes.push('invalid_body', 'payload_too_large')
  return {
    operationId,
    tags: ['alerts'],
    summary,
    description,
    'x-plan': 'free',
    security: keyInHeader,
    deprecated: false,
    parameters: openApiParameters(params),
    ...(body !== undefined && { requestBody: requestBodyOf(body) }),
    responses: {
      200: { description: 'the answer', headers: headersOf(...rateLimitHeaders), content: jsonOf(response) },
      ...(method === 'GET' && notModified),
      ...errorResponses(codes)
    }
  }
}

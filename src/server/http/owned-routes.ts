import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Account } from '../../accounts/accounts.ts'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { type Parameters, readParameters, type ValuesOf } from '../../api/params.ts'
import type { Plan } from '../../api/plan.ts'
import { textSerializerOf } from '../../api/serializer.ts'
import type { IsoDate } from '../../market/units.ts'
import { TokenBuckets } from '../../pacing/token-bucket.ts'
import { readShape } from '../admin/body.ts'
import { errorResponses, headersOf, jsonOf, notModified, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { keyInHeader, openApiParameters, requestBodyOf } from '../openapi/openapi.ts'
import { keyInAddressRefusal } from './access.ts'
import { type AuthorizeOptions, checkQuota, onceChecked, refund } from './authorize.ts'
import { entityTag, isHeldBy } from './entity-tag.ts'
import { ignoredLines, rateLines, setHeaders } from './headers.ts'
import { readJson } from './json-body.ts'
import { asApiError } from './refusal.ts'
import { keyHeaders } from './request-key.ts'
import { storing } from './storing.ts'

/** The declaration of a route about what belongs to the caller, such as its alerts. `Store` is where that is kept. */
export interface OwnedDeclaration<Store, Params extends Parameters, Body extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** What the operation is for, and what to know before it is used. */
  readonly description: string
  readonly params: Params
  readonly body?: { readonly schema: Body; readonly example: unknown; readonly optional?: true }
  readonly response: TSchema
  readonly errors: readonly ErrorCode[]
  /** A rate limit beside that of all changes. */
  readonly pace?: string
  /**
   * What a GET of the same path answers now. A change with `If-Match` is made only if the caller holds that; undefined:
   * there is nothing yet.
   */
  readonly current?: (store: Store, owner: Account, params: ValuesOf<Params>) => unknown
  readonly answer: (store: Store, owner: Account, params: ValuesOf<Params>, body: Static<Body>) => unknown
}

export type OwnedRoute<Store> = Omit<OwnedDeclaration<Store, Parameters, TSchema>, 'answer' | 'current'> & {
  readonly current?: (store: Store, owner: Account, params: never) => unknown
  readonly answer: (store: Store, owner: Account, params: never, body: never) => unknown
}

export interface OwnedHostOptions {
  /** Finds the account to which the key or session of a request belongs. Throws if there is none. */
  readonly authenticate: (request: FastifyRequest) => Account
  /** How requests are counted: like those of any other answer. */
  readonly counting: AuthorizeOptions
}

export interface OwnedTerms {
  /** What the routes are about, in words: alerts. */
  readonly noun: string
  /** Maximum size of a request body, bytes. */
  readonly maxBodyBytes: number
  /** How often a user may use routes, beside the quota of the plan. `changes` holds for every one that is no GET. */
  readonly paces: Readonly<Record<string, (plan: Plan) => { readonly burst: number; readonly perMinute: number }>>
}

/** Parameters are parsed relative to a date. Those of these routes do not depend on it, so any date will do. */
const reading = { today: '1970-01-01' as IsoDate }
const MAX_PACES = 10_000

/** Adds routes about what belongs to the caller. Every key may use them, and requests count against the quota. */
export function mountOwnedRoutes<Store>(
  app: FastifyInstance,
  routes: readonly OwnedRoute<Store>[],
  store: Store,
  { authenticate, counting, noun, maxBodyBytes, paces }: OwnedHostOptions & OwnedTerms
): void {
  const { quota, wallNow } = counting
  const buckets = new TokenBuckets(MAX_PACES)
  const turns = new Turns()
  for (const route of routes) {
    const { method, path, params, body, response, answer, current } = route
    const serialize = textSerializerOf(response)
    const names = queryNames(params)
    // This check comes before the body is read: without a valid key nobody can make the service hold a body in memory.
    const onRequest = (request: FastifyRequest, _reply: unknown, done: () => void) => {
      const inAddress = keyInAddressRefusal(request)
      if (inAddress !== undefined) throw inAddress
      request.account = authenticate(request)
      const { userId, plan } = request.account
      for (const pace of pacesOf(route)) {
        const wait = buckets.take(`${pace} ${userId}`, paces[pace]!(plan), wallNow())
        if (wait > 0) throw tooMany(pace, noun, Math.ceil(wait / 1000))
      }
      onceChecked(checkQuota(request, counting), done)
    }
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest,
      bodyLimit: maxBodyBytes,
      handler: async (request, reply) => {
        const account = request.account!
        setHeaders(reply, rateLines(account, request.used, quota, wallNow()))
        setHeaders(reply, ignoredLines(ignoredNames(request.query as never, names)))
        const values = readParameters(params, request.params as never, request.query as never, reading) as never
        const sent = body && readShape(body.schema, readJson(request, body))
        const made = async () => {
          requireHeld(request, await current?.(store, account, values), serialize)
          return answer(store, account, values, sent as never)
        }
        const work = current === undefined ? made : () => turns.take(account.userId, made)
        const answered = await storing(`the change of ${noun}`, work).catch((error) => {
          const { status } = asApiError(error)
          if (status === 403 || status >= 500) refund(account, quota)
          throw error
        })
        const text = serialize(answered)
        const etag = entityTag(text)
        reply.type('application/json; charset=utf-8')
        if (method === 'GET' || method === 'PUT') reply.header('etag', etag)
        if (method !== 'GET') return reply.header('cache-control', 'no-store').send(text)
        reply.header('cache-control', 'private, no-cache')
        reply.header('vary', `origin, ${keyHeaders}`)
        if (!isHeldBy(request.headers, etag)) return reply.send(text)
        // Pages poll for news; polling from a browser does not count while nothing has changed.
        if (account.uncounted === 'held') refund(account, quota)
        return reply.code(304).send()
      }
    })
  }
}

/** Lets one change of a user end before the next begins, so that nothing comes between a look and what rests on it. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const mine = (this.#last.get(userId) ?? Promise.resolve()).then(work, work)
    this.#last.set(userId, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(userId) === mine) this.#last.delete(userId)
    }
  }
}

/** Throws document_changed if the caller names a state that is not the present one. */
function requireHeld({ method, headers }: FastifyRequest, current: unknown, serialize: (value: unknown) => string) {
  const held = headers['if-match']
  if (held === undefined || method === 'GET') return
  const isCurrent = current !== undefined && (held === '*' || held.includes(entityTag(serialize(current)).slice(2)))
  if (!isCurrent) throw apiError('document_changed')
}

function pacesOf({ method, pace }: Pick<OwnedRoute<never>, 'method' | 'pace'>): readonly string[] {
  if (method === 'GET') return []
  return pace === undefined ? ['changes'] : ['changes', pace]
}

function tooMany(pace: string, noun: string, seconds: number) {
  return apiError('too_many_requests', `too many ${pace} of ${noun}: try again in ${seconds} s`, {}, seconds)
}

/** Describes routes for the OpenAPI document, under one tag. */
export function ownedPaths<Store>(routes: readonly OwnedRoute<Store>[], tag: string): Readonly<Record<string, Piece>> {
  const paths: Record<string, Piece> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, tag) }
  return paths
}

function operationOf<Store>(route: OwnedRoute<Store>, tag: string): Piece {
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
    tags: [tag],
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

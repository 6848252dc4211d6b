import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { AccountError } from '../../accounts/users.ts'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { ignoredNames, queryNames } from '../../api/parameter-names.ts'
import { readParameters } from '../../api/params.ts'
import { textSerializerOf } from '../../api/serializer.ts'
import type { IsoDate } from '../../market/units.ts'
import { keyInAddressRefusal } from '../http/access.ts'
import { mayAdminister } from '../http/capabilities.ts'
import { ignoredLines, rateLines, setHeaders } from '../http/headers.ts'
import { readJson } from '../http/json-body.ts'
import { storing } from '../http/storing.ts'
import { errorResponses, jsonOf, type Piece } from '../openapi/errors.ts'
import { keyInHeader, openApiParameters, requestBodyOf } from '../openapi/openapi.ts'
import type { AdminRoute, AdminStores } from './admin-route.ts'
import { adminRoutes } from './admin-routes.ts'
import { readShape } from './body.ts'

export interface AdminOptions extends Omit<AdminStores, 'now'> {
  /** Finds the account to which the key of a request belongs. Throws if there is none. */
  readonly authenticate: (request: FastifyRequest) => Account
  readonly wallNow: () => number
  readonly usesSession: (request: FastifyRequest) => boolean
  /**
   * Which keys may administer besides operators' keys: `enterprise` adds keys of plans that include administration,
   * `operators` adds none.
   */
  readonly admins: 'enterprise' | 'operators'
}

const MAX_BODY_BYTES = 4096
/**
 * Greatest length of a name in the audit trail. If the email of the person who made a change is longer, the account's
 * id replaces it.
 */
const MAX_ACTOR_LENGTH = 100
/** Parameters are parsed relative to a date. Those of admin routes do not depend on it, so any date will do. */
const reading = { today: '1970-01-01' as IsoDate }

/**
 * Adds the routes that manage users, keys and doubts about the source. They are open to operators' keys and to plans that
 * include administration. Key and plan are checked before a request body is read. Requests are not counted against a
 * quota.
 */
export function mountAdmin(
  app: FastifyInstance,
  { authenticate, usesSession, wallNow, admins, ...stores }: AdminOptions
): void {
  const { plans, quota } = stores
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body)
    )
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const inAddress = keyInAddressRefusal(request)
      if (inAddress !== undefined) throw inAddress
      const account = authenticate(request)
      if (isWrite(request) && request.headers['x-gammawall'] !== '1' && usesSession(request)) {
        throw apiError(
          'unauthorized',
          'the session of a browser changes nothing here without the header X-Gammawall: 1'
        )
      }
      request.account = account
      setHeaders(reply, rateLines(account, quota.used(account), quota, wallNow()))
      if (mayAdminister(account, plans, admins)) return
      const required = plans.leastWith('admin')
      const message =
        admins === 'operators'
          ? 'administration is kept for keys of the role operator; the plan of this key does not matter'
          : `administration needs the ${required.name} plan or higher; this key is on ${account.plan.name}`
      throw apiError('tier_restricted', message, { current_plan: account.plan.name, required_plan: required.name })
    })
    for (const route of adminRoutes) mount(scope, route, { ...stores, now: wallNow })
  })
}

function mount(scope: FastifyInstance, route: AdminRoute, stores: AdminStores): void {
  const { method, path, params, body, response, answer } = route
  const serialize = textSerializerOf(response)
  const names = queryNames(params)
  scope.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      setHeaders(reply, ignoredLines(ignoredNames(request.query as never, names)))
      const values = readParameters(params, request.params as never, request.query as never, reading)
      const sent = body && readShape(body.schema, readJson(request, body))
      const actor = actorOf(request.account!)
      const answered = await explained(async () => answer(stores, values as never, sent as never, actor))
      const text = serialize(answered)
      return reply.code(statusOf(route)).type('application/json; charset=utf-8').send(text)
    }
  })
}

/** Converts mistakes in account data, such as an unknown plan, to API errors that name the mistake. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await storing('the accounts', work)
  } catch (error) {
    throw error instanceof AccountError ? apiError('invalid_body', error.message) : error
  }
}

/**
 * Whether a request may change data. In a browser session such a request needs the header X-Gammawall. A page of
 * another site cannot send it: browsers first ask this service whether it allows the header, and it does not.
 */
const isWrite = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'
const statusOf = ({ method }: AdminRoute) => (method === 'POST' ? 201 : 200)
const actorOf = ({ email, userId }: Account) => (email.length <= MAX_ACTOR_LENGTH ? email : userId)

export const adminPaths: Readonly<Record<string, Piece>> = documentation()

function documentation(): Readonly<Record<string, Piece>> {
  const paths: Record<string, Piece> = {}
  for (const route of adminRoutes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  return paths
}

function operationOf(route: AdminRoute): Piece {
  const { operationId, summary, description, params, body, response, errors } = route
  const codes: ErrorCode[] = [
    'unauthorized',
    'tier_restricted',
    'unknown_parameter',
    'internal_error',
    'storage_unavailable',
    ...errors
  ]
  for (const { code } of Object.values(params)) codes.push(code)
  if (body !== undefined) codes.push('invalid_body', 'payload_too_large')
  return {
    operationId,
    tags: ['admin'],
    summary,
    description,
    'x-plan': 'enterprise',
    security: keyInHeader,
    deprecated: false,
    parameters: openApiParameters(params),
    ...(body !== undefined && { requestBody: requestBodyOf(body) }),
    responses: {
      [statusOf(route)]: { description: 'the answer', content: jsonOf(response) },
      ...errorResponses(codes)
    }
  }
}

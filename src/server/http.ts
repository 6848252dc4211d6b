import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Account } from '../accounts/accounts.ts'
import type { QuotaCounters } from '../accounts/quota.ts'
import { answer } from '../api/answer.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { apiError } from '../api/error.ts'
import type { Inputs } from '../api/inputs.ts'
import { readParameters } from '../api/params.ts'
import type { Entitlement, Plans } from '../api/plan.ts'
import type { MarketSource } from '../api/source.ts'
import type { Engine } from '../engine/engine.ts'
import { easternDate } from '../market/eastern.ts'
import type { Access } from './access.ts'
import { type Answers, encodingFor, type Served } from './answers.ts'
import { crossOrigin } from './cross-origin.ts'
import { readJson } from './json-body.ts'
import { asApiError, sendRefusal } from './refusal.ts'

/** What happened to one request, for the access log and the metrics. Never holds a key. */
export interface RequestRecord {
  readonly id: string
  readonly method: string
  /** The declared path, so that metrics stay few. */
  readonly route: string
  readonly path: string
  readonly status: number
  readonly plan: string | undefined
  readonly userId: string | undefined
  readonly seconds: number
  readonly bytes: number
  readonly error: Error | undefined
}

export interface HttpOptions {
  readonly endpoints: readonly Endpoint[]
  readonly source: MarketSource
  readonly engine: Engine
  readonly answers: Answers
  readonly access: Access
  readonly quota: QuotaCounters
  readonly plans: Plans
  /** Named in every answer, so that nobody mistakes made-up data for a market. */
  readonly dataSource: string
  readonly wallNow: () => number
  readonly trustProxy: boolean
  readonly corsOrigin: '*' | readonly string[]
  readonly onRequest: (record: RequestRecord) => void
}

/** The largest body a client may send: a hundred legs with scenarios take some 20 KB. */
const bodyLimit = 256 * 1024

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin'
}

/**
 * The REST interface: every declared endpoint as a route, with keys, plans, quota and cached bytes. The order of checks
 * is the contract's: key, plan, quota, syntax, gates, data.
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: options.trustProxy,
    bodyLimit,
    requestIdHeader: false,
    genReqId: requestIds(),
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: true },
    return503OnClosing: true
  })
  // Bodies are read as bytes and parsed after the key, the plan and the quota were checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  crossOrigin(app, options.corsOrigin)
  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now()
    reply.raw.setHeader('x-request-id', request.id)
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  })
  app.addHook('onResponse', async (request, reply) => record(request, reply, options))
  app.setErrorHandler((error, request, reply) => {
    const refusal = asApiError(error)
    request.failure = refusal.status >= 500 ? (error as Error) : undefined
    return sendRefusal(reply, refusal, request.id)
  })
  app.setNotFoundHandler((request, reply) => sendRefusal(reply, apiError('not_found'), request.id))
  for (const endpoint of options.endpoints) {
    const handler = handlerOf(endpoint, options)
    for (const path of [endpoint.path, ...endpoint.aliases]) {
      app.route({
        method: endpoint.body === undefined ? 'GET' : 'POST',
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        handler
      })
    }
  }
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
    account?: Account
    failure?: Error | undefined
  }
}

function handlerOf(endpoint: Endpoint, options: HttpOptions) {
  const { access, quota, source } = options
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const account = access.authenticate(request)
    request.account = account
    rateHeaders(reply, account, quota.used(account), quota)
    access.admit(account, endpoint.plan)
    const { allowed, used } = quota.take(account)
    if (!allowed) throw quotaExceeded(reply, account, options)
    rateHeaders(reply, account, used, quota)
    try {
      const reading = { today: easternDate(source.now()) }
      const params = readParameters(endpoint.params, request.params as never, request.query as never, reading)
      const body = endpoint.body?.read(readJson(request))
      endpoint.check(params as never)
      access.checkGates(account, endpoint, params, reading)
      return await respond(endpoint, params, body, account, request, reply, options)
    } catch (error) {
      const { status } = asApiError(error)
      if (status === 403 || status >= 500) {
        quota.refund(account)
        rateHeaders(reply, account, quota.used(account), quota)
      }
      throw error
    }
  }
}

async function respond(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
  account: Account,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions
): Promise<FastifyReply> {
  const { access, answers, engine } = options
  const caller = endpoint.varies.filter((entitlement: Entitlement) => access.allows(account, entitlement))
  const inputs = serviceInputs(endpoint, account, options)
  if (endpoint.needs.some((need) => need in inputs) || body !== undefined) {
    // What changes with every request is made in place, unless it is work: that goes to the engine.
    const question = { params, inputs, body, caller }
    const inPlace = 'catalogue' in inputs || 'account' in inputs
    const text = inPlace ? answer(endpoint, question) : Buffer.from(await engine.answer(endpoint.id, question))
    return reply.headers(plainHeaders).send(text)
  }
  const found = answers.find(endpoint, params, account.plan.freshness, caller)
  return send(found instanceof Promise ? await found : found, request, reply, options)
}

const plainHeaders = {
  ...securityHeaders,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache'
}

/** Inputs that are facts of the service and of this request rather than of the market. */
function serviceInputs(endpoint: Endpoint, account: Account, options: HttpOptions): Partial<Inputs> {
  const { needs } = endpoint
  const { quota, source, wallNow } = options
  return {
    ...(needs.includes('now') && { now: wallNow() }),
    ...(needs.includes('today') && { today: easternDate(source.now()) }),
    ...(needs.includes('catalogue') && { catalogue: source.catalogue() }),
    ...(needs.includes('account') && {
      account: {
        userId: account.userId,
        email: account.email,
        plan: account.plan.id,
        dailyLimit: account.plan.dailyLimit,
        usedToday: quota.used(account),
        resetsAt: quota.resetsAt()
      }
    })
  }
}

/** Sends cached bytes: not at all when the client has them, else in the smallest form it takes. */
async function send(
  { answer: found, chains }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, source, dataSource }: HttpOptions
): Promise<FastifyReply> {
  reply.headers(plainHeaders)
  reply.header('etag', found.etag).header('vary', 'accept-encoding').header('x-data-source', dataSource)
  if (chains.length > 0) {
    const age = Math.max(0, source.now() - Math.min(...chains.map(({ asOf }) => asOf)))
    reply.header('x-data-age', (age / 1000).toFixed(1))
    if (source.isStale(chains[0])) reply.header('x-data-stale', 'true')
  }
  if (request.headers['if-none-match']?.includes(found.etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'], found.body.length)
  if (encoding === undefined) return reply.send(found.body)
  const encoded = answers.encoded(found, encoding)
  return reply.header('content-encoding', encoding).send(encoded instanceof Promise ? await encoded : encoded)
}

/** Both the older X-RateLimit fields and the RateLimit fields of the IETF draft. */
function rateHeaders(reply: FastifyReply, { plan }: Account, used: number, quota: QuotaCounters): void {
  const resetsAt = quota.resetsAt()
  const limit = plan.dailyLimit
  const left = limit === undefined ? 'unlimited' : `${Math.max(0, limit - used)}`
  reply.header('x-ratelimit-limit', limit === undefined ? 'unlimited' : `${limit}`)
  reply.header('x-ratelimit-remaining', left)
  reply.header('x-ratelimit-reset', `${resetsAt / 1000}`)
  if (limit === undefined) return
  reply.header('ratelimit-policy', `"daily";q=${limit};w=86400`)
  reply.header('ratelimit', `"daily";r=${left};t=${secondsUntil(resetsAt)}`)
}

const secondsUntil = (instant: number) => Math.max(0, Math.ceil((instant - Date.now()) / 1000))

function quotaExceeded(reply: FastifyReply, { plan }: Account, { plans, quota }: HttpOptions) {
  const resetsAt = quota.resetsAt()
  reply.header('retry-after', `${secondsUntil(resetsAt)}`)
  const next = plans.nextAbove(plan)
  const advice = next === undefined ? '' : `, or move to the ${next.name} plan`
  return apiError('quota_exceeded', `all ${plan.dailyLimit} requests of today are used; wait for the reset${advice}`, {
    current_plan: plan.name,
    limit: plan.dailyLimit ?? 0,
    upgrade_to: next?.name ?? null,
    reset_at: new Date(resetsAt).toISOString()
  })
}

function record(request: FastifyRequest, reply: FastifyReply, { onRequest }: HttpOptions): void {
  const query = request.url.indexOf('?')
  onRequest({
    id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    path: query < 0 ? request.url : request.url.slice(0, query),
    status: reply.statusCode,
    plan: request.account?.plan.id,
    userId: request.account?.userId,
    seconds: (performance.now() - request.startedAt) / 1000,
    bytes: Number(reply.getHeader('content-length') ?? 0),
    error: request.failure
  })
}

/** Short ids, unique within a run and unlikely to meet those of another. */
function requestIds(): () => string {
  const run = Math.random().toString(36).slice(2, 8)
  let count = 0
  return () => `${run}-${(++count).toString(36)}`
}

import { createServer } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Account } from '../accounts/accounts.ts'
import { answer } from '../api/answer.ts'
import { type Endpoint, isKept } from '../api/endpoint.ts'
import { apiError } from '../api/error.ts'
import type { Inputs } from '../api/inputs.ts'
import { readParameters } from '../api/params.ts'
import type { Plans } from '../api/plan.ts'
import type { Soon } from '../api/source.ts'
import type { Engine } from '../engine/engine.ts'
import { easternDate } from '../market/eastern.ts'
import type { Access } from './access.ts'
import { type Answers, asBuffer, type Encoding, encodingFor, type Served } from './answers.ts'
import { mountCrossOrigin } from './cross-origin.ts'
import { exchangeOf } from './exchange.ts'
import { FastLane } from './fast-lane.ts'
import { commonHeaders, contentHeaders, rateHeaders, setHeaders } from './headers.ts'
import { readJson } from './json-body.ts'
import { unsent } from './listen.ts'
import { recordOf } from './record.ts'
import { asApiError, refuseUnreadable, sendRefusal } from './refusal.ts'
import { isHeldBy, type SendOptions, sendAnswer } from './send-answer.ts'

export interface HttpOptions extends SendOptions {
  readonly endpoints: readonly Endpoint[]
  readonly engine: Engine
  readonly answers: Answers
  readonly access: Access
  readonly plans: Plans
  readonly trustProxy: boolean
}

/** The largest body a client may send: a hundred legs with scenarios take some 20 KB. */
const bodyLimit = 256 * 1024
/** How long a client may take to send its request, milliseconds. */
const slowestRequest = 30_000
/** How long a connection without requests is kept: longer than the minute that load balancers wait. */
const keepAliveTimeout = 72_000

/**
 * The REST interface: every declared endpoint as a route, with keys, plans, quota and cached bytes. The order of checks
 * is the contract's: key, plan, quota, syntax, gates, data.
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const nextId = requestIds()
  const lane = new FastLane({ ...options, nextId })
  const app = Fastify({
    serverFactory: (framework) => {
      const server = createServer({ keepAliveTimeout, requestTimeout: slowestRequest }, (request, response) => {
        if (!lane.serve(request, response)) framework(request, response)
        else if (response.writableLength > 0) server.emit(unsent, response)
      })
      return server
    },
    logger: false,
    trustProxy: options.trustProxy,
    bodyLimit,
    requestIdHeader: false,
    genReqId: nextId,
    // As long as Node lets an address be: a symbol that cannot be one is refused where symbols are read.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => readableAddress(url),
    frameworkErrors: (error, request, reply) => sendRefusal(reply, asApiError(error), request.id),
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: true
  })
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('used', 0)
  app.decorateRequest('account', undefined)
  app.decorateRequest('failure', undefined)
  // Bodies are read as bytes and parsed after the key, the plan and the quota were checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now()
    done()
  })
  // What is sent through Fastify gets its headers and its record here; cached answers bring their own, see `send`.
  app.addHook('onSend', (request, reply, payload, done) => {
    const exchange = exchangeOf(request, reply.raw)
    setHeaders(reply, commonHeaders(exchange, options.corsOrigin))
    options.onRequest(recordOf(exchange, reply.statusCode, sizeOf(payload)))
    done()
  })
  mountCrossOrigin(app, options.corsOrigin)
  app.setErrorHandler((error, request, reply) => {
    const refusal = asApiError(error)
    request.failure = refusal.status >= 500 ? (error as Error) : undefined
    const { account } = request
    if (account !== undefined) {
      setHeaders(reply, rateHeaders(account, options.quota.used(account), options.quota, options.wallNow()))
    }
    return sendRefusal(reply, refusal, request.id)
  })
  app.setNotFoundHandler((request, reply) => {
    // To a key even this is an answer: it is counted and says what is left.
    const account = (request.account = options.access.accountOf(request))
    if (account !== undefined) count(account, request, reply, options)
    throw apiError('not_found')
  })
  for (const endpoint of options.endpoints) {
    const handler = handlerOf(endpoint, lane, options)
    for (const path of [endpoint.path, ...endpoint.aliases]) {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      if (endpoint.body === undefined) {
        app.get(url, (request, reply) => {
          enter(endpoint, request, reply, options)
          return handler(request, reply)
        })
      } else {
        // Before the body is read: nobody without a key can make us hold one.
        const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
          enter(endpoint, request, reply, options)
          done()
        }
        app.post(url, { onRequest }, handler)
      }
    }
  }
  return app
}

/** The first checks of the contract's order, which ask who the caller is: key, plan, quota. */
function enter(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): void {
  const { access } = options
  const account = (request.account = access.authenticate(request))
  if (!access.admits(account, endpoint.plan)) throw access.refusalBelow(account, endpoint.plan)
  count(account, request, reply, options)
}

function count(account: Account, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): void {
  const { allowed, used } = options.quota.take(account)
  request.used = used
  if (!allowed) throw quotaExceeded(reply, account, options)
}

/** Reads what is asked and answers it: at once where the answer is kept, without a promise in between. */
function handlerOf(endpoint: Endpoint, lane: FastLane, options: HttpOptions) {
  const { access, quota, source } = options
  return (request: FastifyRequest, reply: FastifyReply): Soon<FastifyReply | undefined> => {
    const account = request.account!
    const refuse = (error: unknown): never => {
      const { status } = asApiError(error)
      if (status === 403 || status >= 500) quota.refund(account)
      throw error
    }
    try {
      const reading = { today: easternDate(source.now()) }
      const params = readParameters(endpoint.params, request.params as never, request.query as never, reading)
      const body = endpoint.body?.read(readJson(request))
      endpoint.check(params as never)
      access.checkGates(account, endpoint, params, reading)
      if (isKept(endpoint) && request.originalUrl === request.url) {
        lane.remember(request.url, { endpoint, route: request.routeOptions.url!, params, ...reading })
      }
      const sent = respond(endpoint, params, body, request, reply, options)
      return sent instanceof Promise ? sent.catch(refuse) : sent
    } catch (error) {
      return refuse(error)
    }
  }
}

function respond(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions
): Soon<FastifyReply | undefined> {
  const { access, answers, engine } = options
  const account = request.account!
  const caller = endpoint.varies.filter((entitlement) => access.allows(account, entitlement))
  if (isKept(endpoint)) {
    const found = answers.find(endpoint, params, account.plan.freshness, caller)
    if (found instanceof Promise) return found.then((served) => send(served, request, reply, options))
    return send(found, request, reply, options)
  }
  // What changes with every request is made in place, unless it is work: that goes to the engine.
  const question = { params, inputs: serviceInputs(endpoint, account, options), body, caller }
  const inPlace = endpoint.needs.includes('catalogue') || endpoint.needs.includes('account')
  setHeaders(reply, [...contentHeaders, 'x-data-source', options.dataSource])
  setHeaders(reply, rateHeaders(account, request.used, options.quota, options.wallNow()))
  if (inPlace) return reply.send(answer(endpoint, question))
  return engine.answer(endpoint.id, question).then((bytes) => reply.send(asBuffer(bytes)))
}

/** Inputs that are facts of the service and of this request rather than of the market. */
function serviceInputs({ needs }: Endpoint, account: Account, options: HttpOptions): Partial<Inputs> {
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

/** Sends a finished answer: not at all when the client has it, else in the smallest form it takes. */
function send(served: Served, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Soon<undefined> {
  const { answer: found } = served
  const exchange = exchangeOf(request, reply.raw)
  const write = (bytes: Buffer | undefined, encoding: Encoding | undefined): undefined => {
    reply.hijack()
    sendAnswer(exchange, served, { bytes, encoding }, options)
  }
  if (isHeldBy(exchange, found)) return write(undefined, undefined)
  const encoding = encodingFor(request.headers['accept-encoding'], found.body.length)
  if (encoding === undefined) return write(found.body, undefined)
  const encoded = options.answers.encoded(found, encoding)
  return encoded instanceof Promise ? encoded.then((bytes) => write(bytes, encoding)) : write(encoded, encoding)
}

function quotaExceeded(reply: FastifyReply, { plan }: Account, { plans, quota, wallNow }: HttpOptions) {
  const resetsAt = quota.resetsAt()
  const seconds = Math.max(0, Math.ceil((resetsAt - wallNow()) / 1000))
  reply.header('retry-after', `${seconds}`)
  const next = plans.nextAbove(plan)
  const advice = next === undefined ? '' : `, or move to the ${next.name} plan`
  return apiError('quota_exceeded', `all ${plan.dailyLimit} requests of today are used; wait for the reset${advice}`, {
    current_plan: plan.name,
    limit: plan.dailyLimit ?? 0,
    upgrade_to: next?.name ?? null,
    reset_at: new Date(resetsAt).toISOString()
  })
}

/** An address whose percent signs decode. One that does not is taken by the letter, and refused by what it reads as. */
function readableAddress(url: string): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.byteLength(payload) : 0

/** Short ids, unique within a run and unlikely to meet those of another. */
function requestIds(): () => string {
  const run = Math.random().toString(36).slice(2, 8)
  let count = 0
  return () => `${run}-${(++count).toString(36)}`
}

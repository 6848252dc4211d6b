import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../../api/answer.ts'
import { type Endpoint, isAnsweredInPlace, isKept } from '../../api/endpoint.ts'
import type { ServiceFacts } from '../../api/inputs/input.ts'
import { loadInputs } from '../../api/inputs/load.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import { readParameters } from '../../api/params.ts'
import type { Engine } from '../../workers/engine.ts'
import { type Answers, asBuffer, type Encoding, encodingFor } from '../answers/answers.ts'
import { isHeldBy, type Outgoing, type SendOptions, sendAnswer } from '../answers/send.ts'
import { type EnterOptions, enter } from './authorize.ts'
import { exchangeOf, pathOf } from './exchange.ts'
import type { FastLane } from './fast-lane.ts'
import { contentHeadersFor, rateHeaders, setHeaders } from './headers.ts'
import type { MarketView, RequestContext } from './host.ts'
import { readJson } from './json-body.ts'
import { asApiError } from './refusal.ts'

export interface MountOptions extends SendOptions, EnterOptions {
  readonly endpoints: readonly Endpoint[]
  readonly engine: Engine
  readonly answers: Answers
}

/** A question as it was read from a request. */
interface Read {
  readonly endpoint: Endpoint
  readonly context: RequestContext
  readonly params: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Every declared endpoint as a route, under its path and its aliases. */
export function mountEndpoints(app: FastifyInstance, lane: FastLane | undefined, options: MountOptions): void {
  for (const endpoint of options.endpoints) {
    const handler = handlerOf(endpoint, lane, options)
    for (const url of routesOf(endpoint)) {
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
}

/** The paths of an endpoint as the framework writes them. */
export function routesOf({ path, aliases }: Endpoint): readonly string[] {
  return [path, ...aliases].map((declared) => declared.replace(/\{(\w+)\}/g, ':$1'))
}

/** Reads what is asked and answers it: at once where the answer is kept, without a promise in between. */
function handlerOf(endpoint: Endpoint, lane: FastLane | undefined, options: MountOptions) {
  const { access, host, quota } = options
  return (request: FastifyRequest, reply: FastifyReply): MaybePromise<FastifyReply | undefined> => {
    const { account } = request
    const refuse = (error: unknown): never => {
      const { status } = asApiError(error)
      if (account !== undefined && (status === 403 || status >= 500)) quota.refund(account)
      throw error
    }
    try {
      const context = host.context(endpoint, request.query as never)
      const params = readParameters(endpoint.params, request.params as never, request.query as never, context)
      const body = endpoint.body?.read(readJson(request))
      endpoint.check(params as never)
      if (account !== undefined) access.checkGates(account, endpoint, params, context)
      if (lane !== undefined && isKept(endpoint) && request.originalUrl === request.url) {
        const route = request.routeOptions.url!
        lane.remember(request.url, { endpoint, route, path: pathOf(request.url), params, today: context.today })
      }
      const read = { endpoint, context, params, body }
      const sent = andThen(context.market(endpoint, params), (view) => respond(read, view, request, reply, options))
      return sent instanceof Promise ? sent.catch(refuse) : sent
    } catch (error) {
      return refuse(error)
    }
  }
}

function respond(
  { endpoint, context, params, body }: Read,
  { source, headers }: MarketView,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions
): MaybePromise<FastifyReply | undefined> {
  const { access, answers, engine, plans } = options
  const { account } = request
  const caller = account === undefined ? [] : endpoint.varies.filter((word) => access.allows(account, word))
  const asking = { source, maxAge: (account?.plan ?? plans.byId('free')).freshness, keyless: account === undefined }
  if (isKept(endpoint)) {
    const found = answers.find(endpoint, params, asking, caller, context.zone)
    return andThen(found, (served) => send({ served, asking, moment: headers(served.chains) }, request, reply, options))
  }
  // What changes with every request is made in place, unless it is work: that goes to the engine.
  setHeaders(reply, [...contentHeadersFor(account), 'vary', 'origin, x-api-key', 'x-data-source', options.dataSource])
  setHeaders(reply, headers([]))
  if (account !== undefined) {
    setHeaders(reply, rateHeaders(account, request.used, options.quota, options.wallNow()))
  }
  return andThen(loadInputs(endpoint, params, asking, factsOf(request, options)), ({ inputs }) => {
    const task = { params, inputs, body, caller, zone: context.zone }
    if (isAnsweredInPlace(endpoint)) return reply.send(answer(endpoint, task))
    return engine.run('answerEndpoint', { endpoint: endpoint.id, ...task }).then((bytes) => reply.send(asBuffer(bytes)))
  })
}

/** What is a fact of the service and of this request rather than of the market. */
function factsOf({ account }: FastifyRequest, { quota, wallNow }: MountOptions): ServiceFacts {
  const view = account && {
    userId: account.userId,
    email: account.email,
    plan: account.plan.id,
    dailyLimit: account.plan.dailyLimit,
    usedToday: quota.used(account),
    resetsAt: quota.resetsAt()
  }
  return { now: wallNow(), account: view }
}

/** Sends a finished answer: not at all when the client has it, else in the smallest form it takes. */
function send(
  outgoing: Outgoing,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions
): MaybePromise<undefined> {
  const { answer: found } = outgoing.served
  const exchange = exchangeOf(request, reply.raw)
  const write = (bytes: Buffer | undefined, encoding: Encoding | undefined): undefined => {
    reply.hijack()
    sendAnswer(exchange, outgoing, { bytes, encoding }, options)
  }
  if (isHeldBy(exchange, found)) return write(undefined, undefined)
  const encoding = encodingFor(request.headers['accept-encoding'], found.body.length)
  if (encoding === undefined) return write(found.body, undefined)
  const encoded = options.answers.encoded(found, encoding)
  return encoded instanceof Promise ? encoded.then((bytes) => write(bytes, encoding)) : write(encoded, encoding)
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { apiError } from '../../api/error.ts'
import { KEEP_ALIVE_TIMEOUT, SingleWriteResponse } from '../answers/single-write-response.ts'
import { allowedMethods } from './allowed-methods.ts'
import { checkQuota } from './authorize.ts'
import { exchangeOf, recordOf } from './exchange.ts'
import { type AllowedOrigins, allowedOrigin, commonLines, rateLines, setHeaders } from './headers.ts'
import { KeptAnswerRoute } from './kept-answer-route.ts'
import { type MountOptions, mountEndpoints } from './mount-endpoints.ts'
import { type MountedHost, readyTogether, serveMounted } from './mounted-host.ts'
import { noCompilers } from './no-compilers.ts'
import { Drain } from './open-connections.ts'
import { asApiError, hasOneHost, headRefusal, refuseUnreadable, sendRefusal } from './refusal.ts'
import { answerWithoutUpgrade } from './upgrade.ts'

export interface HttpOptions extends MountOptions {
  readonly drain?: Drain
  readonly mounted?: MountedHost | undefined
}

/** The largest body a client may send, bytes: a hundred legs with scenarios take some 20 KB. */
const MAX_BODY_BYTES = 256 * 1024
/** A body refused as too large is read to its end and dropped up to this size, see `dropBody`. */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024
/** How long a client may take to send its request, and how often the server looks for late ones, milliseconds. */
const REQUEST_TIMEOUT = 30_000
const CHECK_FOR_LATE_EVERY = 1000
const connections = {
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  headersTimeout: REQUEST_TIMEOUT,
  connectionsCheckingInterval: CHECK_FOR_LATE_EVERY,
  requireHostHeader: false, // refused below instead, with an error in the usual format
  ServerResponse: SingleWriteResponse
}

/**
 * The REST interface of a host, live or replay: every declared endpoint as a route, with keys, plans, quota and cached
 * responses. Checks run in the order of the interface specification: key, plan, quota, syntax, gates, data.
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const nextId = requestIds()
  const { drain = new Drain(), mounted } = options
  const { defaultMarket } = options.host
  const keptRoute = defaultMarket && new KeptAnswerRoute({ ...options, source: defaultMarket, nextId })
  const app = Fastify({
    serverFactory: (routed) => {
      const framework = (request: IncomingMessage, response: ServerResponse) => {
        if (mounted === undefined || !serveMounted(mounted, request, response)) routed(request, response)
      }
      const server = createServer(connections, (request, response) => {
        const isSound = hasOneHost(request)
        // Without exactly one Host header it is unclear where the next request begins, so the connection must close.
        if (drain.begun || !isSound) response.shouldKeepAlive = false
        if (!isSound || !keptRoute?.serve(request, response)) framework(request, response)
      })
      // Node emits this event for an unknown Expect header. The request's body may come or not.
      server.on('checkExpectation', (request, response) => {
        response.shouldKeepAlive = false
        framework(request, response)
      })
      return server.on('upgrade', answerWithoutUpgrade)
    },
    logger: false,
    trustProxy: options.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    requestIdHeader: false,
    genReqId: nextId,
    // As long as Node allows an address to be: impossible symbols are refused where symbols are read.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => readableAddress(url),
    frameworkErrors: (error, request, reply) => sendRefusal(reply, asApiError(error), request.id),
    clientErrorHandler: refuseUnreadable,
    schemaController: noCompilers,
    pluginTimeout: 0, // closing waits for responses in progress, whose time is bounded elsewhere
    return503OnClosing: false // requests that still arrive get a response, see OpenConnections
  })
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('used', 0)
  app.decorateRequest('account', undefined)
  app.decorateRequest('failure', undefined)
  // Bodies are read as bytes and parsed after key, plan and quota were checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now()
    done(headRefusal(request.raw))
  })
  // Responses sent through Fastify get headers and log record here; cached responses bring their own, see `sendAnswer`.
  app.addHook('onSend', (request, reply, payload, done) => {
    const exchange = exchangeOf(request, reply.raw, options.trustProxy)
    setHeaders(reply, commonLines(exchange, options.corsOrigin))
    options.onRequest(recordOf(exchange, reply.statusCode, sizeOf(payload)))
    done()
  })
  const allowed = allowedMethods(app)
  mountCrossOrigin(app, options.corsOrigin)
  app.setErrorHandler((error, request, reply) => {
    const refusal = options.keyRefusals.limited(asApiError(error), request)
    request.failure = refusal.status >= 500 ? (error as Error) : undefined
    const { account } = request
    if (account !== undefined) {
      setHeaders(reply, rateLines(account, options.quota.used(account), options.quota, options.wallNow()))
    }
    const send = () => sendRefusal(reply, refusal, request.id)
    if (refusal.code !== 'payload_too_large' || !(lengthOf(request.raw) <= MAX_DROPPED_BYTES)) return send()
    reply.removeHeader('connection')
    return dropBody(request.raw).then(send)
  })
  app.setNotFoundHandler((request, reply) => {
    // With a key even a 404 counts as a request and states what is left of the quota.
    const account = (request.account = options.access.accountOf(request))
    if (account !== undefined) checkQuota(request, options)
    const methods = allowed.at(request.url.split('?', 1)[0])
    // A route may call this if it has nothing to return.
    if (methods.length === 0 || methods.includes(request.method)) throw apiError('not_found')
    reply.header('allow', methods.join(', '))
    throw apiError('method_not_allowed', `${request.method} is not taken here: this path takes ${methods.join(', ')}`)
  })
  mountEndpoints(app, keptRoute, options)
  if (mounted !== undefined) readyTogether(app, mounted)
  return app
}

/**
 * The requested address if its percent signs decode. Otherwise they are taken literally, and the address is refused
 * later as what it then says.
 */
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

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'])

/**
 * Reads the rest of a body. If the connection were closed at once, a client that is still sending would see a reset and
 * never read the error.
 */
async function dropBody(request: IncomingMessage): Promise<void> {
  await finished(request.resume()).catch(() => {})
}

const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.byteLength(payload) : 0

/** Generates short request ids, unique within a run and unlikely to repeat those of another run. */
function requestIds(): () => string {
  const run = Math.random().toString(36).slice(2, 8)
  let count = 0
  return () => `${run}-${++count}`
}

/** Handles CORS preflight requests. Keys travel in a header, not in cookies. */
export function mountCrossOrigin(app: FastifyInstance, allowed: AllowedOrigins): void {
  app.options('*', (request, reply) => {
    if (allowedOrigin(request.headers.origin, allowed) !== undefined) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
        .header('access-control-allow-headers', 'X-Api-Key, Content-Type, If-None-Match')
        .header('access-control-max-age', '86400')
    }
    return reply.code(204).send()
  })
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { apiError } from '../../api/error.ts'
import { andThen } from '../../api/maybe-promise.ts'
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

/** Largest request body, bytes. A structure of a hundred legs with scenarios takes some 20 KB. */
const MAX_BODY_BYTES = 256 * 1024
/**
 * A body that is refused as too large is still read and discarded if it has at most this many bytes; see `dropBody`.
 */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024
/**
 * How long a client may take to send a request, and how often the server checks for requests that take longer,
 * milliseconds.
 */
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
 * Creates the REST host, live or replay, with a route for each endpoint, keys, plans, quota and cached responses. A
 * request is checked in the order of the published API contract: key, plan, quota, syntax, entitlements, data.
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
    // As long as the longest address that Node accepts. Impossible symbols are refused by the code that parses symbols.
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
  // A body is read as bytes. It is parsed later, once key, plan and quota have been checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now()
    done(headRefusal(request.raw))
  })
  // Adds headers to responses that Fastify sends, and logs them. `sendAnswer` does both for cached responses.
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
    // A request with a key counts even if it gets a 404, and its response says how much of the quota is left.
    const account = (request.account = options.access.accountOf(request))
    return andThen(account === undefined ? undefined : checkQuota(request, options), () => {
      const methods = allowed.at(request.url.split('?', 1)[0])
      // Also called by a route that has nothing to return.
      if (methods.length === 0 || methods.includes(request.method)) throw apiError('not_found')
      reply.header('allow', methods.join(', '))
      throw apiError('method_not_allowed', `${request.method} is not taken here: this path takes ${methods.join(', ')}`)
    })
  })
  mountEndpoints(app, keptRoute, options)
  if (mounted !== undefined) readyTogether(app, mounted)
  return app
}

/**
 * Returns the requested address if its percent escapes can be decoded. Otherwise escapes the percent signs, so that the
 * address is read literally and refused later.
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
 * Reads and discards the rest of a body. If the connection were closed at once, a client that is still sending would
 * see a reset and never read the error.
 */
async function dropBody(request: IncomingMessage): Promise<void> {
  await finished(request.resume()).catch(() => {})
}

const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.byteLength(payload) : 0

/**
 * Makes short request ids. They are unique within a run of the service and most likely differ from the ids of other
 * runs.
 */
function requestIds(): () => string {
  const run = Math.random().toString(36).slice(2, 8)
  let count = 0
  return () => `${run}-${++count}`
}

/** Responds to CORS preflight requests. Pages of other sites send keys in a header, not in cookies. */
export function mountCrossOrigin(app: FastifyInstance, allowed: AllowedOrigins): void {
  app.options('*', (request, reply) => {
    if (allowedOrigin(request.headers.origin, allowed) !== undefined) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
        .header(
          'access-control-allow-headers',
          'Authorization, X-Api-Key, Content-Type, Idempotency-Key, If-None-Match'
        )
        .header('access-control-max-age', '86400')
      // Browsers ask before a public page reads an address of a private network. A star gives no page that right.
      if (allowed !== '*' && request.headers['access-control-request-private-network'] === 'true') {
        reply.header('access-control-allow-private-network', 'true')
      }
    }
    return reply.code(204).send()
  })
}

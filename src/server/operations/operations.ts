import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { noCompilers } from '../http/no-compilers.ts'
import type { Metrics } from './metrics.ts'
import { cpuProfile, type Profile } from './profiling.ts'

export interface OperationsOptions {
  readonly metrics: Pick<Metrics, 'registry'>
  readonly isReady: () => boolean
  /** Why the service should get no requests although it could handle them; undefined if nothing is wrong. */
  readonly hindrance?: () => string | undefined
  readonly profile?: Profile
  /** Secret text that callers of /debug must send. It is in the file service.json of the data folder. */
  readonly token: string
}

const DEFAULT_SECONDS = 10
const MAX_SECONDS = 60
const unreadable = 'the request cannot be read'

/**
 * Creates the operator's host: metrics, health checks and profiles. Metrics and health checks need neither key nor token,
 * so others must not be able to reach its address. All below /debug needs the operator's token.
 */
export function createOperations({
  metrics,
  isReady,
  hindrance,
  profile = cpuProfile,
  token
}: OperationsOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: 1024,
    forceCloseConnections: true,
    schemaController: noCompilers,
    pluginTimeout: 0, // closing waits until a job has ended, which takes longer than ten seconds on a busy machine
    frameworkErrors: (_error, _request, reply) => plain(reply, 400, unreadable)
  })
  app.setNotFoundHandler((_request, reply) => plain(reply, 404, 'no such path'))
  app.setErrorHandler((error: { readonly statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500
    return status < 500 ? plain(reply, status, unreadable) : plain(reply, 500, 'it failed')
  })
  mountProbes(app, isReady, hindrance)
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.registry.metrics()
    return reply.type(metrics.registry.contentType).header('cache-control', 'no-store').send(text)
  })
  mountProfile(app, profile, token)
  return app
}

/**
 * Adds GET /livez (does the process respond?) and GET /readyz (can the service handle requests?). While the service
 * starts, stops or is hindered, /readyz returns 503 with the reason.
 */
export function mountProbes(
  app: FastifyInstance,
  isReady: () => boolean,
  hindrance: () => string | undefined = () => undefined
): void {
  app.get('/livez', async (_request, reply) => plain(reply, 200, 'alive'))
  app.get('/readyz', async (_request, reply) => {
    const reason = hindrance()
    if (reason !== undefined) return plain(reply, 503, `not ready: ${reason}`)
    return isReady() ? plain(reply, 200, 'ready') : plain(reply, 503, 'not ready')
  })
}

/**
 * Adds POST /debug/cpu-profile?seconds=10, which records a CPU profile of the main thread. Only one runs at a time. It
 * ends when the client disconnects.
 */
function mountProfile(app: FastifyInstance, profile: Profile, token: string): void {
  let running: AbortController | undefined
  app.addHook('preClose', async () => running?.abort())
  app.addHook('onRequest', async (request, reply) => {
    const isDebug = request.routeOptions.url?.startsWith('/debug/') ?? false
    if (isDebug && refusesOperator(request, reply, token)) return reply
  })
  app.post('/debug/cpu-profile', async (request, reply) => {
    const seconds = secondsOf((request.query as { readonly seconds?: unknown }).seconds)
    if (seconds === undefined) return plain(reply, 400, `seconds must be a whole number from 1 to ${MAX_SECONDS}`)
    if (running !== undefined) return plain(reply, 409, 'a profile is being recorded; try again when it is finished')
    const recording = (running = new AbortController())
    const hangUp = () => recording.abort()
    reply.raw.once('close', hangUp)
    try {
      const recorded = await profile(seconds, recording.signal)
      reply.header('content-disposition', 'attachment; filename="gammawall.cpuprofile"')
      return reply.type('application/json').header('cache-control', 'no-store').send(JSON.stringify(recorded))
    } finally {
      running = undefined
      reply.raw.off('close', hangUp)
    }
  })
}

/**
 * Whether a web page sent the request. A browser on the operator's machine can reach this port, and any page it shows
 * could send requests.
 */
function comesFromPage({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none'
}

/**
 * Refuses a request that is not the operator's: one of a web page, or without the token in the header X-Control-Token.
 * Returns whether it was refused.
 */
export function refusesOperator(request: FastifyRequest, reply: FastifyReply, token: string): boolean {
  if (comesFromPage(request)) {
    plain(reply, 403, 'a web page may not request this')
    return true
  }
  if (hasToken(request, token)) return false
  plain(reply, 401, 'the header X-Control-Token must hold the token in service.json of the data folder')
  return true
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(String(headers['x-control-token'] ?? ''))
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function secondsOf(text: unknown): number | undefined {
  if (text === undefined) return DEFAULT_SECONDS
  const seconds = typeof text === 'string' && /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  return seconds <= MAX_SECONDS ? seconds : undefined
}

export function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(`${text}\n`)
}

import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../../api/error.ts'
import { lazily } from '../../market/memoize.ts'
import { type AuthorizeOptions, authorize } from '../http/authorize.ts'
import { bringsKey } from '../http/request-key.ts'
import { type AssistantOptions, type HttpHandler, httpHandler } from '../mcp/assistant-server.ts'
import type { Backend } from '../mcp/backend.ts'
import { CallLimit } from '../mcp/call-limit.ts'
import type { IsOwnHost } from '../sessions/own-host.ts'
import { isOfOwnOrigin } from '../sessions/own-origin.ts'
import { type AskedHosts, backendFor } from './asking.ts'

export interface McpOptions extends AssistantOptions {
  readonly counting: AuthorizeOptions
  readonly hosts: AskedHosts
  readonly isOwnHost: IsOwnHost
  /** Web origins whose pages may call, beside those of this service. */
  readonly origins: '*' | readonly string[]
}

/** Largest request, bytes. A structure of a hundred legs takes some 20 KB. */
const MAX_BODY_BYTES = 128 * 1024
const CALLS_AT_ONCE = 10
/** A key is needed, of any plan: what a tool asks is checked by the route that it asks. */
const terms = { plan: 'free', keys: 'counted', keyPlace: 'header' } as const

/**
 * Adds POST /mcp, the Model Context Protocol over streamable HTTP, without sessions. The package is loaded at the first
 * request. Only keys in headers open it: neither cookies, which browsers send by themselves, nor addresses.
 */
export function mountMcp(app: FastifyInstance, options: McpOptions): void {
  const { counting, hosts } = options
  const limit = new CallLimit(CALLS_AT_ONCE)
  const handler = lazily(() => httpHandler(options, (caller) => caller as Backend))
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    requireKnownPage(request, options)
    if (!bringsKey({ headers: request.headers, query: {} })) throw counting.access.keyRefusal(request)
    const { account, refusal } = authorize(terms, request, counting)
    request.account = account
    if (refusal !== undefined) throw refusal
    done()
  }
  app.post('/mcp', { onRequest, bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const caller = limit.limited(request.account!.userId, backendFor(hosts, request))
    return send(reply, await exchange(await handler(), request, reply, caller))
  })
}

/**
 * Refuses pages of other sites: one that has a name of its own pointed at this address could otherwise speak to the
 * service with the key of its visitor. Programs send no Origin.
 */
function requireKnownPage({ headers }: FastifyRequest, { isOwnHost, origins }: McpOptions): void {
  const { origin, host } = headers
  if (origin === undefined || origins === '*' || origins.includes(origin)) return
  if (isOwnHost(host) && isOfOwnOrigin(headers)) return
  throw apiError('cross_site', 'pages of this origin may not call here: the operator names origins with --mcp-origin')
}

/** Hands a request to the package as it wants it, and ends the work when the client is gone. */
function exchange(handler: HttpHandler, request: FastifyRequest, reply: FastifyReply, caller: Backend) {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) gone.abort()
  })
  const headers = Object.entries(request.headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name))
  const asked = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
    body: (request.body as Buffer | undefined) ?? null,
    signal: gone.signal
  })
  const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } }
  return handler.fetch(asked, { authInfo })
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value)
  reply.code(status).header('cache-control', 'no-store')
  return body === null ? reply.send() : reply.send(Readable.fromWeb(body as ReadableStream))
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../../api/error.ts'
import { readWhole } from '../../api/number-text.ts'
import type { ValueType } from '../../api/stream-frames.ts'
import { isoInstant } from '../../market/units.ts'
import type { CatalogQuery } from '../../stream/catalog/catalog.ts'
import { valueTypes } from '../../stream/catalog/schema.ts'
import type { Access } from '../http/access.ts'
import { sendRefusal } from '../http/refusal.ts'
import { keyHeaders } from '../http/request-key.ts'
import { type Handshakes, keyIn, keyInAddress, type Refused } from './handshakes.ts'
import { upgradeRequired } from './stream-socket.ts'

export interface StreamRoutesOptions {
  readonly handshakes: Handshakes
  readonly access: Access
  /** Whether a key in the address is accepted, as on the REST host. */
  readonly keysInAddress: boolean
}

const MAX_PREFIX_LENGTH = 200

export const streamPaths = [
  { method: 'POST', path: '/v1/stream/ticket' },
  { method: 'GET', path: '/v1/stream/catalog' }
] as const

/**
 * Adds POST /v1/stream/ticket and GET /v1/stream/catalog, on the REST host and the stream host. They do not count
 * against the quota.
 */
export function mountStreamRoutes(
  app: FastifyInstance,
  { handshakes, access, keysInAddress }: StreamRoutesOptions
): void {
  const refuseKeyInAddress = ({ url }: FastifyRequest) => {
    if (!keysInAddress && keyIn(searchOf(url))) throw keyInAddress()
  }
  app.post('/v1/stream/ticket', (request, reply) => {
    refuseKeyInAddress(request)
    request.account = access.accountOfHeaders(request.headers)
    const issued = handshakes.ticket(request.headers)
    if ('refusal' in issued && issued.refusal.status === 401) throw issued.refusal // counted by client address
    if ('refusal' in issued) return refuse(issued, request, reply)
    const body = { ticket: issued.ticket, expires_at: isoInstant(issued.expiresAt) }
    return reply.header('cache-control', 'no-store').send(body)
  })
  app.get('/v1/stream/catalog', (request, reply) => {
    refuseKeyInAddress(request)
    request.account = access.authenticate(request)
    const query = catalogQuery(searchOf(request.url))
    const etag = `"${handshakes.server.catalog.version}"`
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', `origin, ${keyHeaders}`)
    const held = request.headers['if-none-match']
    if (held !== undefined && (held === '*' || held.includes(etag))) return reply.code(304).send()
    return reply.send(handshakes.server.catalog.page(query))
  })
}

/** Adds an error for a plain GET /ws. It tells clients to open a WebSocket. */
export function mountUpgradeAdvice(app: FastifyInstance): void {
  app.get('/ws', (request, reply) => {
    reply.header('upgrade', 'websocket')
    return refuse({ refusal: upgradeRequired() }, request, reply)
  })
}

function refuse({ refusal, retryAfter }: Refused, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', `${retryAfter}`)
  return sendRefusal(reply, refusal, request.id)
}

function catalogQuery(query: URLSearchParams): CatalogQuery {
  const prefix = query.get('prefix') ?? ''
  if (prefix.length > MAX_PREFIX_LENGTH) throw wrong('prefix', `must be at most ${MAX_PREFIX_LENGTH} characters`)
  const type = query.get('value_type') ?? undefined
  if (type !== undefined && !valueTypes.includes(type as ValueType)) {
    throw wrong('value_type', `must be one of ${valueTypes.join(', ')}`)
  }
  const page = readWhole(query.get('page') ?? '1')
  if (page === undefined || page < 1) throw wrong('page', 'must be a whole number from 1')
  return { prefix, valueType: type as ValueType | undefined, page }
}

function wrong(parameter: string, what: string) {
  return apiError('invalid_parameter', `${parameter} ${what}`, { parameter })
}

const searchOf = (url: string) => new URLSearchParams(url.split('?')[1] ?? '')

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import Value from 'typebox/value'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import { apiError } from '../../api/error.ts'
import { type Instant, isoInstant } from '../../market/units.ts'
import { TokenBuckets } from '../../pacing/token-bucket.ts'
import type { KeyRefusals } from '../http/address-limit.ts'
import { cameByTls, clientAddress } from '../http/client-address.ts'
import { readJson } from '../http/json-body.ts'
import { storing } from '../http/storing.ts'
import { sessionCookie } from './cookie.ts'
import { type IsOwnHost, isLoopback } from './own-host.ts'
import { isOfOwnOrigin } from './own-origin.ts'
import { SESSION_SECONDS, type Sessions } from './sessions.ts'

export interface SessionRoutesOptions {
  readonly accounts: Pick<Accounts, 'find'>
  readonly sessions: Sessions
  readonly isOwnHost: IsOwnHost
  readonly failures: KeyRefusals
  readonly trustProxy: boolean
  readonly wallNow: () => Instant
}

export const signInFailureRate = { burst: 10, perMinute: 10 } as const

/** How often a key may sign in: each sign-out is stored for half a day. */
const signInRate = { burst: 100, perMinute: 20 } as const
const MAX_KEYS = 10_000

export const sessionPaths = [
  { method: 'POST', path: '/session' },
  { method: 'DELETE', path: '/session' }
] as const

/** Maximum size of a request body, bytes. A key has 46 characters. */
const MAX_BODY_BYTES = 1024

export const signInBody = {
  schema: Type.Object(
    { key: Type.String({ description: 'the key whose account the browser is to use' }) },
    { title: 'SignIn', additionalProperties: false }
  ),
  example: { key: 'gw_live_...' }
}

/**
 * Adds POST /session, which exchanges a key for a cookie, and DELETE /session, which ends the session, or with
 * `everywhere=true` all sessions of its user. Neither counts against the quota.
 */
export function mountSessions(app: FastifyInstance, options: SessionRoutesOptions): void {
  const { accounts, sessions, isOwnHost, failures, trustProxy, wallNow } = options
  const signIns = new TokenBuckets(MAX_KEYS)
  // This check comes before the body is read. Otherwise a page of another site could sign its visitors in to the
  // account of that page's owner.
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    requireOwnPage(request, isOwnHost)
    done()
  }
  app.post('/session', { onRequest, bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { key } = readKey(request)
    const account = (request.account = accounts.find(key))
    if (account === undefined) {
      throw failures.limited(apiError('unauthorized', 'the API key is invalid or revoked'), request)
    }
    failures.forgive(request)
    const wait = Math.ceil(signIns.take(account.keyId, signInRate, wallNow()) / 1000)
    if (wait > 0) {
      throw apiError('too_many_requests', `this key signs in too often; try again in ${wait} s`, {}, wait)
    }
    await storing('the end of the session', () => sessions.end(request.headers))
    const expiresAt = beginSession(account, sessions, request, reply, trustProxy)
    return reply.send({ plan: account.plan.id, expires_at: isoInstant(expiresAt) })
  })
  app.delete('/session', { onRequest }, async (request, reply) => {
    const { everywhere } = request.query as { readonly everywhere?: unknown }
    await storing('the end of the session', () =>
      everywhere === 'true' ? sessions.endAll(request.headers) : sessions.end(request.headers)
    )
    reply.header('set-cookie', sessionCookie('', 0, cameByTls(request, trustProxy)))
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

/** Begins a session and sends its cookie to the browser. Returns the time at which the session ends. */
export function beginSession(
  { keyId }: Pick<Account, 'keyId'>,
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  trustProxy: boolean
): number {
  const { token, expiresAt } = sessions.open(keyId, cameFromHere(request, trustProxy))
  reply.header('set-cookie', sessionCookie(token, SESSION_SECONDS, cameByTls(request, trustProxy)))
  reply.header('cache-control', 'no-store')
  return expiresAt
}

/**
 * Whether a request was made on this machine, under one of its loopback names. A request that a proxy passed on does
 * not count as local. Its headers show the proxy, even if no proxy is trusted.
 */
export function cameFromHere(request: FastifyRequest, trustProxy: boolean): boolean {
  const { host, forwarded, 'x-forwarded-for': forwardedFor } = request.headers
  if (!trustProxy && (forwarded ?? forwardedFor) !== undefined) return false
  return isLoopback(host) && isLoopback(clientAddress(request, trustProxy))
}

function requireOwnPage({ headers }: FastifyRequest, isOwnHost: IsOwnHost): void {
  requireOwnHost(headers.host, isOwnHost)
  if (!isOfOwnOrigin(headers)) throw apiError('cross_site')
}

export function requireOwnHost(host: string | undefined, isOwnHost: IsOwnHost): void {
  if (!isOwnHost(host)) throw apiError('misdirected')
}

function readKey(request: FastifyRequest): { readonly key: string } {
  const json = readJson(request, signInBody)
  if (Value.Check(signInBody.schema, json)) return json
  // The error does not quote a field name: the user may have typed a key there by mistake.
  throw apiError('invalid_body', 'the body must be {"key": "..."} and hold nothing else')
}

import type { FastifyRequest } from 'fastify'
import type { Account } from '../accounts/accounts.ts'

/** What happened to one request, for the access log and the metrics. Never holds a key. */
export interface RequestRecord {
  readonly id: string
  readonly method: string
  /** The declared path, so that metrics stay few. */
  readonly route: string
  /** The path as asked for, without the query that may hold a key. */
  readonly path: string
  readonly status: number
  readonly plan: string | undefined
  readonly userId: string | undefined
  readonly seconds: number
  readonly bytes: number
  readonly error: Error | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
    /** Requests of the account today, this one included. */
    used: number
    account: Account | undefined
    failure: Error | undefined
  }
}

/** A key that somebody wrote into the path. */
const anyKey = /gw_live_\w+/g

export function recordOf(request: FastifyRequest, status: number, bytes: number): RequestRecord {
  const { id, method, url, account, failure } = request
  const query = url.indexOf('?')
  return {
    id,
    method,
    route: request.routeOptions.url ?? 'none',
    path: (query < 0 ? url : url.slice(0, query)).replace(anyKey, 'gw_live_…'),
    status,
    plan: account?.plan.id,
    userId: account?.userId,
    seconds: (performance.now() - request.startedAt) / 1000,
    bytes,
    error: failure
  }
}

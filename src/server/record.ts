import type { Account } from '../accounts/accounts.ts'
import type { Exchange } from './exchange.ts'

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

export function recordOf(exchange: Exchange, status: number, bytes: number): RequestRecord {
  const { id, method, route, url, account, failure, startedAt } = exchange
  const query = url.indexOf('?')
  return {
    id,
    method,
    route,
    path: withoutKey(query < 0 ? url : url.slice(0, query)),
    status,
    plan: account?.plan.id,
    userId: account?.userId,
    seconds: (performance.now() - startedAt) / 1000,
    bytes,
    error: failure
  }
}

/** Masks a key that somebody wrote into the path. */
function withoutKey(path: string): string {
  return path.includes('gw_live_') ? path.replace(/gw_live_\w+/g, 'gw_live_…') : path
}

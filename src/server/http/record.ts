import type { Account } from '../../accounts/accounts.ts'
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
  const { id, method, route, path, account, failure, startedAt } = exchange
  return {
    id,
    method,
    route,
    path,
    status,
    plan: account?.plan.id,
    userId: account?.userId,
    seconds: (performance.now() - startedAt) / 1000,
    bytes,
    error: failure
  }
}

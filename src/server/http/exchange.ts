import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { cameByTls } from './client-address.ts'
import { maskKeys } from './key-mask.ts'

/** One request and where its answer goes, as far as sending and recording it need to know. */
export interface Exchange {
  readonly id: string
  readonly method: string
  /** The declared path. */
  readonly route: string
  /** The path as asked for, without the query that may hold a key. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Whether the client came by TLS. */
  readonly secure: boolean
  /** As performance.now() counts. */
  readonly startedAt: number
  readonly account: Account | undefined
  /** Requests of the account today, this one included. */
  readonly used: number
  readonly failure: Error | undefined
  readonly raw: ServerResponse
}

/** A request that came through the framework. */
export function exchangeOf(request: FastifyRequest, raw: ServerResponse, trustProxy: boolean): Exchange {
  return {
    id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    path: pathOf(request.url),
    headers: request.headers,
    secure: cameByTls(request, trustProxy),
    startedAt: request.startedAt,
    account: request.account,
    used: request.used,
    failure: request.failure,
    raw
  }
}

/** The longest address that is remembered, characters: few longer ones are asked for twice. */
export const MAX_ADDRESS_LENGTH = 512

/** The path of an address. A key that somebody wrote into it is masked, percent escapes or not. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return maskKeys(query < 0 ? url : url.slice(0, query))
}

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

import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { cameByTls } from './client-address.ts'
import { maskKeys } from './key-mask.ts'

export interface Exchange {
  readonly id: string
  readonly method: string
  readonly route: string
  /** Path of the request, without the query, which may contain a key. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly secure: boolean
  /** Time at which the request began, in milliseconds of performance.now(). */
  readonly startedAt: number
  readonly account: Account | undefined
  readonly used: number
  readonly failure: Error | undefined
  readonly raw: ServerResponse
}

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

/** Longest address that the fast path remembers, characters. Longer ones are rarely requested twice. */
export const MAX_ADDRESS_LENGTH = 512

/** Path of an address, without the query. Masks API keys, even if they are percent-escaped. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return maskKeys(query < 0 ? url : url.slice(0, query))
}

/** Outcome of one request, for the access log and the metrics. It never contains a key. */
export interface RequestRecord {
  readonly id: string
  readonly method: string
  /** Path of the route as declared, such as /v1/exposure/gex/{symbol}, so that metrics have few different labels. */
  readonly route: string
  /** Path of the request, without the query, which may contain a key. */
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

import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/accounts.ts'
import { cameByTls } from './client-address.ts'
import { maskKeys } from './key-mask.ts'

export interface Exchange {
  readonly id: string
  readonly method: string
  readonly route: string
  /** Requested path, without the query that may contain a key. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly secure: boolean
  /** Start of the request on the clock of performance.now(), milliseconds. */
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

/** Longest address that is remembered, characters; few longer ones are requested twice. */
export const MAX_ADDRESS_LENGTH = 512

/** The path of an address. Keys in it are masked, with percent escapes or without. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return maskKeys(query < 0 ? url : url.slice(0, query))
}

/** Outcome of one request, for the access log and the metrics. Never contains a key. */
export interface RequestRecord {
  readonly id: string
  readonly method: string
  /** Declared path of the route, so that metrics have few labels. */
  readonly route: string
  /** Requested path, without the query that may contain a key. */
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

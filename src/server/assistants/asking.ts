import type { FastifyInstance, FastifyRequest } from 'fastify'
import { injectAs, programHeaders } from '../http/ask-api.ts'
import type { Backend } from '../mcp/backend.ts'

/** The hosts that answer about now and about past moments; undefined where a service has only the other. */
export interface AskedHosts {
  readonly live: FastifyInstance | undefined
  readonly past: FastifyInstance
}

/** Asks the routes of the API in process on behalf of a caller, with the key and the address of that caller. */
export function backendFor({ live, past }: AskedHosts, request: FastifyRequest): Backend {
  return async ({ method, url, body, past: isPast }) => {
    const app = isPast || live === undefined ? past : live
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const sent = payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } }
    const answer = await injectAs(request, programHeaders, app, { method, url, ...sent })
    const header = (name: string) => {
      const value = answer.headers[name]
      return value === undefined ? undefined : String(value)
    }
    return { status: answer.statusCode, header, text: answer.body }
  }
}

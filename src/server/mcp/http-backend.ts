import { type Backend, ToolRefusal } from './backend.ts'

export interface HttpBackendOptions {
  /** Address of the REST interface, and of the host of past data if that is not below /replay. */
  readonly url: string
  readonly replayUrl: string | undefined
  readonly key: string
  readonly fetch: typeof fetch
}

/** Longest wait for an answer, milliseconds: longer than the service itself takes before it refuses. */
const PATIENCE = 120_000

/** Asks a running service over HTTP. Follows no redirect, so that the key goes nowhere else. */
export function httpBackend({ url, replayUrl = `${bare(url)}/replay`, key, fetch }: HttpBackendOptions): Backend {
  return async ({ method, url: path, body, past }) => {
    const base = bare(past ? replayUrl : url)
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    try {
      const signal = AbortSignal.timeout(PATIENCE)
      const response = await fetch(base + path, { method, headers, ...sent, redirect: 'error', signal })
      const text = await response.text()
      return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, text }
    } catch {
      throw new ToolRefusal('unreachable', `no service answers at ${base}: start it, or give its address with --url`)
    }
  }
}

const bare = (address: string) => address.replace(/\/+$/, '')

import type { LookupOptions } from 'node:dns'
import { type ClientRequest, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import { publicNames, type Resolve } from './public-names.ts'
import { hostOf, isPublicAddress } from './webhook-url.ts'

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface Posted {
  readonly delivered: boolean
  /** HTTP status; undefined if no response arrived. */
  readonly status: number | undefined
  /** Why the delivery failed; undefined if it succeeded. */
  readonly failure: string | undefined
}

export interface PostOptions {
  readonly allowPrivate: boolean
  /** Resolves the host name of a public webhook; default: by the name servers of the system. */
  readonly resolve?: Resolve
  /** Time limit for connecting and receiving the response, milliseconds. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

export const POST_TIMEOUT = 10_000
/** Bytes of a response that are read and discarded before the connection is closed. */
const MAX_ANSWER = 16 * 1024

const REFUSED = 'GAMMAWALL_PRIVATE_ADDRESS'
const reasons: Readonly<Record<string, string>> = {
  [REFUSED]: 'the name leads to an address of a private network',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host could not be looked up',
  ETIMEOUT: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer'
}

/**
 * Posts a message to a webhook and returns the result; never throws. Any status from 200 to 299 is a delivery.
 * Redirects are not followed. The address is checked in the DNS lookup of the connection itself, so a name that
 * resolves to another address the second time gains an attacker nothing.
 */
export function post(
  { url, headers, body }: Message,
  { allowPrivate, resolve = publicNames, timeout = POST_TIMEOUT, signal }: PostOptions
): Promise<Posted> {
  const target = new URL(url)
  if (!allowPrivate && isIP(hostOf(target)) !== 0 && !isPublicAddress(hostOf(target))) {
    return Promise.resolve(failed(reasons[REFUSED]!))
  }
  return new Promise((settle) => {
    let request: ClientRequest | undefined
    const end = (posted: Posted) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      request?.destroy()
      settle(posted)
    }
    const timer = setTimeout(() => end(failed(`no answer within ${timeout / 1000} s`)), timeout)
    const abort = () => end(failed('the service was stopped'))
    signal?.addEventListener('abort', abort)
    const options = {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'gammawall',
        ...headers
      },
      lookup: allowPrivate ? undefined : checkedLookup(resolve)
    }
    request = (target.protocol === 'https:' ? tlsRequest : plainRequest)(target, options)
    request.on('error', (error: NodeJS.ErrnoException) => end(failed(reasonOf(error))))
    request.on('response', (response) => {
      const posted = postedOf(response.statusCode!)
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_ANSWER) end(posted)
      })
      response.on('end', () => end(posted))
      response.on('error', () => end(posted))
    })
    request.end(body)
  })
}

const failed = (failure: string, status?: number): Posted => ({ delivered: false, status, failure })

function postedOf(status: number): Posted {
  if (status >= 200 && status < 300) return { delivered: true, status, failure: undefined }
  if (status >= 300 && status < 400) return failed(`it answered ${status}: redirects are not followed`, status)
  return failed(`it answered ${status}`, status)
}

function reasonOf({ code = 'unknown' }: NodeJS.ErrnoException): string {
  return reasons[code] ?? `the connection failed (${code})`
}

type LookupFunction = NonNullable<Parameters<typeof plainRequest>[0] & object> extends { lookup?: infer L } ? L : never

/** DNS lookup that refuses a host name if any of its addresses is not public. */
function checkedLookup(resolve: Resolve): LookupFunction {
  return ((host: string, { all, ...options }: LookupOptions, done: (...given: unknown[]) => void) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error)
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(Object.assign(new Error('a private address'), { code: REFUSED }))
      }
      return all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }) as LookupFunction // Node types the callback differently depending on `all`
}

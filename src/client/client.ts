import { type Answered, answered } from './answered.ts'
import type { Endpoints } from './endpoint-types.ts'
import { type Requester, request } from './request.ts'
import { RequestError } from './request-error.ts'
import { addressOf, hostsOf } from './service-hosts.ts'
import { Stream, type StreamOptions } from './stream.ts'
import { platformSocket, type SocketConstructor } from './stream-connection.ts'

export { RequestError as ApiError }

export interface ClientOptions {
  /** Of the REST interface. Default: http://127.0.0.1:8080 */
  readonly url?: string
  /** Undefined: only what needs no key. A page in a browser should hold none and give `ticket` instead. */
  readonly key?: string | undefined
  /** Default: one port above, or the same address where it has no port. */
  readonly replayUrl?: string
  /** Default: two ports above, or the same address where it has no port. */
  readonly streamUrl?: string
  /** A ticket for one connection to the stream, from a server that holds the key. Default: taken with `key`. */
  readonly ticket?: () => Promise<string>
  /** How often a request refused with 429 or 503 is sent again when its Retry-After is over. Default: 2. */
  readonly retries?: number
  /** The longest Retry-After that is waited for, milliseconds. Default: 30,000. */
  readonly longestWait?: number
  readonly fetch?: typeof fetch
  /** Default: that of the platform. Node 20 has none; the package ws has one. */
  readonly WebSocket?: SocketConstructor
  /** For the jitter of reconnecting. */
  readonly random?: () => number
}

type PathOf<Method> = {
  [Path in keyof Endpoints]: Endpoints[Path]['method'] extends Method ? Path : never
}[keyof Endpoints]

export type GetPath = PathOf<'GET'>
export type PostPath = PathOf<'POST'>
export type ParamsOf<Path extends keyof Endpoints> = Endpoints[Path]['params']
export type BodyOf<Path extends PostPath> = Endpoints[Path]['body']
export type AnswerOf<Path extends keyof Endpoints> = Endpoints[Path]['answer']

export interface RequestOptions {
  readonly signal?: AbortSignal
}

/** `at`: a past moment in New York, yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss, where the endpoint can be replayed. */
type GetOptions<Path extends GetPath> = RequestOptions &
  (Endpoints[Path]['replay'] extends true ? { readonly at?: string | undefined } : { readonly at?: undefined })

/** Parameters may be left out where none is required. */
type GetArguments<Path extends GetPath> =
  Record<never, never> extends ParamsOf<Path>
    ? [params?: ParamsOf<Path>, options?: GetOptions<Path>]
    : [params: ParamsOf<Path>, options?: GetOptions<Path>]

export interface Client {
  /** The answer of an endpoint, named by its path as declared: get('/v1/exposure/gex/{symbol}', { symbol: 'SPY' }). */
  get<Path extends GetPath>(path: Path, ...asked: GetArguments<Path>): Promise<AnswerOf<Path>>
  /** The same with what its headers say: how old the data behind it is, whose, and how many requests are left. */
  ask<Path extends GetPath>(path: Path, ...asked: GetArguments<Path>): Promise<Answered<AnswerOf<Path>>>
  post<Path extends PostPath>(path: Path, body: BodyOf<Path>, options?: RequestOptions): Promise<AnswerOf<Path>>
  /** A stream that is not connected yet: the first subscription connects it. */
  stream(options?: StreamOptions): Stream
}

/** How long a ticket is waited for, milliseconds. */
const TICKET_TIMEOUT = 15_000

/** The service as typed calls, in Node and in browsers. Every failure of a request is an ApiError. */
export function createClient(options: ClientOptions = {}): Client {
  const { url = 'http://127.0.0.1:8080', key, retries = 2, longestWait = 30_000, random = Math.random } = options
  const hosts = hostsOf(url, options)
  const requester: Requester = {
    fetch: options.fetch ?? ((...asked) => fetch(...asked)),
    key,
    retries,
    longestWait
  }

  async function ticket(): Promise<string> {
    const address = `${hosts.rest}/v1/stream/ticket`
    const signal = AbortSignal.timeout(TICKET_TIMEOUT)
    const { json } = await request({ ...requester, retries: 0 }, { method: 'POST', address, signal })
    const { ticket } = json as { readonly ticket?: unknown }
    if (typeof ticket !== 'string') throw new RequestError('unreadable', 'the answer holds no ticket', { status: 200 })
    return ticket
  }

  const ask: Client['ask'] = async (path, ...[params = {}, { at, signal } = {}]) => {
    const host = at === undefined ? hosts.rest : hosts.replay
    const address = addressOf(host, path, { ...params, at })
    const { json, headers } = await request(requester, { method: 'GET', address, signal })
    return answered(json as never, headers) // as the endpoint declares
  }

  return {
    ask,
    async get(...asked) {
      return (await ask(...asked)).answer
    },
    async post(path, body, { signal } = {}) {
      const { json } = await request(requester, { method: 'POST', address: hosts.rest + path, body, signal })
      return json as never
    },
    stream(wanted = {}) {
      const WebSocket = options.WebSocket ?? platformSocket()
      return new Stream({ url: hosts.stream, WebSocket, ticket: options.ticket ?? ticket, random }, wanted)
    }
  }
}

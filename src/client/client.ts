import { type Answered, answered } from './answered.ts'
import { platformSocket, type SocketConstructor } from './client-connection.ts'
import type { Endpoints } from './endpoint-types.ts'
import { type Requester, request } from './request.ts'
import { RequestError } from './request-error.ts'
import { addressOf, hostsOf } from './service-hosts.ts'
import { type ClientStreamOptions, Stream } from './stream.ts'

export { csvLine } from '../formats/written-csv.ts'
export type * from './endpoint-types.ts'
export { RequestError as ApiError }

export interface ClientOptions {
  /** Address of the REST API. Default: http://127.0.0.1:8080 */
  readonly url?: string
  /** API key; without one only public endpoints respond. Pages in browsers should use `ticket` instead. */
  readonly key?: string | undefined
  /**
   * Address of the host for historical data. Default: one port above `url`, or the same address if `url` has no port.
   */
  readonly replayUrl?: string
  /** Address of the stream. Default: two ports above `url`, or the same address if `url` has no port. */
  readonly streamUrl?: string
  /**
   * Gets a ticket for one stream connection, typically from your own server, which holds the key. Default: the client
   * requests a ticket with `key`.
   */
  readonly ticket?: () => Promise<string>
  /**
   * Maximum number of retries of a request that is refused with status 429 or 503. Before each retry the client waits
   * for the Retry-After of the response. Default: 2.
   */
  readonly retries?: number
  /** Longest Retry-After that the client waits for, milliseconds. Default: 30,000. */
  readonly longestWait?: number
  readonly fetch?: typeof fetch
  /** WebSocket class. Default: the class of the platform. Node 20 has none; use the class of the package ws there. */
  readonly WebSocket?: SocketConstructor
  /** Random numbers for the jitter of reconnecting. Default: Math.random. */
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

/**
 * Options of a GET request. `at` is a past time in New York, yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss. Only endpoints with
 * historical data have it.
 */
type GetOptions<Path extends GetPath> = RequestOptions &
  (Endpoints[Path]['replay'] extends true ? { readonly at?: string | undefined } : { readonly at?: undefined })

/** Arguments of `get`; the parameters may be omitted if none is required. */
type GetArguments<Path extends GetPath> =
  Record<never, never> extends ParamsOf<Path>
    ? [params?: ParamsOf<Path>, options?: GetOptions<Path>]
    : [params: ParamsOf<Path>, options?: GetOptions<Path>]

export interface Client {
  /** Requests an endpoint by its declared path: get('/v1/exposure/gex/{symbol}', { symbol: 'SPY' }). */
  get<Path extends GetPath>(path: Path, ...asked: GetArguments<Path>): Promise<AnswerOf<Path>>
  /** Like `get`, but also returns the facts in the headers: age and source of the data, requests left. */
  ask<Path extends GetPath>(path: Path, ...asked: GetArguments<Path>): Promise<Answered<AnswerOf<Path>>>
  post<Path extends PostPath>(path: Path, body: BodyOf<Path>, options?: RequestOptions): Promise<AnswerOf<Path>>
  /** Creates a stream, which connects with the first subscription. */
  stream(options?: ClientStreamOptions): Stream
}

/** Time limit for getting a ticket, milliseconds. */
const TICKET_TIMEOUT = 15_000

/** Creates a typed client of a service, for Node and browsers. Every failed request throws an ApiError. */
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
    return answered(json as never, headers) // typed by the declaration of the endpoint
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

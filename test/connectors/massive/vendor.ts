import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { SocketVendor } from '../../support/socket-vendor.ts'

export const KEY = 'sk-test-4711'

/** An answer of the REST interface. */
interface RestAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Message of a client to the stream. */
interface ClientMessage {
  readonly action: string
  readonly params: string
}

/** A local server that behaves like the vendor: a stream of options, and a REST interface. */
export class Vendor extends SocketVendor<ClientMessage> {
  /** Paths of REST requests, and the keys they came with. */
  readonly asked: string[] = []
  readonly keys = new Set<string | undefined>()
  /** Answers by the beginning of a path, the longest that fits. */
  readonly rest = new Map<string, (path: string) => RestAnswer | Promise<RestAnswer>>()
  /** Greeting of a new connection, and the answer to a message, if any. */
  greeting = '[{"ev":"status","status":"connected","message":"Connected Successfully"}]'
  answer: (command: ClientMessage, socket: WebSocket) => string | undefined = ({ action, params }) => {
    if (action === 'auth') return statusFrame(params === KEY ? 'auth_success' : 'auth_failed', 'authenticated')
    return statusFrame('success', `subscribed to: ${params}`)
  }

  constructor() {
    super('/options')
    this.http.on('request', async (request, response) => {
      const { status = 200, headers, body } = await this.#rest(request)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }

  get stream(): string {
    return `ws://${this.host}`
  }

  get url(): string {
    return `http://${this.host}`
  }

  /** Sends a frame to everybody who is connected. */
  tell(frame: string | readonly object[]): void {
    for (const client of this.clients) client.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  protected override greet(socket: WebSocket): void {
    socket.send(this.greeting)
  }

  protected override receive(command: ClientMessage, socket: WebSocket): void {
    const answer = this.answer(command, socket)
    if (answer !== undefined) socket.send(answer)
  }

  async #rest({ url = '', headers }: IncomingMessage): Promise<RestAnswer> {
    this.asked.push(url)
    this.keys.add(headers.authorization)
    const fitting = [...this.rest.keys()].filter((path) => url.startsWith(path)).sort((a, b) => b.length - a.length)
    const find = this.rest.get(fitting[0])
    return find === undefined ? { body: { status: 'OK', results: [] } } : await find(url)
  }
}

export const statusFrame = (status: string, message: string) => JSON.stringify([{ ev: 'status', status, message }])

/** A trade in the stream's format. */
export const tradeEvent = (more: object = {}) => ({
  ev: 'T',
  sym: 'O:SPY260731C00600000',
  x: 302,
  p: 1.5,
  s: 10,
  c: [209],
  t: Date.parse('2026-07-29T16:00:00Z'),
  q: 1,
  ...more
})

/** A contract as the snapshot of a chain lists it, with the time of its last trade in milliseconds. */
export const snapshotRow = (contract: string, lastTrade: number | undefined, volume = 5) => ({
  details: { ticker: `O:${contract}` },
  day: { volume },
  ...(lastTrade === undefined ? {} : { last_trade: { sip_timestamp: 1e6 * lastTrade } })
})

/** A trade in the format of the REST interface. */
export const tradeRow = (time: number, more: object = {}) => ({
  conditions: [209],
  exchange: 302,
  price: 1.5,
  sip_timestamp: 1e6 * time,
  size: 10,
  ...more
})

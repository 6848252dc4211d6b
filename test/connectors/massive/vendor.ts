import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export const KEY = 'sk-test-4711'

/** An answer of the REST interface. */
interface RestAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a client said to the stream. */
interface Said {
  readonly action: string
  readonly params: string
}

/** A server with the manners of the vendor, on this machine: a stream of options, and REST beside it. */
export class Vendor {
  readonly #http = createServer((request, response) =>
    this.#answer(request, (answer) => {
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
  )
  readonly #sockets = new WebSocketServer({ server: this.#http, path: '/options' })
  /** What was said by each connection, in order. */
  readonly said: Said[][] = []
  /** Paths of REST requests, and the keys they came with. */
  readonly asked: string[] = []
  readonly keys = new Set<string | undefined>()
  /** Answers by the beginning of a path, the longest that fits. */
  readonly rest = new Map<string, (path: string) => RestAnswer | Promise<RestAnswer>>()
  /** What a connection is greeted with, and what it is answered. */
  greeting = '[{"ev":"status","status":"connected","message":"Connected Successfully"}]'
  answer: (said: Said, socket: WebSocket) => string | undefined = ({ action, params }) => {
    if (action === 'auth') return statusFrame(params === KEY ? 'auth_success' : 'auth_failed', 'authenticated')
    return statusFrame('success', `subscribed to: ${params}`)
  }
  port = 0

  static async start(): Promise<Vendor> {
    const vendor = new Vendor()
    await new Promise<void>((resolve) => vendor.#http.listen(0, '127.0.0.1', resolve))
    vendor.port = (vendor.#http.address() as AddressInfo).port
    return vendor
  }

  constructor() {
    this.#sockets.on('connection', (socket) => {
      const said: Said[] = []
      this.said.push(said)
      socket.send(this.greeting)
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as Said
        said.push(message)
        const answer = this.answer(message, socket)
        if (answer !== undefined) socket.send(answer)
      })
    })
  }

  get stream(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get clients(): readonly WebSocket[] {
    return [...this.#sockets.clients]
  }

  /** Sends a frame to everybody who is connected. */
  tell(frame: string | readonly object[]): void {
    for (const client of this.clients) client.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** Ends every connection, with a code and words where they are given, else as a line that breaks. */
  cut(code?: number, reason?: string): void {
    for (const client of this.clients) {
      if (code === undefined) client.terminate()
      else client.close(code, reason)
    }
  }

  async close(): Promise<void> {
    this.cut()
    this.#sockets.close()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  async #answer({ url = '', headers }: IncomingMessage, end: (answer: RestAnswer) => void): Promise<void> {
    this.asked.push(url)
    this.keys.add(headers.authorization)
    const fitting = [...this.rest.keys()].filter((path) => url.startsWith(path)).sort((a, b) => b.length - a.length)
    const find = this.rest.get(fitting[0])
    end(find === undefined ? { body: { status: 'OK', results: [] } } : await find(url))
  }
}

export const statusFrame = (status: string, message: string) => JSON.stringify([{ ev: 'status', status, message }])

/** A trade as the stream tells it. */
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

/** A trade as REST tells it. */
export const tradeRow = (time: number, more: object = {}) => ({
  conditions: [209],
  exchange: 302,
  price: 1.5,
  sip_timestamp: 1e6 * time,
  size: 10,
  ...more
})

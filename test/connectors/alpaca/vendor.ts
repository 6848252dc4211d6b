import type { IncomingMessage } from 'node:http'
import { decode, ExtData, ExtensionCodec, encode, encodeTimeSpecToTimestamp } from '@msgpack/msgpack'
import type { WebSocket } from 'ws'
import { type AlpacaSettings, createAlpaca } from '../../../src/connectors/alpaca/alpaca-connector.ts'
import { RestVendor, type VendorConduct, type VendorLimit } from '../../support/rest-vendor.ts'
import { SocketVendor } from '../../support/socket-vendor.ts'

export const KEYS = { key: 'PK-4711', secret: 'sk-hidden-4711' }
/** 12:00 New York, during a session. */
export const noon = Date.parse('2026-07-29T16:00:00Z')

/** A moment as answers write it, nanoseconds after a millisecond. */
export const written = (instant: number, nanoseconds = 0) =>
  new Date(instant).toISOString().replace('Z', `${String(nanoseconds).padStart(6, '0')}Z`)

/** An option of a snapshot, quoted a second before noon and traded ten minutes before it. */
export const option = (more: object = {}) => ({
  latestQuote: { ...{ bp: 2, bs: 10, bx: 'N', ap: 2.1, as: 12, ax: 'W', c: ' ' }, t: written(noon - 1000) },
  latestTrade: { ...{ p: 2.05, s: 3, x: 'C', c: 'I' }, t: written(noon - 600_000) },
  dailyBar: { ...{ o: 2, h: 2.2, l: 1.9, c: 2.05, v: 120, n: 9, vw: 2 }, t: '2026-07-29T04:00:00Z' },
  ...more
})

/** A share, traded two seconds before noon. */
export const share = (more: object = {}) => ({
  symbol: 'SPY',
  latestTrade: { ...{ p: 600.05, s: 100, x: 'V', c: ['@'], i: 1, z: 'B' }, t: written(noon - 2000) },
  latestQuote: { ...{ bp: 600, bs: 1, ap: 600.1, as: 1, ax: 'V', bx: 'V', c: ['R'], z: 'B' }, t: written(noon - 500) },
  dailyBar: { ...{ o: 598, h: 601, l: 597, c: 600.05, v: 3e6, n: 9, vw: 600 }, t: '2026-07-29T04:00:00Z' },
  prevDailyBar: { ...{ o: 590, h: 599, l: 589, c: 597.5, v: 3e6, n: 9, vw: 600 }, t: '2026-07-28T04:00:00Z' },
  ...more
})

/** A contract as the account lists it. */
export const contract = (symbol: string, more: object = {}) => ({
  ...{ id: 'c', symbol, status: 'active', tradable: true, root_symbol: symbol.slice(0, -15), size: '100' },
  ...{ open_interest: '4000', open_interest_date: '2026-07-28', strike_price: '600' },
  ...more
})

export const usualNames = ['SPY260731C00600000', 'SPY260731P00600000', 'SPY260821C00600000']

const pageOf = (fields: object, next: string | null = null) => ({ body: { ...fields, next_page_token: next } })

/** A market of three options of SPY, one to a page. `answers` overrides its answers by the end of their path. */
export const market =
  (answers: Readonly<Record<string, VendorConduct>> = {}, names: readonly string[] = usualNames): VendorConduct =>
  (request) => {
    const { path, query } = request
    const end = path.split('/').slice(-2).join('/')
    const found = Object.keys(answers).find((name) => end.endsWith(name))
    if (found !== undefined) return answers[found](request)
    if (path.startsWith('/v1beta1/options/snapshots/')) {
      const at = Number(query['page_token'] ?? 0)
      const next = at + 1 < names.length ? String(at + 1) : null
      return pageOf({ snapshots: { [names[at]]: option() } }, next)
    }
    if (end === 'options/contracts') return pageOf({ option_contracts: names.map((name) => contract(name)) })
    if (path.endsWith('/snapshot')) return { body: share() }
    if (end === 'stocks/bars') return pageOf({ bars: {} })
    if (end === 'options/trades') return pageOf({ trades: {} })
    return { status: 404 }
  }

/** Headers in which the vendor states its limit. */
export const alpacaLimit = (requests: number, every: number): VendorLimit => ({
  requests,
  every,
  headers: ({ left, endsAt }) => ({
    'X-RateLimit-Limit': String(requests),
    'X-RateLimit-Remaining': String(left),
    'X-RateLimit-Reset': String(Math.ceil(endsAt / 1000))
  })
})

/** A connector that asks a server of the test. */
export async function alpacaOver(
  conduct: VendorConduct = market(),
  more: Partial<AlpacaSettings> = {},
  limit?: VendorLimit
) {
  const vendor = await RestVendor.start(conduct, limit)
  const connect = () =>
    createAlpaca({
      ...KEYS,
      ...{ url: vendor.url, tradingUrl: vendor.url, stream: 'ws://127.0.0.1:9', requestsPerMinute: 1000 },
      ...{ feed: 'indicative', stocks: 'iex', quotes: 0 },
      ...more
    })
  return { vendor, alpaca: connect(), connect }
}

/** Message of a client to the stream. */
interface ClientMessage {
  readonly action: string
  readonly key?: string
  readonly secret?: string
  readonly trades?: readonly string[]
  readonly quotes?: readonly string[]
}

/** A time of the stream: MessagePack writes it as an extension. */
class Time {
  readonly seconds: number
  readonly nanoseconds: number

  constructor(instant: number) {
    this.seconds = Math.floor(instant / 1000)
    this.nanoseconds = Math.round((instant - 1000 * this.seconds) * 1e6)
  }
}

const extensionCodec = new ExtensionCodec()
extensionCodec.register({
  type: -1,
  encode: (value) =>
    value instanceof Time ? encodeTimeSpecToTimestamp({ sec: value.seconds, nsec: value.nanoseconds }) : null,
  decode: (data, type) => new ExtData(type, data)
})

export const frameOf = (messages: unknown) => encode(messages, { extensionCodec })
export const errorFrame = (code: number, msg: string) => frameOf([{ T: 'error', code, msg }])

/** A trade as the stream tells it. */
export const tradeMessage = ({ time = noon, ...more }: { readonly time?: number } & Record<string, unknown> = {}) => ({
  ...{ T: 't', S: usualNames[0], p: 1.5, s: 10, x: 'C', c: 'I', t: new Time(time) },
  ...more
})

/** A quote as the stream tells it. */
export const quoteMessage = ({ time = noon, ...more }: { readonly time?: number } & Record<string, unknown> = {}) => ({
  ...{ T: 'q', S: usualNames[0], bp: 1.4, bs: 5, bx: 'N', ap: 1.6, as: 6, ax: 'N', c: 'A', t: new Time(time) },
  ...more
})

/** A trade as REST tells it. */
export const tradeRow = (time: number, more: object = {}) => ({
  ...{ p: 1.5, s: 10, x: 'C', c: 'I' },
  t: written(time),
  ...more
})

/** The stream of the vendor on this machine. */
export class StreamVendor extends SocketVendor<ClientMessage> {
  readonly paths: (string | undefined)[] = []
  greeting: Uint8Array = frameOf([{ T: 'success', msg: 'connected' }])
  /** Answers a message; undefined: no answer. */
  answer: (command: ClientMessage, socket: WebSocket) => Uint8Array | undefined = ({
    action,
    secret,
    trades,
    quotes
  }) => {
    if (action === 'subscribe') return frameOf([{ T: 'subscription', trades: trades ?? ['*'], quotes: quotes ?? [] }])
    return secret === KEYS.secret ? frameOf([{ T: 'success', msg: 'authenticated' }]) : errorFrame(402, 'auth failed')
  }

  get url(): string {
    return `ws://${this.host}`
  }

  /** Sends messages to everybody who is connected. */
  tell(...messages: readonly unknown[]): void {
    for (const client of this.clients) client.send(frameOf(messages))
  }

  protected override greet(socket: WebSocket, { url }: IncomingMessage): void {
    this.paths.push(url)
    socket.send(this.greeting)
  }

  protected override read(data: Buffer): ClientMessage {
    return decode(data) as ClientMessage
  }

  protected override receive(command: ClientMessage, socket: WebSocket): void {
    const answer = this.answer(command, socket)
    if (answer !== undefined) socket.send(answer)
  }
}

import type { WebSocket } from 'ws'
import { createTastytrade, type TastytradeSettings } from '../../../src/connectors/tastytrade/tastytrade-connector.ts'
import { RestVendor, type VendorConduct } from '../../support/rest-vendor.ts'
import { SocketVendor } from '../../support/socket-vendor.ts'

export const SECRETS = { secret: 'client-hidden-4711', token: 'refresh-hidden-4711' }
export const QUOTE_TOKEN = 'quote-hidden-4711'
/** 12:00 New York, during a session. */
export const noon = Date.parse('2026-07-29T16:00:00Z')

type Event = Readonly<Record<string, unknown>>

/** Events of the symbols that the stream knows, by type of event; event fields by name. */
export type Market = (type: string, symbol: string, fromTime?: number) => Event | readonly Event[] | undefined

const strikes = [590, 600, 610]
const streamerOf = (right: string, strike: number) => `.SPY260731${right}${strike}`

/** A listing of SPY with six contracts, of which one is not in the stream. */
export const listing = (more: object = {}) => ({
  data: {
    items: [
      {
        ...{ 'underlying-symbol': 'SPY', 'root-symbol': 'SPY', 'shares-per-contract': 100 },
        expirations: [
          {
            ...{ 'expiration-date': '2026-07-31', 'settlement-type': 'PM' },
            strikes: strikes.map((strike) => ({
              'strike-price': `${strike}.0`,
              call: `SPY   260731C00${strike}000`,
              'call-streamer-symbol': streamerOf('C', strike),
              put: `SPY   260731P00${strike}000`,
              'put-streamer-symbol': strike === 610 ? '' : streamerOf('P', strike)
            }))
          }
        ],
        ...more
      }
    ]
  }
})

/** SPY at 600.05, and options that traded ten minutes before noon. */
export const market = (type: string, symbol: string): Event | undefined => {
  const isOption = symbol.startsWith('.')
  if (type === 'Quote') {
    const prices = isOption ? { bidPrice: 2, askPrice: 2.1 } : { bidPrice: 600, askPrice: 600.1 }
    return { eventSymbol: symbol, ...prices, bidSize: 10, askSize: 'NaN' }
  }
  if (type === 'Summary') {
    const closes = isOption
      ? { dayClosePrice: 'NaN', prevDayClosePrice: 2 }
      : { dayClosePrice: 'NaN', prevDayClosePrice: 597.5 }
    return { eventSymbol: symbol, openInterest: isOption ? 4000 : 'NaN', ...closes }
  }
  if (type === 'Trade') {
    const figures = isOption
      ? { time: noon - 600_000, price: 2.05, dayVolume: 120 }
      : { time: noon - 2000, price: 600.05, dayVolume: 3e7 }
    return { eventSymbol: symbol, ...figures }
  }
  return undefined
}

/** A sale in the stream's format. */
export const sale = (more: Event = {}): Event => ({
  ...{ eventSymbol: streamerOf('C', 600), time: noon, index: 1, sequence: 0, type: 'NEW', price: 1.5, size: 10 },
  ...{
    exchangeCode: 'C',
    exchangeSaleConditions: 'I',
    bidPrice: 1.4,
    askPrice: 1.6,
    spreadLeg: false,
    extendedTradingHours: false
  },
  ...more
})

/** A day of SPY in the stream's format. */
export const candle = (time: number, more: Event = {}): Event => ({
  ...{ eventSymbol: 'SPY{=d,tho=true}', eventFlags: 0, time, open: 600, high: 604, low: 598, close: 602, volume: 5e7 },
  ...more
})

/** Event for an empty past: its beginning, its end and its removal. */
export const noCandle = (eventSymbol: string): Event => ({
  ...candle(0, { eventSymbol, eventFlags: 14 }),
  ...{ open: 'NaN', high: 'NaN', low: 'NaN', close: 'NaN', volume: 'NaN' }
})

interface Frame {
  readonly channel: number
  readonly type: string
  readonly token?: string
  readonly acceptEventFields?: Readonly<Record<string, readonly string[]>>
  readonly parameters?: { readonly contract: string }
  readonly add?: readonly { readonly type: string; readonly symbol: string; readonly fromTime?: number }[]
  readonly remove?: readonly { readonly type: string; readonly symbol: string }[]
}

/** Settings agreed for a channel. */
interface Channel {
  fields: Readonly<Record<string, readonly string[]>>
  /** Whether the channel's contract includes the past, which comes empty otherwise. */
  hasPast: boolean
}

function dataOf({ fields }: Channel, type: string, events: readonly Event[]) {
  const figures = events.flatMap((event) =>
    (fields[type] ?? []).map((name) => (name === 'eventType' ? type : event[name]))
  )
  return { channel: 1, type: 'FEED_DATA', data: [type, figures] }
}

/** A dxLink server on this machine. */
export class LinkVendor extends SocketVendor<Frame> {
  market: Market = market
  /** The order in which fields are written: not that in which they were asked for. */
  order: (fields: readonly string[]) => readonly string[] = (fields) => ['eventType', ...fields.toReversed()]
  /** Takes the place of an answer; undefined: the usual one. */
  instead: (frame: Frame, socket: WebSocket) => object | 'nothing' | undefined = () => undefined
  readonly #channels = new Map<WebSocket, Channel>()

  get url(): string {
    return `ws://${this.host}`
  }

  /** Symbols of a type that the newest connection has subscribed to and not left. */
  subscribed(type: string): readonly string[] {
    const symbols = new Set<string>()
    for (const { add = [], remove = [] } of this.received.at(-1) ?? []) {
      for (const each of add) if (each.type === type) symbols.add(each.symbol)
      for (const each of remove) if (each.type === type) symbols.delete(each.symbol)
    }
    return [...symbols]
  }

  tell(type: string, ...events: readonly Event[]): void {
    for (const client of this.clients) client.send(JSON.stringify(dataOf(this.#channel(client), type, events)))
  }

  protected override receive(frame: Frame, socket: WebSocket): void {
    const instead = this.instead(frame, socket)
    if (instead === 'nothing') return
    for (const answer of instead === undefined ? this.#answers(frame, socket) : [instead])
      socket.send(JSON.stringify(answer))
  }

  #channel(socket: WebSocket): Channel {
    let channel = this.#channels.get(socket)
    if (channel === undefined) this.#channels.set(socket, (channel = { fields: {}, hasPast: false }))
    return channel
  }

  #answers(
    { channel, type, token, parameters, acceptEventFields, add = [] }: Frame,
    socket: WebSocket
  ): readonly object[] {
    const opened = this.#channel(socket)
    if (type === 'SETUP')
      return [
        { channel, type, keepaliveTimeout: 60 },
        { channel, type: 'AUTH_STATE', state: 'UNAUTHORIZED' }
      ]
    if (type === 'AUTH') {
      if (token === QUOTE_TOKEN) return [{ channel, type: 'AUTH_STATE', state: 'AUTHORIZED' }]
      return [{ channel, type: 'ERROR', error: 'UNAUTHORIZED', message: `no ${token}` }]
    }
    if (type === 'CHANNEL_REQUEST') {
      opened.hasPast = parameters?.contract === 'HISTORY'
      return [{ channel, type: 'CHANNEL_OPENED', service: 'FEED' }]
    }
    if (type === 'FEED_SETUP') {
      const fields = Object.entries(acceptEventFields!).map(([type, names]) => [type, this.order(names)] as const)
      opened.fields = Object.fromEntries(fields)
      return [{ channel, type: 'FEED_CONFIG', dataFormat: 'COMPACT', eventFields: opened.fields }]
    }
    return add.flatMap(({ type, symbol, fromTime }) => {
      const isEmpty = type === 'Candle' && !opened.hasPast
      const events = [isEmpty ? noCandle(symbol) : this.market(type, symbol, fromTime)].flat()
      const known = events.filter((event) => event !== undefined)
      return known.length === 0 ? [] : [dataOf(opened, type, known)]
    })
  }
}

/** REST interface of the vendor. `answers` overrides its answers by path. */
export function restOf(link: LinkVendor, answers: Readonly<Record<string, VendorConduct>> = {}): VendorConduct {
  return (request) => {
    const { path } = request
    const found = Object.keys(answers).find((name) => path.startsWith(name))
    if (found !== undefined) return answers[found](request)
    if (path === '/oauth/token')
      return { body: { access_token: 'access-hidden-4711', token_type: 'Bearer', expires_in: 900 } }
    if (path === '/api-quote-tokens')
      return { body: { data: { token: QUOTE_TOKEN, 'dxlink-url': link.url, level: 'api' } } }
    if (path === '/option-chains/SPY/nested') return { body: listing() }
    return { status: 404 }
  }
}

const quick = {
  opening: 10_000,
  keepalive: 5000,
  silence: 5000,
  chain: 5000,
  quiet: 150,
  firstPause: 20,
  longestPause: 100,
  update: 20
}

/** A connector that asks servers of the test. */
export async function tastytradeOver(
  answers: Readonly<Record<string, VendorConduct>> = {},
  more: Partial<TastytradeSettings> = {}
) {
  const link = await new LinkVendor().start()
  const rest = await RestVendor.start(restOf(link, answers))
  const settings = { ...SECRETS, url: rest.url, most: 5000, ...more, limits: { ...quick, ...more.limits } }
  return { link, rest, tastytrade: createTastytrade(settings) }
}

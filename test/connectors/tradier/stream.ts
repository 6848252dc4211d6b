import { expect } from 'vitest'
import type { WebSocket } from 'ws'
import { createTradier, type TradierSettings } from '../../../src/connectors/tradier/tradier-connector.ts'
import type { Instant, Ticker } from '../../../src/market/units.ts'
import { RestVendor, type VendorConduct } from '../../support/rest-vendor.ts'
import { SocketVendor } from '../../support/socket-vendor.ts'
import { runFeed } from '../run-feed.ts'
import { market, noon, TOKEN, tradierLimit } from './vendor.ts'

/** Message of a client. */
interface ClientMessage {
  readonly symbols: readonly string[]
  readonly sessionid: string
}

/** The stream on this machine: sessions are made by REST, one at a time, and no other is let in. */
export class TimesaleStream extends SocketVendor<ClientMessage> {
  sessions = 0

  get session(): string {
    return `session-${this.sessions}`
  }

  get address(): string {
    return `ws://${this.host}/v1/markets/events`
  }

  /** Begins a session, with which the one before ends. */
  readonly begin: VendorConduct = ({ method }) => {
    if (method !== 'POST') return { status: 405 }
    this.cut(1000, 'another session')
    this.sessions++
    return { body: { stream: { url: 'https://stream.tradier.com/v1/markets/events', sessionid: this.session } } }
  }

  tell(...events: readonly (object | string)[]): void {
    const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
    for (const client of this.clients) client.send(`${lines.join('\n')}\n`)
  }

  protected override receive({ sessionid }: ClientMessage, socket: WebSocket): void {
    if (sessionid !== this.session) socket.send('{"error":"Session not found"}')
  }
}

let numbers = 0

/** A trade in the stream's format: figures are text, and each trade has a unique number. */
export const timesale = (time: Instant, more: object = {}) => ({
  ...{ type: 'timesale', symbol: 'SPY260731C00600000', exch: 'C', bid: '1.40', ask: '1.60', last: '1.50', size: '10' },
  ...{ date: String(time), seq: ++numbers, flag: '', cancel: false, correction: false, session: 'normal' },
  ...more
})

export const SPY = 'SPY' as Ticker
const quick = { opening: 10_000, ping: 5000, pong: 5000, firstPause: 20, longestPause: 100, update: 50 }

/** A market whose sessions are those of a stream. */
export async function streamingMarket(answers: Parameters<typeof market>[0] = {}) {
  const stream = await new TimesaleStream().start()
  const vendor = await RestVendor.start(market({ session: stream.begin, ...answers }), tradierLimit(1000, 60_000))
  return { stream, vendor }
}

/** A feed that listens to a stream of the test. */
export async function listening(
  more: Partial<TradierSettings> = {},
  answers: Parameters<typeof market>[0] = {},
  clock: { now: Instant } = { now: noon }
) {
  const { stream, vendor } = await streamingMarket(answers)
  const settings = { url: `${vendor.url}/v1`, token: TOKEN, requestsPerMinute: 1000, stream: stream.address }
  const feed = createTradier({ ...settings, contracts: 100, ...more, limits: { ...quick, ...more.limits } }).prints!
  return { stream, vendor, feed, ...runFeed(feed, clock) }
}

/** Starts a feed and waits until the subscription is sent. */
export async function subscribed(...given: Parameters<typeof listening>) {
  const all = await listening(...given)
  await expect.poll(() => all.states.length, { interval: 5 }).toBeGreaterThan(0)
  await expect.poll(() => all.stream.received[0]?.length, { interval: 5 }).toBe(1)
  return all
}

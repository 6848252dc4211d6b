import { expect } from 'vitest'
import type { WebSocket } from 'ws'
import { createThetaData, type ThetaDataSettings } from '../../../src/connectors/thetadata/thetadata-connector.ts'
import { easternDate, easternMinutes } from '../../../src/market/eastern.ts'
import type { Instant, Ticker } from '../../../src/market/units.ts'
import { SocketVendor } from '../../support/socket-vendor.ts'
import { runFeed } from '../run-feed.ts'
import { noon } from './vendor.ts'

/** Message of a client. */
interface ClientMessage {
  readonly msg_type: string
  readonly id: number
}

/** The socket of a terminal, on this machine: one client at a time, a word every so often, and the answers of the vendor. */
export class TerminalSocket extends SocketVendor<ClientMessage> {
  readonly #beat: NodeJS.Timeout
  /** Response to a subscription. */
  response = 'SUBSCRIBED'
  isConnected = true
  isMute = false

  constructor(every = 20) {
    super()
    this.#beat = setInterval(() => {
      if (!this.isMute)
        this.tell({ header: { type: 'STATUS', status: this.isConnected ? 'CONNECTED' : 'DISCONNECTED' } })
    }, every)
  }

  get address(): string {
    return `ws://${this.host}/v1/events`
  }

  tell(...frames: readonly (object | string)[]): void {
    for (const client of this.clients) {
      for (const frame of frames) client.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    }
  }

  override close(): Promise<void> {
    clearInterval(this.#beat)
    return super.close()
  }

  protected override greet(socket: WebSocket): void {
    for (const other of this.clients) if (other !== socket) other.close()
  }

  protected override receive({ msg_type, id }: ClientMessage, socket: WebSocket): void {
    if (msg_type === 'STOP') return
    const header = { type: 'REQ_RESPONSE', status: 'CONNECTED', response: this.response, req_id: id }
    socket.send(JSON.stringify({ header }))
  }
}

/** How the stream writes a moment. */
const timed = (time: Instant) => ({
  date: Number(easternDate(time).replaceAll('-', '')),
  ms_of_day: Math.round(easternMinutes(time) * 60_000)
})

const contract = (more: object) => ({
  ...{ security_type: 'OPTION', root: 'SPY', expiration: 20260731, strike: 600_000, right: 'C' },
  ...more
})

/** A trade in the stream's format. */
export const tradeFrame = (time: Instant, more: object = {}, of: object = {}) => ({
  header: { type: 'TRADE', status: 'CONNECTED' },
  contract: contract(of),
  trade: { ...timed(time), sequence: -1_986_932_228, size: 10, condition: 18, price: 1.5, exchange: 6, ...more }
})

/** The quote that the stream sends before a trade. */
export const quoteFrame = (time: Instant, more: object = {}, of: object = {}) => ({
  header: { type: 'QUOTE', status: 'CONNECTED' },
  contract: contract(of),
  quote: { ...timed(time), bid_size: 7, bid: 1.4, bid_condition: 50, ask_size: 7, ask: 1.6, ask_condition: 50, ...more }
})

export const SPY = 'SPY' as Ticker
const quick = { opening: 10_000, silence: 10_000, firstPause: 20, longestPause: 100, past: 5000 }

/** A feed that listens to a terminal of the test. */
export async function listening(
  more: Partial<ThetaDataSettings> = {},
  prepare: (terminal: TerminalSocket) => void = () => {}
) {
  const terminal = await new TerminalSocket().start()
  prepare(terminal)
  const limits = { ...quick, ...more.limits }
  const settings = { url: 'http://127.0.0.1:9/v3', plan: 'pro', stream: terminal.address } as const
  const feed = createThetaData({ ...settings, ...more, limits }).prints!
  return { terminal, feed, ...runFeed(feed, { now: noon }) }
}

/** Starts a feed and waits until it is subscribed. */
export async function subscribed(...given: Parameters<typeof listening>) {
  const all = await listening(...given)
  await expect.poll(() => all.states.length, { interval: 5 }).toBeGreaterThan(0)
  return all
}

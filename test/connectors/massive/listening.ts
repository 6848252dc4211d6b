import { expect, onTestFinished } from 'vitest'
import { createMassive, type MassiveSettings } from '../../../src/connectors/massive/connector.ts'
import type { PrintSink, TapeMessage } from '../../../src/connectors/port/prints.ts'
import type { Instant, Ticker } from '../../../src/market/units.ts'
import { KEY, Vendor } from './vendor.ts'

export const SPY = 'SPY' as Ticker
/** Noon of a session. */
export const noon = Date.parse('2026-07-29T16:00:00Z')

/** Times of the stream that a test can wait for. */
const quick = { opening: 500, ping: 5000, pong: 5000, silence: 5000, firstPause: 20, longestPause: 100, past: 5000 }

export interface Listening {
  readonly vendor: Vendor
  readonly told: TapeMessage[]
  readonly states: Parameters<PrintSink['state']>[0][]
  readonly refused: string[]
  readonly interruptions: string[]
  /** The clock of the market. */
  readonly clock: { now: Instant }
  readonly wanted: Ticker[]
  readonly feed: NonNullable<ReturnType<typeof createMassive>['prints']>
  /** Ends it; what the run resolved with or was rejected with. */
  stop(): Promise<unknown>
  readonly ended: Promise<unknown>
}

/** A feed that listens to a vendor of the test. */
export async function listening(
  more: Partial<MassiveSettings> = {},
  prepare: (vendor: Vendor) => void = () => {}
): Promise<Listening> {
  const vendor = await new Vendor().start()
  prepare(vendor)
  const limits = { ...quick, ...more.limits }
  const settings = { key: KEY, stream: vendor.stream, url: vendor.url, delay: 0, quotes: 0, requestsPerSecond: 100 }
  const feed = createMassive({ ...settings, ...more, limits }).prints!
  const stop = new AbortController()
  const [told, states, refused, interruptions]: [TapeMessage[], Listening['states'], string[], string[]] = [
    [],
    [],
    [],
    []
  ]
  const clock = { now: noon }
  const wanted = [SPY]
  const sink: PrintSink = {
    messages: (batch) => void told.push(...batch),
    state: (state) => void states.push(state),
    refused: (reason, symbol) => void refused.push(symbol === undefined ? reason : `${symbol}: ${reason}`),
    interrupted: (reason) => void interruptions.push(reason)
  }
  const all: Listening = {
    vendor,
    told,
    states,
    refused,
    interruptions,
    clock,
    wanted,
    feed,
    stop() {
      stop.abort()
      return all.ended
    },
    ended: feed
      .run(
        () => wanted,
        sink,
        stop.signal,
        () => clock.now
      )
      .then(
        () => undefined,
        (error: unknown) => error
      )
  }
  onTestFinished(async () => {
    await all.stop()
  })
  return all
}

/** The same once the vendor has answered the subscription. */
export async function subscribed(
  more: Partial<MassiveSettings> = {},
  prepare: (vendor: Vendor) => void = () => {}
): Promise<Listening> {
  const all = await listening(more, prepare)
  await expect.poll(() => all.states.length, { interval: 5 }).toBeGreaterThan(0)
  return all
}

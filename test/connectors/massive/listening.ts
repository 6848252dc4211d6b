import { expect } from 'vitest'
import { createMassive, type MassiveSettings } from '../../../src/connectors/massive/massive-connector.ts'
import type { Instant, Ticker } from '../../../src/market/units.ts'
import { runFeed } from '../run-feed.ts'
import { KEY, Vendor } from './vendor.ts'

export const SPY = 'SPY' as Ticker
/** Noon of a session. */
export const noon = Date.parse('2026-07-29T16:00:00Z')

/** Times of the stream that a test can wait for. */
const quick = { opening: 10_000, ping: 5000, pong: 5000, silence: 5000, firstPause: 20, longestPause: 100, past: 5000 }

/** A feed that listens to a vendor of the test. */
export async function listening(
  more: Partial<MassiveSettings> = {},
  prepare: (vendor: Vendor) => void = () => {},
  clock: { now: Instant } = { now: noon }
) {
  const vendor = await new Vendor().start()
  prepare(vendor)
  const limits = { ...quick, ...more.limits }
  const settings = { key: KEY, stream: vendor.stream, url: vendor.url, delay: 0, quotes: 0, requestsPerSecond: 100 }
  const feed = createMassive({ ...settings, ...more, limits }).prints!
  return { vendor, feed, ...runFeed(feed, clock) }
}

/** Starts a feed and waits until the vendor has answered the subscription. */
export async function subscribed(...given: Parameters<typeof listening>) {
  const all = await listening(...given)
  await expect.poll(() => all.states.length, { interval: 5 }).toBeGreaterThan(0)
  return all
}

import { expect, test } from 'vitest'
import type { TapeMessage } from '../../../src/connectors/port/prints/print-feed.ts'
import { createThetaData } from '../../../src/connectors/thetadata/thetadata-connector.ts'
import type { Instant, Ticker } from '../../../src/market/units.ts'
import { RestVendor, type VendorConduct } from '../../support/rest-vendor.ts'
import { noon, tradesIn } from './vendor.ts'

const { signal } = new AbortController()
const SPY = 'SPY' as Ticker
const MINUTE = 60_000

async function pastOf(conduct: VendorConduct, from: Instant, to: Instant, symbol = SPY, past = 120_000) {
  const vendor = await RestVendor.start(conduct)
  const settings = { url: `${vendor.url}/v3`, plan: 'pro', stream: 'ws://127.0.0.1:9', times: { again: 5 } } as const
  const feed = createThetaData({ ...settings, limits: { past } }).prints!
  const refused: string[] = []
  const stop = new AbortController()
  const sink = { messages: () => {}, state: () => {}, interrupted: () => {} }
  const running = feed.run(
    () => [],
    { ...sink, refused: (reason) => refused.push(reason) },
    stop.signal,
    () => noon
  )
  const received: TapeMessage[] = []
  const read = async () => {
    for await (const batch of feed.past!(symbol, from, to, signal)) received.push(...batch)
  }
  const error: unknown = await read().then(
    () => undefined,
    (reason) => reason
  )
  stop.abort()
  await running
  return { vendor, received, refused, error }
}

const timesOf = (messages: readonly TapeMessage[]) =>
  messages.map((message) => ('print' in message ? message.print.time : 0))

test('what was traded is read a part of the day after the other, by time, each with its quote', async () => {
  const times = Array.from({ length: 40 }, (_, k) => noon + k * MINUTE)
  const { received, vendor } = await pastOf(
    (request) =>
      tradesIn(
        times.map((time) => ({ time })),
        request
      ),
    noon + 5 * MINUTE,
    noon + 35 * MINUTE
  )
  expect(timesOf(received)).toEqual(times.slice(5, 35))
  expect(received[0]).toMatchObject({
    print: { price: 1.5, size: 10, exchange: 6, flags: 0, quote: { bid: 1.4, ask: 1.6, time: noon + 5 * MINUTE - 20 } }
  })
  expect(vendor.asked.map(({ query }) => [query['date'], query['start_time'], query['end_time']])).toEqual([
    ['20260729', '12:05:00.000', '12:14:59.999'],
    ['20260729', '12:15:00.000', '12:29:59.999'],
    ['20260729', '12:30:00.000', '12:34:59.999']
  ])
  expect(vendor.asked[0].query).toMatchObject({ symbol: 'SPY', expiration: '*', exclusive: 'true' })
})

test('of an index all roots are read, and of days without a session nothing is asked', async () => {
  const friday = Date.parse('2026-07-24T23:00:00Z')
  const monday = Date.parse('2026-07-27T13:31:00Z')
  const trades = [
    { time: monday - 30_000, occ: 'SPXW260731C06000000' },
    { time: monday - 45_000, occ: 'SPX260821C06000000' },
    { time: friday + 1000, occ: 'SPX260821C06000000' }
  ]
  const { received, vendor } = await pastOf((request) => tradesIn(trades, request), friday, monday, 'SPX' as Ticker)
  expect(timesOf(received)).toEqual([friday + 1000, monday - 45_000, monday - 30_000])
  expect(new Set(vendor.asked.map(({ query }) => query['date']))).toEqual(new Set(['20260724', '20260727']))
  expect(vendor.asked).toHaveLength(6)
})

test('cancels take back, and what cannot be a print is refused', async () => {
  const trades = [
    { time: noon },
    { time: noon + 1, condition: 41 },
    { time: noon + 2, condition: 147 },
    { time: noon + 3, condition: 146 },
    { time: noon + 4, size: 0 },
    { time: noon + 5, price: 0 }
  ]
  const { received, refused } = await pastOf((request) => tradesIn(trades, request), noon, noon + 1000)
  expect(received.map((message) => Object.keys(message)[0])).toEqual(['print', 'cancel'])
  expect(refused).toEqual([
    'a compression at closing prices',
    'the unknown sale condition 146',
    'a trade without a size (size)',
    'a trade without a price (price)'
  ])
})

test('a plan without it, or a reading that takes too long, is a fault', async () => {
  const refused = await pastOf(() => ({ status: 471 }), noon, noon + 1000)
  expect(refused.error).toMatchObject({ fault: 'refused', message: expect.stringMatching(/471/) })
  const slow = await pastOf(() => new Promise(() => {}), noon, noon + 1000, SPY, 60)
  expect(slow.error).toMatchObject({ fault: 'timeout', message: 'what SPY traded could not be read within 0.06 s' })
})

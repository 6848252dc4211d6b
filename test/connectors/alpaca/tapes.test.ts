import { expect, test } from 'vitest'
import { createAlpaca } from '../../../src/connectors/alpaca/alpaca-connector.ts'
import { AFTER_GAP } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { RestVendor, type VendorConduct } from '../../support/rest-vendor.ts'
import { keepTapes } from '../keep-tapes.ts'
import {
  alpacaLimit,
  KEYS,
  market,
  noon,
  option,
  StreamVendor,
  tradeMessage,
  tradeRow,
  usualNames,
  written
} from './vendor.ts'

const SPY = 'SPY' as Ticker
const soon = { interval: 20 }

/** Something that was traded: when, how much, under which condition. */
interface Traded {
  readonly time: number
  readonly s: number
  readonly c: string
}

/** Tapes over a vendor whose market began at noon when the test did. */
async function tapesOf(answers: Readonly<Record<string, VendorConduct>>, keys = KEYS) {
  const stream = await new StreamVendor().start()
  const limit = alpacaLimit(200, 60_000)
  const rest = await RestVendor.start(market(answers), limit)
  const addresses = { url: rest.url, tradingUrl: rest.url, stream: stream.url }
  const { prints } = createAlpaca({
    ...keys,
    ...addresses,
    ...{ feed: 'opra', stocks: 'iex', quotes: 0, requestsPerMinute: 200 },
    limits: { firstPause: 300, longestPause: 300 }
  })
  return { stream, rest, ...keepTapes(prints, noon) }
}

/**
 * One session: it breaks in the middle, some trades are repeated afterwards, and some frames arrive in the wrong order.
 */
async function session() {
  /** Everything that was traded; the past of the vendor has it all. */
  const traded: Traded[] = []
  const { stream, rest, keeper, now, troubles, shown, sizes } = await tapesOf({
    'snapshots/SPY': () => {
      const newest = { ...option().latestTrade, t: written(traded.at(-1)?.time ?? noon - 1e6) }
      return { body: { snapshots: { [usualNames[0]]: option({ latestTrade: newest }) }, next_page_token: null } }
    },
    'options/trades': ({ query }) => {
      const [from, to] = [Date.parse(query['start']), Date.parse(query['end'])]
      const within = traded.filter(({ time }) => time >= from && time <= to)
      const rows = within.map(({ time, s, c }) => tradeRow(time, { s, c }))
      const at = Number(query['page_token'] ?? 0)
      const next = at + 2 < rows.length ? String(at + 2) : null
      return { body: { trades: { [usualNames[0]]: rows.slice(at, at + 2) }, next_page_token: next } }
    }
  })
  let last = noon
  const made = (s: number, c = 'I') => {
    last = Math.max(now(), last + 1)
    const each = { time: last, s, c }
    traded.push(each)
    return each
  }
  const trade = (s: number, c?: string) => {
    const each = made(s, c)
    stream.tell(tradeMessage({ ...each }))
    return each
  }
  trade(1) // before anybody listens
  keeper.keep(SPY)
  await expect.poll(() => stream.received[0]?.length, soon).toBe(2)
  trade(2)
  const early = trade(2)
  await expect.poll(sizes, soon).toEqual([1, 2, 2])
  stream.cut()
  trade(3)
  const lost = trade(4, 'S')
  await expect.poll(() => stream.received.length, soon).toBe(2)
  await expect.poll(() => stream.received[1].length, soon).toBe(2)
  // After a break the vendor repeats earlier messages.
  stream.tell(tradeMessage({ ...early }), tradeMessage({ ...lost }))
  trade(5)
  await expect.poll(sizes, soon).toEqual([1, 2, 2, 3, 4, 5])
  const [earlier, later] = [made(6), made(7)]
  stream.tell(tradeMessage({ ...later }))
  stream.tell(tradeMessage({ ...earlier }))
  await expect.poll(sizes, soon).toEqual([1, 2, 2, 3, 4, 5, 7, 6])
  trade(4, 'A')
  trade(8)
  await expect.poll(sizes, soon).toEqual([1, 2, 2, 3, 5, 7, 6, 8]) // the cancel takes the sweep of 4 back
  const { flags } = await shown()
  await keeper.close()
  return { sizes: await sizes(), flags, troubles: troubles.map(({ kind }) => kind), beyond: rest.beyond }
}

test('a session with breaks and repeats is the same tape each time, without a gap, within the limit', {
  timeout: 180_000
}, async () => {
  const first = await session()
  expect(first).toEqual({
    sizes: [1, 2, 2, 3, 5, 7, 6, 8],
    flags: first.flags.map((flag) => flag & ~AFTER_GAP),
    troubles: ['feed_interrupted'],
    beyond: 0
  })
  expect(await session()).toEqual(first)
})

test('a hole that cannot be closed is a gap on the tape, and the operator hears of it', {
  timeout: 180_000
}, async () => {
  const { stream, keeper, now, troubles, shown } = await tapesOf({ 'snapshots/SPY': () => ({ status: 403 }) })
  keeper.keep(SPY)
  await expect.poll(() => stream.received[0]?.length, soon).toBe(2)
  stream.tell(tradeMessage({ time: now() }))
  await expect.poll(async () => (await shown()).flags, soon).toEqual([AFTER_GAP])
  expect(troubles.find(({ kind }) => kind === 'past_failed')).toMatchObject({
    message: expect.stringMatching(/^Alpaca refuses with status 403: /)
  })
})

test('keys that are refused are told once for each attempt, and are in no sentence', async () => {
  const wrong = { key: 'PK-wrong', secret: 'sk-wrong-8080' }
  const { keeper, troubles } = await tapesOf({ 'snapshots/SPY': () => ({ status: 401 }) }, wrong)
  keeper.keep(SPY)
  await expect.poll(() => troubles.filter(({ kind }) => kind === 'feed_failed').length, soon).toBeGreaterThan(1)
  expect(JSON.stringify(troubles)).not.toMatch(/sk-wrong-8080|PK-wrong/)
  expect(JSON.stringify(troubles)).toContain('GAMMAWALL_ALPACA_SECRET')
})

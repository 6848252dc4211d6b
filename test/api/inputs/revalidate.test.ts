import Type from 'typebox'
import { expect, test, vi } from 'vitest'
import { endpoint } from '../../../src/api/endpoint.ts'
import { apiError } from '../../../src/api/error.ts'
import { isCurrent, loadIfReady } from '../../../src/api/inputs/revalidate.ts'
import type { MarketSource } from '../../../src/api/market-source.ts'
import { symbolInPath } from '../../../src/api/params.ts'
import type { Ticker } from '../../../src/market/units.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { eastern } from '../../support/hand-made.ts'
import { handMade } from '../../support/markets.ts'

const symbol = 'TEST' as Ticker
const declared = endpoint({
  id: 'test.recall',
  path: '/v1/test/{symbol}',
  tag: 'test',
  summary: 'Reads a chain, bars and the VIX',
  plan: 'free',
  needs: ['chain', 'bars', 'vix'],
  params: { symbol: symbolInPath() },
  replay: false,
  stream: false,
  response: Type.Object({}),
  answer: () => ({})
})

/** A market whose parts the test replaces one by one. */
function market() {
  const found = {
    now: eastern('2026-07-29', '11:00'),
    chain: handMade('one expiration').chain as PricedChain | undefined | Promise<never>,
    vix: undefined as PricedChain | undefined,
    bars: [] as never[]
  }
  const source: MarketSource = {
    now: () => found.now,
    chain: (asked) => (asked === symbol ? found.chain : found.vix),
    underlying: (asked) => (asked === symbol ? found.chain : found.vix),
    closing: () => undefined,
    bars: () => found.bars,
    records: () => [],
    view: () => undefined,
    pastViews: () => [],
    isTaped: () => false,
    lastKnown: () => undefined,
    delayOf: () => 0,
    earlier: () => undefined,
    provenanceOf: () => ({ name: 'recorded', pace: 60_000 }),
    quality: () => undefined,
    windowTotals: () => undefined,
    reports: () => undefined,
    earnings: () => undefined,
    earningsCalendar: () => undefined,
    strikes: () => undefined,
    newestSamples: () => [],
    figures: () => undefined,
    clock: (step) => step * Math.floor(found.now / step),
    catalogue: () => ({ tickers: [], asked: [], lastUpdated: undefined, held: [], universe: [] }),
    screened: () => ({ now: 0, rows: [], presets: {} }),
    isStale: () => false
  }
  const asking = { source, maxAge: 1000, keyless: false }
  const recalled = loadIfReady(declared, { symbol }, asking)!
  const holds = (more = {}) => isCurrent(recalled, declared, { symbol }, { ...asking, ...more })
  return { found, asking, recalled, holds }
}

test('holds while every place gives the same thing, whatever the time of day', () => {
  const { found, recalled, holds } = market()
  expect(recalled.chains.map((chain) => chain.symbol)).toEqual([symbol])
  expect(holds()).toBe(true)
  found.now += 60_000
  expect(holds()).toBe(true)
})

test.each([
  ['the chain', { chain: handMade('after the close').chain }],
  ['the chain, which is gone', { chain: undefined }],
  ['the bars', { bars: [] as never[] }],
  ['the VIX, which was not quoted before', { vix: handMade('all puts').chain }],
  ['the date', { now: eastern('2026-07-30', '11:00') }]
])('ends with a change of %s', (_, change) => {
  const { found, holds } = market()
  Object.assign(found, change)
  expect(holds()).toBe(false)
})

test('ends with an answer that had to do without the VIX, which its source could not give', () => {
  const { found, asking } = market()
  const source: MarketSource = {
    ...asking.source,
    chain: (wanted, maxAge) => {
      if (wanted !== symbol && found.vix === undefined) throw apiError('source_unavailable')
      return asking.source.chain(wanted, maxAge)
    }
  }
  const recalled = loadIfReady(declared, { symbol }, { ...asking, source })!
  found.vix = handMade('all puts').chain
  expect(isCurrent(recalled, declared, { symbol }, { ...asking, source })).toBe(false)
})

test('holds for the freshness it was loaded for and no other', () => {
  const { holds } = market()
  expect(holds({ maxAge: 15_000 })).toBe(false)
})

test('ends while the chain is being renewed, and leaves its failure to whoever waits', async () => {
  const { found, holds, asking } = market()
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  found.chain = Promise.reject(new Error('the source is gone'))
  expect(holds()).toBe(false)
  expect(loadIfReady(declared, { symbol }, asking)).toBeUndefined()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

import Type from 'typebox'
import { describe, expect, test, vi } from 'vitest'
import { endpoint } from '../../../src/api/endpoint.ts'
import { apiError } from '../../../src/api/error.ts'
import { inputsStand, loadInputs, readInputs } from '../../../src/api/inputs/load.ts'
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
    bandErrors: () => [],
    strikes: () => undefined,
    minutePrices: () => [],
    newestSamples: () => [],
    figures: () => undefined,
    clock: (step) => step * Math.floor(found.now / step),
    catalogue: () => ({ tickers: [], asked: [], lastUpdated: undefined, held: [], universe: [] }),
    screened: () => ({ now: 0, rows: [], missing: [], presets: {} }),
    pastPressure: () => [],
    customers: () => [],
    isStale: () => false
  }
  const asking = { source, maxAge: 1000, keyless: false }
  const recalled = readInputs(declared, { symbol }, asking)!
  const holds = () => inputsStand(recalled.readings, declared, { symbol }, asking)
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
  const { readings } = readInputs(declared, { symbol }, { ...asking, source })!
  found.vix = handMade('all puts').chain
  expect(inputsStand(readings, declared, { symbol }, { ...asking, source })).toBe(false)
})

test('ends while the chain is being renewed, and leaves its failure to whoever waits', async () => {
  const { found, holds, asking } = market()
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  found.chain = Promise.reject(new Error('the source is gone'))
  expect(holds()).toBe(false)
  expect(readInputs(declared, { symbol }, asking)).toBeUndefined()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe('inputs that must be loaded', () => {
  /** A source that answers everything later, and tells what it was asked in which turn. */
  function later() {
    const { asking, found } = market()
    const turns: string[][] = [[]]
    const waiting: (() => void)[] = []
    const soon =
      <Asked extends readonly unknown[], Found>(name: string, read: (...asked: Asked) => Found) =>
      (...asked: Asked) => {
        turns.at(-1)!.push(`${name} ${asked[0]}`)
        return new Promise<Awaited<Found>>((resolve, reject) =>
          waiting.push(() => {
            try {
              resolve(read(...asked) as Awaited<Found>)
            } catch (error) {
              reject(error)
            }
          })
        )
      }
    const { source } = asking
    const slow = { ...source, chain: soon('chain', source.chain), bars: soon('bars', source.bars) } as MarketSource
    const next = async () => {
      turns.push([])
      for (const run of waiting.splice(0)) run()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { asking: { ...asking, source: slow }, found, turns, next, waiting }
  }

  test('are asked for once each, the subject first and the others at the same time', async () => {
    const { asking, turns, next } = later()
    const loading = loadInputs(declared, { symbol }, asking)
    await next()
    await next()
    const loaded = await loading
    expect(turns).toEqual([[`chain ${symbol}`], [`bars ${symbol}`, 'chain VIX'], []])
    expect(loaded.inputs).toEqual(readInputs(declared, { symbol }, market().asking)!.inputs)
    expect(loaded.readings.facts.map(({ reading }) => reading)).toEqual(['chain', 'bars', 'chain'])
  })

  test('are asked for once each, those too that an object names, which every attempt to find them makes anew', async () => {
    const { asking } = market()
    const views: unknown[] = []
    const open: (() => void)[] = []
    const source = {
      ...asking.source,
      view: (request: unknown) => {
        views.push(request)
        return Promise.resolve({ source: 'recorded', silent: false })
      },
      bars: () => new Promise((resolve) => open.push(() => resolve([])))
    } as unknown as MarketSource
    const needs = ['chain', 'optionTotals', 'stockTotals', 'bars'] as const
    const loading = loadInputs({ ...declared, needs }, { symbol }, { ...asking, source })
    await new Promise((resolve) => setImmediate(resolve))
    expect(open).toHaveLength(1)
    open[0]!()
    await loading
    expect(views).toEqual([
      { symbol, kind: 'option', view: 'totals' },
      { symbol, kind: 'stock', view: 'totals' }
    ])
  })

  test('are asked for as soon as what they depend on is there, whatever else is still being loaded', async () => {
    const { asking, found } = market()
    const asked: string[] = []
    let open = () => {}
    const source: MarketSource = {
      ...asking.source,
      chain: (wanted) =>
        wanted === symbol ? found.chain : new Promise((resolve) => (open = () => resolve(undefined))),
      bars: async () => [],
      closing: async (wanted) => {
        asked.push(`closing ${wanted}`)
        return undefined
      }
    }
    const loading = loadInputs(
      { ...declared, needs: ['chain', 'previousClose', 'vix'] },
      { symbol },
      { ...asking, source }
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([`closing ${symbol}`])
    open()
    expect((await loading).inputs).toMatchObject({ previousClose: undefined, vix: undefined })
  })

  test('fail as soon as one of them does, unless the answer can do without it', async () => {
    const { asking, turns, next } = later()
    const { source } = asking
    const failing: MarketSource = { ...source, bars: () => Promise.reject(new Error('no bars')) }
    const loading = loadInputs(declared, { symbol }, { ...asking, source: failing })
    loading.catch(() => {})
    await next()
    await expect(loading).rejects.toThrow('no bars')
    expect(turns.flat()).toEqual([`chain ${symbol}`, 'chain VIX'])
  })

  test('are not loaded on once the deadline of the request has passed', async () => {
    const { asking, turns, next } = later()
    const left = [0]
    const loading = loadInputs(declared, { symbol }, { ...asking, deadline: { left: () => left[0]! } })
    loading.catch(() => {})
    await next()
    await expect(loading).rejects.toMatchObject({ code: 'overloaded' })
    expect(turns.flat()).toEqual([`chain ${symbol}`])
  })
})

import { describe, expect, test } from 'vitest'
import { LiveMarket } from '../../../src/live/live-market.ts'
import { MarketEventBus } from '../../../src/live/market-events.ts'
import { session } from '../../../src/market/calendar.ts'
import type { Chain } from '../../../src/market/chain.ts'
import { PAR_YIELDS, seriesBar } from '../../../src/market/macro-series.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { flatRate, type RateCurve, ratesIndexOf } from '../../../src/pricing/assumptions.ts'
import { priceChain } from '../../../src/pricing/price-chain.ts'
import { impliedRates } from '../../../src/pricing/rates/implied-rates.ts'
import { zeroCurve } from '../../../src/pricing/rates/par-yields.ts'
import { ArchiveReader } from '../../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../../src/replay/replay-market.ts'
import { engineWith } from '../../support/engine-with.ts'
import { ladder, sketched } from '../../support/hand-made.ts'
import { madeUpAssumptions } from '../../support/made-up.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { clockAt, scriptedSource } from '../../support/scripted-source.ts'
import { alpha, minute, settled, ticker } from '../standing-market.ts'

const [spx, ko] = [ticker('SPX'), ticker('KO')]
const [tuesday, wednesday] = ['2026-07-28', '2026-07-29'] as unknown as readonly IsoDate[]
const series = [
  { date: '2026-09-18', strikes: ladder(4000, 6000, 50) },
  { date: '2027-06-18', strikes: ladder(4000, 6000, 50) }
]
const index = sketched({ symbol: 'SPX', date: tuesday, time: '16:00', spot: 5000, series })
const share = (date: string, time: string) =>
  sketched({ symbol: 'KO', date, time, spot: 70, series: [{ date: '2026-12-18', strikes: ladder(60, 80, 5) }] })
const snapshotOf = (chain: Chain) => ({ chain, fidelity: 'recorded' as const, missing: [] })

/** An engine that records which chains it prices with which rates. */
function engine() {
  const repriced: { readonly symbol: Ticker; readonly rates: RateCurve | undefined }[] = []
  const asked: IsoDate[] = []
  const price = (chain: Chain, rates: RateCurve | undefined) => {
    repriced.push({ symbol: chain.symbol, rates })
    return priceChain(chain, { ...madeUpAssumptions, rates })
  }
  const tasks = engineWith({
    loadChain: async ({ symbol, now, rates }) => price({ ...share(wednesday, '11:00'), symbol, asOf: now }, rates),
    restoreChain: async ({ snapshot, rates }) => price({ ...(snapshot.packed as Chain), asOf: snapshot.asOf }, rates),
    readImpliedRates: async ({ session: date, snapshot }) => {
      asked.push(date)
      return snapshot && impliedRates(snapshot.packed as Chain)
    }
  })
  return { tasks, repriced, asked }
}

const expected = impliedRates(index)!

describe('what money costs, where nobody says it,', () => {
  test('is known of the index only', () => {
    expect(ratesIndexOf(madeUpAssumptions)).toBe('SPX')
    expect(ratesIndexOf({ ...madeUpAssumptions, rates: flatRate(0.04) })).toBeUndefined()
  })

  test('is what the index implied at the close before: live', async () => {
    const { tasks, repriced, asked } = engine()
    const clock = clockAt(session(wednesday)!.open + 90 * minute)
    const archive = memoryStore({ snapshots: [snapshotOf(index)], bars: [], records: [], dividends: [] })
    const live = new LiveMarket({
      engine: tasks,
      source: scriptedSource(),
      archive,
      universe: [],
      marketNow: clock.now,
      wallNow: clock.now,
      ratesIndex: spx
    })
    expect(live.ratesFrom()).toBe('default')
    await live.chain(ko, alpha)
    expect(live.ratesFrom()).toBe('implied')
    clock.pass(minute)
    await live.chain(ko, alpha)
    await settled()
    expect(repriced).toEqual([
      { symbol: ko, rates: expected },
      { symbol: ko, rates: expected }
    ])
    expect(asked).toEqual([tuesday]) // once for the day
  })

  test.each([
    ['an exchange', scriptedSource().pace],
    ['a recording, which is asked once a day', 24 * 60 * minute]
  ])('is taken up by a chain of %s that was priced while the close was still being read, though nothing is newer', async (_, pace) => {
    const { tasks, repriced } = engine()
    const opened = session(wednesday)!.open
    const clock = clockAt(opened + 90 * minute)
    const store = memoryStore({ snapshots: [snapshotOf(index)], bars: [], records: [], dividends: [] })
    let arrive = () => {}
    const closeIsThere = new Promise<void>((resolve) => (arrive = resolve))
    const archive = {
      ...store,
      closingSnapshot: async (...asked: Parameters<typeof store.closingSnapshot>) => {
        await closeIsThere
        return store.closingSnapshot(...asked)
      }
    }
    const live = new LiveMarket({
      engine: tasks,
      source: { ...scriptedSource(), pace, latest: () => clock.at - minute * 90 },
      archive,
      universe: [],
      marketNow: () => opened + 90 * minute,
      wallNow: clock.now,
      ratesIndex: spx,
      // The two seconds that chains wait for rates are over at once; a source is waited for longer.
      after: (milliseconds, run) => {
        if (milliseconds <= 2000) run()
        return () => {}
      }
    })
    const ask = async () => {
      clock.pass(minute)
      await live.chain(ko, alpha)
      await settled()
    }
    await ask()
    await ask()
    expect(repriced.map(({ rates }) => rates)).toEqual([undefined])
    arrive()
    await settled()
    await ask()
    await ask()
    expect(repriced.map(({ rates }) => rates)).toEqual([undefined, expected])
  })

  test.each([
    ['of this service', true],
    ['of another program', false]
  ])('is taken up within a minute where its close arrives by an import %s', async (_, isTold) => {
    const { tasks, repriced } = engine()
    const opened = session(wednesday)!.open
    const clock = clockAt(opened + 90 * minute)
    const store = memoryStore({ snapshots: [], bars: [], records: [], dividends: [] })
    const events = new MarketEventBus()
    const live = new LiveMarket({
      engine: tasks,
      source: { ...scriptedSource(), latest: () => opened },
      archive: store,
      universe: [],
      marketNow: () => opened + 90 * minute,
      wallNow: clock.now,
      events,
      ratesIndex: spx
    })
    const ask = async () => {
      clock.pass(minute / 2)
      await live.chain(ko, alpha)
      await settled()
    }
    await ask()
    await ask()
    expect(repriced.map(({ rates }) => rates)).toEqual([undefined])
    expect(live.ratesFrom()).toBe('default')
    await store.writeSnapshots([snapshotOf(index)])
    if (isTold) events.emit('daysWritten', { symbol: spx, written: 'snapshots' })
    await ask()
    await ask()
    expect(repriced.map(({ rates }) => rates)).toEqual([undefined, expected])
    expect(live.ratesFrom()).toBe('implied')
  })

  test('is taken up in the evening where an import replaces a close that was read before', async () => {
    const { tasks, repriced } = engine()
    const closed = session(wednesday)!.close
    const clock = clockAt(closed + 90 * minute)
    const other = sketched({ symbol: 'SPX', date: tuesday, time: '16:00', spot: 5020, series })
    const replaced = impliedRates(other)!
    expect(replaced).not.toEqual(expected)
    const store = memoryStore({ snapshots: [snapshotOf(index)], bars: [], records: [], dividends: [] })
    const events = new MarketEventBus()
    const live = new LiveMarket({
      engine: tasks,
      source: { ...scriptedSource(), latest: () => closed },
      archive: store,
      universe: [],
      marketNow: () => closed + 90 * minute,
      wallNow: clock.now,
      events,
      ratesIndex: spx
    })
    const ask = async () => {
      clock.pass(minute / 2)
      await live.chain(ko, alpha)
      await settled()
    }
    const imported = async (chain: Chain) => {
      await store.writeSnapshots([snapshotOf(chain)])
      events.emit('daysWritten', { symbol: spx, written: 'snapshots' })
      await ask()
      await ask()
      return repriced.map(({ rates }) => rates)
    }
    await ask()
    await ask()
    expect(repriced.map(({ rates }) => rates)).toEqual([expected])
    // The same close once more changes nothing, so nothing is priced anew.
    expect(await imported(index)).toEqual([expected])
    expect(await imported(other)).toEqual([expected, replaced])
    expect(await imported(index)).toEqual([expected, replaced, expected])
  })

  test('is taken up by a past close where an import replaces the close that implies it, or the close itself', async () => {
    const { tasks, repriced } = engine()
    const clock = clockAt(session(wednesday)!.open + 90 * minute)
    const monday = '2026-07-27' as IsoDate
    const before = sketched({ symbol: 'SPX', date: monday, time: '16:00', spot: 5000, series })
    const other = sketched({ symbol: 'SPX', date: monday, time: '16:00', spot: 5020, series })
    const snapshots = [before, share(tuesday, '16:00')].map(snapshotOf)
    const store = memoryStore({ snapshots, bars: [], records: [], dividends: [] })
    const events = new MarketEventBus()
    const live = new LiveMarket({
      engine: tasks,
      source: scriptedSource(),
      archive: store,
      universe: [],
      marketNow: clock.now,
      wallNow: clock.now,
      events,
      ratesIndex: spx
    })
    const imported = async (chain: Chain) => {
      await store.writeSnapshots([snapshotOf(chain)])
      events.emit('daysWritten', { symbol: chain.symbol, written: 'snapshots' })
      await live.closing(ko, tuesday)
      await settled()
      return live.closing(ko, tuesday)
    }
    await live.closing(ko, tuesday)
    await imported(other)
    expect(repriced.map(({ rates }) => rates)).toEqual([impliedRates(before), impliedRates(other)])
    const moved = await imported({ ...share(tuesday, '16:00'), spot: 71 })
    expect(moved?.spot).toBe(71)
  })

  test('is taken up by a close that was priced while the rates were still being read, once they are there', async () => {
    const { tasks, repriced } = engine()
    const clock = clockAt(session(wednesday)!.open + 90 * minute)
    const monday = '2026-07-27' as IsoDate
    const earlier = sketched({ symbol: 'SPX', date: monday, time: '16:00', spot: 5000, series })
    const snapshots = [earlier, share(tuesday, '16:00')].map(snapshotOf)
    const store = memoryStore({ snapshots, bars: [], records: [], dividends: [] })
    let arrive = () => {}
    const indexIsThere = new Promise<void>((resolve) => (arrive = resolve))
    const archive = {
      ...store,
      closingSnapshot: async (...asked: Parameters<typeof store.closingSnapshot>) => {
        if (asked[0] === spx) await indexIsThere
        return store.closingSnapshot(...asked)
      }
    }
    const live = new LiveMarket({
      engine: tasks,
      source: scriptedSource(),
      archive,
      universe: [],
      marketNow: clock.now,
      wallNow: clock.now,
      ratesIndex: spx,
      after: (_, run) => {
        run()
        return () => {}
      }
    })
    const first = await live.closing(ko, tuesday)
    expect(await live.closing(ko, tuesday)).toBe(first)
    arrive()
    await settled()
    const priced = await live.closing(ko, tuesday)
    expect(await live.closing(ko, tuesday)).toBe(priced)
    expect(repriced.map(({ rates }) => rates)).toEqual([undefined, impliedRates(earlier)])
  })

  test('is the same replayed, and nothing of the day itself', async () => {
    const { tasks, repriced, asked } = engine()
    const later = sketched({ symbol: 'SPX', date: wednesday, time: '16:00', spot: 5100, series })
    const at = session(wednesday)!.open + 90 * minute
    const snapshots = [index, later, share(wednesday, '11:00'), share(tuesday, '16:00')].map(snapshotOf)
    const store = memoryStore({ snapshots, bars: [], records: [], dividends: [] })
    const reader = new ArchiveReader(store, tasks, { ratesIndex: spx })
    const market = new ReplayMarket(reader, at, [ko])
    const chain = await market.chain(ko)
    await market.closing(ko, tuesday)
    expect(repriced).toEqual([
      { symbol: ko, rates: expected },
      { symbol: ko, rates: undefined } // of Monday no close was recorded
    ])
    expect(await new ReplayMarket(reader, at, [ko]).chain(ko)).toBe(chain)
    expect(asked).toEqual([tuesday])
  })

  test('is nothing where the operator says it', async () => {
    const { tasks, repriced, asked } = engine()
    const store = memoryStore({
      snapshots: [index, share(wednesday, '11:00')].map(snapshotOf),
      bars: [],
      records: [],
      dividends: []
    })
    await new ReplayMarket(new ArchiveReader(store, tasks), session(wednesday)!.open + 90 * minute, [ko]).chain(ko)
    expect([repriced, asked]).toEqual([[{ symbol: ko, rates: undefined }], []])
  })
})

describe('what published par yields say money costs', () => {
  const value = (symbol: string, date: string, close: number) => ({
    symbol: ticker(symbol),
    bar: seriesBar(date as IsoDate, close),
    fidelity: 'imported' as const
  })
  const yields = [
    value('^DGS1MO', '2026-07-27', 4),
    value('^DGS1', '2026-07-27', 4.2),
    value('^SOFR', '2026-07-24', 4.3)
  ]
  // Tuesday's values were not published yet when Wednesday began.
  const later = [value('^DGS1MO', tuesday, 9), value('^DGS1', tuesday, 9)]
  const curve = zeroCurve(
    [
      { months: 1, percent: 4 },
      { months: 12, percent: 4.2 }
    ],
    4.3
  )
  const snapshots = [snapshotOf(index), snapshotOf(share(wednesday, '11:00'))]

  test('is asked for by the operator, who may say a rate instead', () => {
    expect(ratesIndexOf({ ...madeUpAssumptions, publishedRates: true })).toBe(PAR_YIELDS)
    expect(ratesIndexOf({ ...madeUpAssumptions, rates: flatRate(0.04), publishedRates: true })).toBeUndefined()
  })

  test('prices a session by those that were out when it began: live, and replayed the same', async () => {
    const { tasks, repriced, asked } = engine()
    const at = session(wednesday)!.open + 90 * minute
    const clock = clockAt(at)
    const archive = memoryStore({ snapshots, bars: [...yields, ...later], records: [], dividends: [] })
    const live = new LiveMarket({
      engine: tasks,
      source: scriptedSource(),
      archive,
      universe: [],
      marketNow: clock.now,
      wallNow: clock.now,
      ratesIndex: PAR_YIELDS
    })
    expect(live.ratesFrom()).toBe('default')
    await live.chain(ko, alpha)
    expect(live.ratesFrom()).toBe('published')
    const reader = new ArchiveReader(archive, tasks, { ratesIndex: PAR_YIELDS })
    await new ReplayMarket(reader, at, [ko]).chain(ko)
    expect(repriced).toEqual([
      { symbol: ko, rates: curve },
      { symbol: ko, rates: curve }
    ])
    expect(asked).toEqual([])
  })

  test('is read anew once others were written', async () => {
    const { tasks, repriced } = engine()
    const clock = clockAt(session(wednesday)!.open + 90 * minute)
    const archive = memoryStore({ snapshots, bars: [], records: [], dividends: [] })
    const events = new MarketEventBus()
    const live = new LiveMarket({
      engine: tasks,
      source: scriptedSource(),
      archive,
      events,
      universe: [],
      marketNow: clock.now,
      wallNow: clock.now,
      ratesIndex: PAR_YIELDS
    })
    await live.chain(ko, alpha)
    for (const { symbol, bar } of yields) {
      await archive.writeBars(symbol, [bar], 'imported')
      events.emit('daysWritten', { symbol, written: 'bars' })
    }
    clock.pass(minute)
    await live.chain(ko, alpha)
    await settled()
    expect(repriced.map(({ rates }) => rates)).toEqual([undefined, curve])
  })
})

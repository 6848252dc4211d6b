import { describe, expect, test } from 'vitest'
import { LiveMarket } from '../../src/live/market.ts'
import { session } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { flatRate, type RateCurve, ratesIndexOf } from '../../src/pricing/assumptions.ts'
import { impliedRates } from '../../src/pricing/implied-rates.ts'
import { priceChain } from '../../src/pricing/price-chain.ts'
import { ReplayMarket } from '../../src/replay/market.ts'
import { ArchiveReader } from '../../src/replay/reader.ts'
import { engineWith } from '../support/engine-with.ts'
import { ladder, sketched } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'
import { clockAt, scriptedSource } from '../support/scripted-source.ts'
import { alpha, minute, settled, ticker } from './standing-market.ts'

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

/** An engine that prices by what it is told, and says what that was. */
function engine() {
  const told: { readonly symbol: Ticker; readonly rates: RateCurve | undefined }[] = []
  const asked: IsoDate[] = []
  const price = (chain: Chain, rates: RateCurve | undefined) => {
    told.push({ symbol: chain.symbol, rates })
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
  return { tasks, told, asked }
}

const expected = impliedRates(index)!

describe('what money costs, where nobody says it,', () => {
  test('is known of the index only', () => {
    expect(ratesIndexOf(madeUpAssumptions)).toBe('SPX')
    expect(ratesIndexOf({ ...madeUpAssumptions, rates: flatRate(0.04) })).toBeUndefined()
  })

  test('is what the index implied at the close before: live', async () => {
    const { tasks, told, asked } = engine()
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
    expect(told).toEqual([
      { symbol: ko, rates: expected },
      { symbol: ko, rates: expected }
    ])
    expect(asked).toEqual([tuesday]) // once for the day
  })

  test('is the same replayed, and nothing of the day itself', async () => {
    const { tasks, told, asked } = engine()
    const later = sketched({ symbol: 'SPX', date: wednesday, time: '16:00', spot: 5100, series })
    const at = session(wednesday)!.open + 90 * minute
    const snapshots = [index, later, share(wednesday, '11:00'), share(tuesday, '16:00')].map(snapshotOf)
    const store = memoryStore({ snapshots, bars: [], records: [], dividends: [] })
    const reader = new ArchiveReader(store, tasks, { ratesIndex: spx })
    const market = new ReplayMarket(reader, at, [ko])
    const chain = await market.chain(ko)
    await market.closing(ko, tuesday)
    expect(told).toEqual([
      { symbol: ko, rates: expected },
      { symbol: ko, rates: undefined } // of Monday no close was recorded
    ])
    expect(await new ReplayMarket(reader, at, [ko]).chain(ko)).toBe(chain)
    expect(asked).toEqual([tuesday])
  })

  test('is nothing where the operator says it', async () => {
    const { tasks, told, asked } = engine()
    const store = memoryStore({
      snapshots: [index, share(wednesday, '11:00')].map(snapshotOf),
      bars: [],
      records: [],
      dividends: []
    })
    await new ReplayMarket(new ArchiveReader(store, tasks), session(wednesday)!.open + 90 * minute, [ko]).chain(ko)
    expect([told, asked]).toEqual([[{ symbol: ko, rates: undefined }], []])
  })
})

import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { session } from '../../src/market/calendar.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { versionOf } from '../../src/market/versions.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { ArchiveReader } from '../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../src/replay/replay-market.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import type { Engine } from '../../src/workers/engine.ts'
import { engineWith } from '../support/engine-with.ts'
import { memoryStore } from '../support/memory-store.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { readInMemory, restored } from '../support/replay.ts'

const ko = 'KO' as Ticker
const day = (date: string) => date as IsoDate
const at = (moment: string) => parseMoment(moment)!

let snapshots: readonly ChainSnapshot[]
let bars: Awaited<ReturnType<typeof recordedDay>>['bars']
beforeAll(async () => {
  const rows = await recordedDay('2026-07-29')
  snapshots = rows.snapshots.filter(({ chain }) => chain.symbol === ko)
  bars = rows.bars.filter(({ symbol }) => symbol === ko)
})

const recordOf = (date: string): DailyRecord => ({ date: day(date), close: 1 }) as DailyRecord
const records = ['2026-07-27', '2026-07-28', '2026-07-29', '2026-07-30'].map((date) => ({
  symbol: ko,
  record: recordOf(date)
}))

function reader(options: { readonly contracts?: number; readonly snapshots?: readonly ChainSnapshot[] } = {}) {
  const forgotten: { readonly chain: PricedChain; readonly givesBack: boolean }[] = []
  let restores = 0
  const restoring = engineWith({
    readUnderlying: readInMemory,
    restoreChain: ({ snapshot }) => {
      restores++
      return restored(snapshot)
    }
  })
  const forget: Engine['forget'] = (chain, givesBack = false) => void forgotten.push({ chain, givesBack })
  const engine = { ...restoring, forget }
  const store = memoryStore({ snapshots: options.snapshots ?? snapshots, bars, records })
  const archive = new ArchiveReader(store, engine, options)
  const marketAt = (moment: string, subjects: readonly Ticker[] = [ko]) =>
    new ReplayMarket(archive, at(moment), subjects)
  return { store, archive, marketAt, forgotten, restores: () => restores }
}

describe('the market of a moment', () => {
  test('stands at that moment and is never called stale', () => {
    const market = reader().marketAt('2026-07-29T12:00:30')
    expect(new Date(market.now()).toISOString()).toBe('2026-07-29T16:00:30.000Z')
    expect(market.isStale()).toBe(false)
    expect(market.catalogue()).toEqual({ tickers: [], asked: [], lastUpdated: undefined, held: [], universe: [] })
  })

  test('has the newest chain by then', async () => {
    const { marketAt } = reader()
    const asOf = async (moment: string) => (await marketAt(moment).chain(ko))?.asOf
    expect(await asOf('2026-07-29T12:00:00')).toBe(at('2026-07-29T12:00:00'))
    expect(await asOf('2026-07-29T12:00:59')).toBe(at('2026-07-29T12:00:00'))
    expect(await asOf('2026-07-29T11:59:59')).toBe(at('2026-07-29T11:59:00'))
    expect(await asOf('2026-07-29T22:00:00')).toBe(at('2026-07-29'))
  })

  test('takes no old chain for the one a request is about, and any of that day for the others', async () => {
    const { marketAt } = reader()
    expect(await marketAt('2026-07-29T12:30:00').chain(ko)).toBeUndefined()
    expect((await marketAt('2026-07-29T12:30:00', []).chain(ko))?.asOf).toBe(at('2026-07-29T12:01:00'))
    expect(await marketAt('2026-07-30T09:30:59', []).chain(ko)).toBeUndefined()
  })

  test('has the close of a session once that is past, its own day included', async () => {
    const { marketAt } = reader()
    const closing = async (moment: string, session: string) => (await marketAt(moment).closing(ko, day(session)))?.asOf
    expect(await closing('2026-07-29T12:00:00', '2026-07-28')).toBe(at('2026-07-28'))
    expect(await closing('2026-07-29T12:00:00', '2026-07-29')).toBeUndefined()
    expect(await closing('2026-07-29T15:59:59', '2026-07-29')).toBeUndefined()
    expect(await closing('2026-07-29', '2026-07-29')).toBe(at('2026-07-29'))
    expect(await closing('2026-07-29T12:00:00', '2026-07-30')).toBeUndefined()
    expect(await closing('2026-07-29', '2026-07-25')).toBeUndefined() // a Saturday
  })

  test('tells a close as of the close, though its snapshot was taken minutes before, and the snapshot as it is', async () => {
    const early = snapshots.filter(({ chain }) => chain.asOf < at('2026-07-29T15:59:00'))
    const { marketAt } = reader({ snapshots: early })
    const evening = marketAt('2026-07-29T16:30:00')
    const [closing, latest] = [await evening.closing(ko, day('2026-07-29')), await evening.chain(ko)]
    expect([closing?.asOf, latest?.asOf]).toEqual([at('2026-07-29'), at('2026-07-29T15:58:00')])
    expect(closing?.spot).toBe(latest?.spot)
  })

  test('does not take an early end of the recording for a close', async () => {
    const early = snapshots.filter(({ chain }) => chain.asOf < at('2026-07-29T15:00:00'))
    const { marketAt } = reader({ snapshots: early })
    expect(await marketAt('2026-07-30T09:31:00').closing(ko, day('2026-07-29'))).toBeUndefined()
    expect(await marketAt('2026-07-30T09:31:00').closing(ko, day('2026-07-28'))).toBeDefined()
  })

  test('has the bars of sessions whose close is past', async () => {
    const { marketAt } = reader()
    const newest = async (moment: string) => (await marketAt(moment).bars(ko)).at(-1)!.date
    expect(await newest('2026-07-29T15:59:59')).toBe('2026-07-28')
    expect(await newest('2026-07-29')).toBe('2026-07-29')
    expect(await newest('2026-07-30T09:30:00')).toBe('2026-07-29')
  })

  test('has records of earlier days only, whatever day is asked for', async () => {
    const { marketAt } = reader()
    const dates = async (before: string, count = 10) =>
      (await marketAt('2026-07-29').records(ko, day(before), count)).map(({ date }) => date)
    expect(await dates('2026-07-29')).toEqual(['2026-07-27', '2026-07-28'])
    expect(await dates('2026-12-31')).toEqual(['2026-07-27', '2026-07-28'])
    expect(await dates('2026-07-28')).toEqual(['2026-07-27'])
    expect(await dates('2026-07-29', 1)).toEqual(['2026-07-28'])
  })
})

describe('what moments have in common', () => {
  const [a, b, c] = ['2026-07-29T11:59:00', '2026-07-29T12:00:00', '2026-07-29T12:01:00']
  /** Asks for a chain and ends the market; chains without room are dropped in the next turn of the event loop. */
  const askAndEnd = async (market: ReplayMarket) => {
    await market.chain(ko)
    market.end()
    await setImmediate()
  }

  test('is the same object, so that answers made from it are found again', async () => {
    const { marketAt, restores } = reader()
    const [one, other] = [marketAt('2026-07-29T12:00:00'), marketAt('2026-07-29T12:00:45')]
    expect(await one.chain(ko)).toBe(await other.chain(ko))
    expect(await one.bars(ko)).toBe(await other.bars(ko))
    const before = day('2026-07-29')
    expect(await one.records(ko, before, 5)).toBe(await other.records(ko, before, 5))
    expect(restores()).toBe(1)
  })

  test('is another object once its rows are other rows', async () => {
    const { store, marketAt } = reader()
    const market = () => marketAt('2026-07-29T12:00:00')
    const before = await market().bars(ko)
    const [first] = before
    await store.writeBars(ko, [{ ...first, high: first.high + 1 }], 'imported')
    const after = await market().bars(ko)
    expect(versionOf(after)).not.toBe(versionOf(before))
    expect(after[0].high).toBe(first.high + 1)
    expect(await market().bars(ko)).toBe(after)
  })

  test('is read once by requests that come together', async () => {
    const { store, marketAt, restores } = reader()
    let reads = 0
    const snapshot = store.snapshot
    store.snapshot = (...asked) => {
      reads++
      return snapshot(...asked)
    }
    await Promise.all(Array.from({ length: 8 }, () => marketAt('2026-07-29T12:00:00').chain(ko)))
    expect([reads, restores()]).toEqual([1, 1])
  })

  test('has its quality told once, and again where it could not be told', async () => {
    let asked = 0
    const assessPastChain = async () => {
      if (++asked === 1) throw new Error('the worker is overloaded')
      return { deducted: 7, costliest: undefined }
    }
    const engine = engineWith({ restoreChain: ({ snapshot }) => restored(snapshot), assessPastChain })
    const archive = new ArchiveReader(memoryStore({ snapshots, bars, records }), engine)
    const quality = () => new ReplayMarket(archive, at(a), [ko]).quality(ko)
    await expect(quality()).rejects.toThrow('overloaded')
    expect((await quality())?.deducted).toBe(7)
    expect((await quality())?.deducted).toBe(7)
    expect(asked).toBe(2)
  })

  test('is held as far as there is room, the longest unused dropped first and forgotten by the engine', async () => {
    const { size } = snapshots[0].chain
    const { marketAt, forgotten, restores } = reader({ contracts: 2 * size + 100 })
    for (const moment of [a, b, a, c, a]) await askAndEnd(marketAt(moment))
    expect(restores()).toBe(3)
    expect(forgotten.map(({ chain }) => chain.asOf)).toEqual([at(b)])
  })

  test('is not forgotten while a request looks at it, and gives its memory back when the last has ended', async () => {
    const { marketAt, forgotten, restores } = reader({ contracts: snapshots[0].chain.size + 10 })
    const [one, other] = [marketAt(a), marketAt(a)]
    const chains = [await one.chain(ko), await other.chain(ko)]
    await askAndEnd(marketAt(b))
    expect([restores(), forgotten]).toEqual([2, []])
    one.end()
    expect(forgotten).toEqual([])
    other.end()
    expect(forgotten).toEqual([{ chain: chains[0], givesBack: true }])
    expect(chains[1]).toBe(chains[0])
  })

  test('keeps its memory where somebody without an end has it, or a request that has ended already', async () => {
    const { archive, store, marketAt, forgotten } = reader({ contracts: snapshots[0].chain.size + 10 })
    await archive.chain((await store.snapshot(ko, at(a)))!, ko)
    await askAndEnd(marketAt(a))
    await askAndEnd(marketAt(b))
    const late = marketAt(c)
    late.end()
    await late.chain(ko)
    await askAndEnd(marketAt(a))
    expect(forgotten.map(({ chain, givesBack }) => [chain.asOf, givesBack])).toEqual([
      [at(a), false],
      [at(b), true],
      [at(c), false]
    ])
  })

  test('is given to all who wait for it before it is forgotten, where there is no room for it at all', async () => {
    const { marketAt, forgotten } = reader({ contracts: 1 })
    const markets = [marketAt(a), marketAt(a)]
    const chains = await Promise.all(markets.map((market) => market.chain(ko)))
    await setImmediate()
    expect(forgotten).toEqual([])
    for (const market of markets) market.end()
    expect(forgotten).toEqual([{ chain: chains[0], givesBack: true }])
  })

  test('outlives being dropped for those who wait for it', async () => {
    const { marketAt } = reader({ contracts: snapshots[0].chain.size + 10 })
    const moments = ['2026-07-29T11:59:00', '2026-07-29T12:00:00', '2026-07-29T12:01:00', '2026-07-29']
    const chains = await Promise.all([...moments, ...moments].map((moment) => marketAt(moment).chain(ko)))
    expect(chains.map((chain) => chain?.asOf)).toEqual([...moments, ...moments].map(at))
  })
})

test('a half day closes early for its closing chain too', async () => {
  const rows = await recordedDay('2026-11-27')
  const { marketAt } = reader({ snapshots: rows.snapshots })
  const half = day('2026-11-27')
  expect(await marketAt('2026-11-27T12:59:59').closing(ko, half)).toBeUndefined()
  expect((await marketAt('2026-11-27T13:00:00').closing(ko, half))?.asOf).toBe(session(half)!.close)
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { type Dividend, knownFrom } from '../../src/market/dividend.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { versionOf } from '../../src/market/versions.ts'
import { ArchiveReader } from '../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../src/replay/replay-market.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { engineWith } from '../support/engine-with.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { memoryStore } from '../support/memory-store.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { restored } from '../support/replay.ts'
import { scriptedSource } from '../support/scripted-source.ts'

const ko = 'KO' as Ticker
const dividend = (exDate: string, amount: number, declared?: string): Dividend => ({
  exDate: exDate as IsoDate,
  amount,
  knownFrom: knownFrom(exDate as IsoDate, declared as IsoDate | undefined)
})
/** Declared the day before, and on the day that is replayed. */
const [earlier, sameDay] = [dividend('2026-08-10', 0.5, '2026-07-28'), dividend('2026-08-14', 0.1, '2026-07-29')]

let snapshots: readonly ChainSnapshot[]
beforeAll(async () => {
  snapshots = (await recordedDay('2026-07-29')).snapshots.filter(({ chain }) => chain.symbol === ko)
})

function replayed(...dividends: readonly Dividend[]) {
  const store = memoryStore({
    snapshots,
    bars: [],
    records: [],
    dividends: dividends.map((paid) => ({ symbol: ko, dividend: paid }))
  })
  const engine = engineWith({ restoreChain: ({ snapshot, dividends }) => restored(snapshot, dividends) })
  const archive = new ArchiveReader(store, engine)
  const marketAt = (moment: string) => new ReplayMarket(archive, parseMoment(moment)!, [ko])
  return { store, marketAt }
}

describe('a replayed chain', () => {
  test('has the dividends that were to be expected at its moment', async () => {
    const { marketAt } = replayed(dividend('2026-07-29', 1, '2026-07-01'), earlier, sameDay)
    expect((await marketAt('2026-07-29T12:00:00').chain(ko))?.dividends).toEqual([earlier])
    expect((await marketAt('2026-07-30T09:31:00').chain(ko))?.dividends).toEqual([earlier, sameDay])
  })

  test('at a past close has those that were known by then, whenever it is asked for', async () => {
    const { marketAt } = replayed(dividend('2026-07-29', 1, '2026-07-01'), earlier, sameDay)
    const closing = await marketAt('2026-07-30T09:31:00').closing(ko, '2026-07-28' as IsoDate)
    expect(closing?.dividends?.map(({ exDate }) => exDate)).toEqual(['2026-07-29'])
  })

  test('is priced anew where an import brought dividends since, and is else the same object', async () => {
    const { store, marketAt } = replayed()
    const chain = async () => (await marketAt('2026-07-29T12:00:00').chain(ko))!
    const before = await chain()
    expect(await chain()).toBe(before)
    await store.writeDividends(ko, [earlier])
    const after = await chain()
    expect([before.dividends, after.dividends]).toEqual([undefined, [earlier]])
    expect(versionOf(after)).not.toBe(versionOf(before))
    expect(await chain()).toBe(after)
  })
})

test('the engine gives a chain the dividends of its moment, of all that it is handed', async () => {
  const engine = inlineEngine({ connector: scriptedSource(), assumptions: madeUpAssumptions, endpoints: new Map() })
  const now = parseMoment('2026-07-29T12:00:00')!
  const dividends = [earlier, sameDay]
  const symbol = 'AAPL' as Ticker
  expect((await engine.run('loadChain', { symbol, now, dividends }))?.dividends).toEqual([earlier])
  expect((await engine.run('loadChain', { symbol, now }))?.dividends).toBeUndefined()
  const past = { symbol, session: '2026-07-28' as IsoDate, dividends }
  expect((await engine.run('loadClosingChain', past))?.dividends).toBeUndefined()
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withFormerNames } from '../../src/archive/former-names.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { session } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { FigureColumns, FigureRequest } from '../../src/market/figure-row.ts'
import { useRenames } from '../../src/market/renames.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { hasEngine } from '../support/engine.ts'
import { inferredDate, inferredRows } from '../support/inferred-day.ts'
import { memoryStore } from '../support/memory-store.ts'
import { realArchives } from '../support/real-archives.ts'
import { replayService } from '../support/replay.ts'

const [KO, NEW, OTHER] = ['KO', 'NEWKO', 'PEP'] as unknown as readonly Ticker[]
const renamed = '2026-07-30' as IsoDate
const day = (date: string) => date as IsoDate
const close = (date: string): Instant => session(day(date))!.close
const bar = (date: string, price: number): DailyBar => {
  return { date: day(date), open: price, high: price, low: price, close: price, volume: 100 }
}
const closesOf = (bars: readonly DailyBar[]) => bars.map(({ date, close: price }) => `${date} ${price}`)

beforeEach(() => useRenames([{ from: KO, to: NEW, date: renamed }]))
afterEach(() => useRenames([]))

test('bars before a rename are found under the new symbol, those after it are not', async () => {
  const store = withFormerNames(memoryStore())
  await store.writeBars(KO, [bar('2026-07-28', 70), bar('2026-07-29', 71), bar('2026-07-31', 1)], 'recorded')
  await store.writeBars(NEW, [bar('2026-07-29', 71.5), bar('2026-07-30', 72), bar('2026-07-31', 73)], 'recorded')
  const at = close('2026-07-31')
  expect(closesOf(await store.bars(NEW, at, 9))).toEqual([
    '2026-07-28 70',
    '2026-07-29 71.5',
    '2026-07-30 72',
    '2026-07-31 73'
  ])
  expect(closesOf(await store.bars(NEW, at, 2))).toEqual(['2026-07-30 72', '2026-07-31 73'])
  expect(closesOf(await store.bars(NEW, close('2026-07-28'), 9))).toEqual(['2026-07-28 70'])
})

test('bars under the old symbol are adjusted for a split under the new one, from its day on', async () => {
  const store = withFormerNames(memoryStore())
  await store.writeBars(KO, [bar('2026-07-29', 70)], 'recorded')
  await store.writeSplits(NEW, [{ date: day('2026-07-31'), ratio: 2 }])
  expect(closesOf(await store.bars(NEW, close('2026-07-30'), 9))).toEqual(['2026-07-29 70'])
  expect(closesOf(await store.bars(NEW, close('2026-07-31'), 9))).toEqual(['2026-07-29 35'])
})

test('a symbol that was never renamed is read once', async () => {
  let reads = 0
  const plain = memoryStore()
  const store = withFormerNames({
    ...plain,
    snapshot: async (symbol, at) => {
      reads++
      return plain.snapshot(symbol, at)
    }
  })
  await store.snapshot(OTHER, close('2026-07-29'))
  expect(reads).toBe(1)
})

test('snapshots, their moments and coverage are those of the symbol of the day', async () => {
  const plain = memoryStore(await inferredRows())
  const store = withFormerNames(plain)
  useRenames([{ from: KO, to: NEW, date: inferredDate }])
  const eve = easternDate(close(inferredDate) - 24 * 3_600_000)
  const before = (await plain.coverage(KO))!.days.filter(({ date }) => date < inferredDate)
  expect((await store.closingSnapshot(NEW, eve))?.symbol).toBe(NEW)
  expect(await store.closingSnapshot(NEW, inferredDate)).toBeUndefined()
  expect(await store.snapshot(NEW, close(inferredDate))).toBeUndefined()
  expect((await store.coverage(NEW))!.days).toEqual(before)
  expect((await store.coverages()).map(({ symbol }) => symbol)).toEqual(['NEWKO', 'VIX'])
  expect(await store.symbols()).toEqual(['NEWKO', 'VIX'])
  expect(await store.moments(NEW, 0, close(inferredDate))).toEqual(await plain.moments(KO, 0, close(eve) + 1))
})

test('figures over time are joined at the day of the rename', async () => {
  const figures: Record<string, FigureColumns> = {
    [KO]: columns(['2026-07-28', 1], ['2026-07-29', 2], ['2026-07-30', 99]),
    [NEW]: columns(['2026-07-29', 3], ['2026-07-31', 4])
  }
  const asked: string[] = []
  const store = withFormerNames({
    ...memoryStore(),
    figures: async ({ symbol, from, to }: FigureRequest) => {
      asked.push(`${symbol} to ${easternDate(to)}`)
      const {
        t,
        columns: [values]
      } = figures[symbol]
      const rows = Array.from(t.keys()).filter((row) => t[row] >= from && t[row] <= to)
      return {
        t: Float64Array.from(rows, (k) => t[k]),
        columns: [Float64Array.from(rows, (k) => values[k])],
        waiting: []
      }
    }
  })
  const to = close('2026-07-31')
  const request = { fields: ['net_gex'], from: 0, to, until: to, closed: day('2026-07-31'), every: 'session' } as const
  const found = await store.figures({ symbol: NEW, ...request })
  expect(found.columns.map((column) => Array.from(column))).toEqual([[1, 3, 4]])
  expect(Array.from(found.t, easternDate)).toEqual(['2026-07-28', '2026-07-29', '2026-07-31'])
  expect(asked).toEqual(['NEWKO to 2026-07-31', 'KO to 2026-07-29'])
})

function columns(...rows: readonly (readonly [string, number])[]): FigureColumns {
  return {
    t: Float64Array.from(rows, ([date]) => close(date)),
    columns: [Float64Array.from(rows, ([, value]) => value)],
    waiting: []
  }
}

describe.skipIf(!hasEngine)('on replay of the real archive', () => {
  const { open, restore } = realArchives()

  test('both symbols answer alike about days before the rename, from what was recorded under the old one', async () => {
    const history = withFormerNames(await open())
    const rows = await inferredRows()
    await history.writeSnapshots(rows.snapshots)
    useRenames([{ from: KO, to: NEW, date: day('2026-08-03') }])
    const service = replayService({ history, restore })
    const paths = ['/v1/exposure/levels', '/v1/flow/options', '/v1/exposure/oi-diff', '/stockquote']
    for (const path of paths) {
      const end = path.endsWith('options') ? '/summary' : ''
      const [old, now] = await Promise.all(
        ['KO', 'NEWKO'].map((symbol) => service.past(`${path}/${symbol}${end}?at=${inferredDate}`))
      )
      expect([path, now.statusCode, now.body]).toEqual([path, 200, old.body])
      expect(now.body).toContain('NEWKO')
    }
    expect((await service.past('/v1/exposure/levels/NEWKO?at=2026-08-03T09:31:00')).statusCode).toBe(404)
    await service.close()
    await history.close()
  })
})

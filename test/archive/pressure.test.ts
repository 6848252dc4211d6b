import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryStore } from '../../src/archive/history-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import { PastPressureReader } from '../../src/archive/past-pressure.ts'
import { previousTradingDay, session } from '../../src/market/calendar.ts'
import { PRESSURE_CELLS, type PressureRow } from '../../src/market/hedge-pressure.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { memoryStore } from '../support/memory-store.ts'

const SPY = 'SPY' as Ticker
const date = '2026-07-31' as IsoDate
const { open, close } = session(date)!
const at = (k: number) => open + 30_000 * k

function row(symbol: string, day: IsoDate, t: Instant, seed: number): PressureRow {
  const cells = Float64Array.from({ length: PRESSURE_CELLS }, (_, cell) => Math.round((seed * (cell - 20) * 1e12) / 7))
  return {
    symbol: symbol as Ticker,
    session: day,
    t,
    next: seed % 2 === 0 ? undefined : ('2026-08-03' as IsoDate),
    cells
  }
}

const sampleOf = ({ t, next, cells }: PressureRow) => ({ t, next, cells })

const stores: readonly (readonly [name: string, open: () => Promise<HistoryStore>, isHere: boolean])[] = [
  ['memory', async () => memoryStore(), true],
  [
    'the database',
    async () => (await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: 1 })).store!,
    hasEngine
  ]
]

for (const [name, openStore, isHere] of stores) {
  describe.skipIf(!isHere)(`hedging pressure in ${name}${isHere ? '' : ' (skipped: the engine is not here)'}`, () => {
    let store: HistoryStore
    const rows = [0, 1, 2, 3].map((k) => row('SPY', date, at(k), k + 1))
    beforeAll(async () => {
      store = await openStore()
      await store.writePressure([...rows.slice(0, 2), row('QQQ', date, at(0), 9)])
      await store.writePressure(rows.slice(2))
      await store.writePressure([])
    })
    afterAll(() => store.close())

    test('comes back as it was written, once its half minute was over', async () => {
      for (const over of [0, 1, 3, 4, 100])
        expect(await store.pressure(SPY, date, at(over))).toEqual(rows.slice(0, over).map(sampleOf))
      expect(await store.pressure(SPY, date, at(2) - 1)).toHaveLength(1)
      await store.writePressure([row('QQQ', date, at(0), 5)])
      expect(await store.pressure('QQQ' as Ticker, date, at(1))).toEqual([sampleOf(row('QQQ', date, at(0), 5))])
    })

    test('gives the last of each session that was over by its moment', async () => {
      const before = '2026-07-30' as IsoDate
      const earlier = session(before)!.open
      await store.writePressure([row('SPY', before, earlier, 2), row('SPY', before, earlier + 30_000, 3)])
      const asked = (elapsed: number) =>
        store.pressureAt(
          SPY,
          [date, before, '2026-07-29' as IsoDate].map((day) => ({ session: day, at: session(day)!.open + elapsed }))
        )
      expect(await asked(30_000)).toEqual([
        { session: before, cells: row('', before, 0, 2).cells },
        { session: date, cells: rows[0].cells }
      ])
      expect((await asked(60_000 + 5)).map(({ cells }) => cells)).toEqual([row('', before, 0, 3).cells, rows[1].cells])
      expect(await asked(29_999)).toEqual([])
      expect(await store.pressureAt(SPY, [])).toEqual([])
    })

    test('is compared with the newest twenty recorded sessions before, at the same time of day', async () => {
      const T = 'T' as Ticker
      const days: IsoDate[] = []
      for (let day = previousTradingDay(date); days.length < 25; day = previousTradingDay(day)) days.push(day)
      await store.writePressure(
        days.flatMap((day, k) => {
          const { open: opened } = session(day)!
          return [row('T', day, opened, k), row('T', day, opened + 600_000, 100 + k)]
        })
      )
      const reader = new PastPressureReader(store)
      const found = await reader.of(T, at(7) + 12_345)
      expect(found).toEqual(
        days
          .slice(0, 20)
          .map((day, k) => ({ session: day, cells: row('T', day, 0, k).cells }))
          .reverse()
      )
      expect(await reader.of(T, at(7) + 29_999)).toBe(found)
      const [newest] = (await reader.of(T, close + 3_600_000)).slice(-1)
      expect(newest).toEqual({ session: days[0], cells: row('T', days[0], 0, 100).cells })
    })

    test('goes with what is older than is kept', async () => {
      await store.deleteBefore(at(0), { keepCloses: true })
      expect(await store.pressure(SPY, date, at(100))).toHaveLength(4)
      await store.deleteBefore(session('2026-08-03' as IsoDate)!.open, { keepCloses: true })
      expect(await store.pressure(SPY, date, at(100))).toEqual([])
    })
  })
}

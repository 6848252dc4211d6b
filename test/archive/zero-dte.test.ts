import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryStore, ZeroDteRow } from '../../src/archive/history-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import { session } from '../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { memoryStore } from '../support/memory-store.ts'

const date = '2026-07-31' as IsoDate
const { open } = session(date)!

/** A raw bar of made-up figures, every other one with its strikes. */
function bar(symbol: string, k: number, spot = 100 + k / 7): ZeroDteRow {
  const t = open + 30_000 * k
  const optional = (value: number) => (k % 3 === 0 ? undefined : value)
  const cents = (seed: number) =>
    Float64Array.from([1, 2, 3], (row) => Math.round(((-1) ** (row + k) * seed * 1e12) / 7))
  return {
    symbol: symbol as Ticker,
    session: date,
    version: 1,
    sample: {
      t,
      spot,
      netGex: -1e9 / (k + 1),
      netDex: 3e9 / 7,
      gammaFlip: optional(101.123456789),
      callWall: 105,
      putWall: optional(95),
      magnet: optional(100),
      pinScore: 100 / 3,
      pinProbability: optional(12.3),
      atmIv: optional(0.1 + 0.2),
      charmPerHour: optional(-0),
      hedgeCalls: -(10 ** 13) + k,
      hedgePuts: k
    },
    minute:
      k % 2 === 0
        ? undefined
        : {
            t: t - 30_000,
            spot,
            strike: Float64Array.of(0.1 + 0.2, 100, 102.5),
            gex: cents(1),
            dex: cents(2),
            vex: cents(3),
            chex: cents(4),
            oi: Float64Array.of(0, 12, 2 ** 33),
            signedDelta: cents(5),
            signedGamma: cents(6),
            contracts: Float64Array.of(0, 7, 9)
          }
  }
}

const stores: readonly (readonly [name: string, open: () => Promise<HistoryStore>, isHere: boolean])[] = [
  ['memory', async () => memoryStore(), true],
  [
    'the database',
    async () => (await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: 1 })).store!,
    hasEngine
  ]
]

for (const [name, openStore, isHere] of stores) {
  describe.skipIf(!isHere)(`raw bars in ${name}${isHere ? '' : ' (skipped: the engine is not here)'}`, () => {
    let store: HistoryStore
    const rows = [0, 1, 2, 3, 4, 5].map((k) => bar('SPY', k))
    beforeAll(async () => {
      store = await openStore()
      await store.writeZeroDte([...rows.slice(0, 4), bar('QQQ', 0)])
      await store.writeZeroDte(rows.slice(4))
    })
    afterAll(() => store.close())

    const at = (k: number) => open + 30_000 * k

    test('come back as they were written, once they were complete', async () => {
      for (const complete of [0, 1, 2, 5, 6, 100]) {
        const seen = rows.slice(0, complete)
        expect(await store.zeroDteSamples('SPY' as Ticker, date, at(complete))).toEqual(
          seen.map(({ sample }) => sample)
        )
        const minutes = seen.flatMap(({ minute }) => (minute === undefined ? [] : [minute]))
        expect(await store.zeroDteMinutes('SPY' as Ticker, date, at(complete))).toEqual(minutes)
      }
      expect(await store.zeroDteSamples('SPY' as Ticker, date, at(2) - 1)).toHaveLength(1)
      expect(await store.zeroDteSamples('SPY' as Ticker, '2026-07-30' as IsoDate, at(100))).toEqual([])
    })

    test('give the newest two of every symbol', async () => {
      const newest = await store.newestSamples(date, at(4))
      expect([...newest]).toEqual([
        ['QQQ', { newest: bar('QQQ', 0).sample, before: undefined }],
        ['SPY', { newest: rows[3].sample, before: rows[2].sample }]
      ])
      expect([...(await store.newestSamples(date, at(0)))]).toEqual([])
    })

    test('take the place of what was written of the same moment', async () => {
      await store.writeZeroDte([bar('QQQ', 0, 55)])
      const [found] = await store.zeroDteSamples('QQQ' as Ticker, date, at(9))
      expect(found.spot).toBe(55)
    })

    test('go with what is older than is kept', async () => {
      await store.deleteBefore(at(0), { keepCloses: true })
      expect(await store.zeroDteSamples('SPY' as Ticker, date, at(100))).toHaveLength(6)
      await store.deleteBefore(session('2026-08-03' as IsoDate)!.open, { keepCloses: true })
      expect(await store.zeroDteSamples('SPY' as Ticker, date, at(100))).toEqual([])
      expect(await store.zeroDteMinutes('SPY' as Ticker, date, at(100))).toEqual([])
    })

    test('a tape that was never written has no head', async () => {
      expect(await store.tapeHead({ symbol: 'SPY' as Ticker, kind: 'option', session: date })).toBeUndefined()
    })
  })
}

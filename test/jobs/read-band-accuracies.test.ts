import { expect, test } from 'vitest'
import { bandHealth } from '../../src/app/settlement-check.ts'
import { readBandAccuracies } from '../../src/jobs/read-band-accuracies.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { heldOverall } from '../../src/signals/band-accuracy.ts'
import { recordOf, sessionsBefore } from '../support/made-up-records.ts'

const SPY = 'SPY' as Ticker
const KO = 'KO' as Ticker
const T = 'T' as Ticker
const now = Date.parse('2026-07-29T15:00:00Z') as Instant

/** Records whose errors are beyond the prior on every fourth morning. */
const records = (count: number): readonly DailyRecord[] =>
  sessionsBefore('2026-07-29' as IsoDate, count).map((date, k) =>
    recordOf(date, { bandGexAll: k % 4 === 3 ? 2 : 0.5, bandDexAll: k === 0 ? undefined : -1 })
  )
const held: Readonly<Record<string, readonly DailyRecord[]>> = {
  SPY: records(70),
  KO: records(8),
  T: [recordOf('2026-07-28' as IsoDate)]
}
const asked: string[] = []
const spans: string[] = []
const store = {
  records: async (symbol: Ticker, before: IsoDate, count: number) => {
    asked.push(`${symbol} ${before}`)
    return held[symbol].slice(-count)
  },
  bandErrors: async (from: IsoDate, before: IsoDate) => {
    spans.push(`${from} ${before}`)
    return Object.entries(held).flatMap(([symbol, records]) =>
      records.map(({ date, bandGexAll, bandDexAll }) => ({ symbol: symbol as Ticker, date, bandGexAll, bandDexAll }))
    )
  }
}

test('what bands held is read from the records of each symbol', async () => {
  const found = await readBandAccuracies([T, SPY, KO], store, now)
  expect(asked).toEqual(['KO 2026-07-30', 'SPY 2026-07-30', 'T 2026-07-30'])
  expect(spans).toEqual(['2026-04-21 2026-07-30'])
  expect(found.map(({ symbol }) => symbol)).toEqual([KO, SPY])
  const [ko, spy] = found
  expect(ko).toMatchObject({ kind: 'equity', mornings: 8, basis: 'all', held: { gex: 0.75, dex: 1 } })
  expect(spy).toMatchObject({ kind: 'etf', mornings: 60, basis: 'symbol' })
  expect(spy.held.vex).toBeUndefined()
  // The prior misses five of the first 20 mornings. Calibrated bands miss none of the 40 after them.
  expect(spy.held.gex).toBeCloseTo(55 / 60, 12)
  const overall = heldOverall(found)
  expect(overall.gex).toBeCloseTo((6 + 55) / 68, 12)
  expect(overall.chex).toBeUndefined()
  expect(bandHealth({ bands: found })).toEqual({
    status: 'Healthy',
    details: {
      symbols: 2,
      calibrated: 2,
      by_own_mornings: 1,
      mornings: 68,
      held_pct: { net_gex: 89.7, net_dex: Math.round(1000 * overall.dex!) / 10 }
    }
  })
  expect(bandHealth({ bands: [] })).toEqual({ status: 'Healthy' })
})

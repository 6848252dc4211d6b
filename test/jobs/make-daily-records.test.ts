import { describe, expect, test } from 'vitest'
import { openHistory } from '../../src/archive/open.ts'
import { createImportWriter } from '../../src/imports/import-writer.ts'
import { makeDailyRecords, trackCloses } from '../../src/jobs/make-daily-records.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dailyRecord, RECORD_VERSION } from '../../src/signals/daily-record-measures.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { ladder, sketched } from '../support/hand-made.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { priced } from '../support/markets.ts'

const symbol = 'TEST' as Ticker
const series = [{ date: '2026-08-28', strikes: ladder(80, 120, 2.5), oi: 50 }]
const chainAt = (date: string, time: string) => sketched({ symbol, date, time, spot: 100, series })
const bar = (date: string, close: number) => ({
  date: date as IsoDate,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1
})

describe.runIf(hasEngine)('days that were imported', () => {
  test('get a record each, of the closing snapshot and the bars up to it', async () => {
    const { store } = await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: RECORD_VERSION })
    const { signal } = new AbortController()
    const reported: string[] = []
    const { writer, days } = trackCloses(createImportWriter({ store: store!, onNote: () => {}, signal }))
    const closes = ['2026-07-28', '2026-07-29'].map((date) => chainAt(date, '16:00'))
    for (const chain of [chainAt('2026-07-27', '12:00'), ...closes]) {
      await writer.snapshot({ chain, fidelity: 'imported', missing: [] })
    }
    const bars = [bar('2026-07-28', 101), bar('2026-07-29', 102)]
    await writer.bars(symbol, bars, 'imported')
    await writer.finish()
    const progress = (what: string, done: number, total: number) => void reported.push(`${what} ${done}/${total}`)
    await makeDailyRecords(days, { store: store!, assumptions: madeUpAssumptions, signal, progress })
    const records = await store!.records(symbol, '2026-08-01' as IsoDate, 10)
    await store!.close()
    expect(records).toEqual(closes.map((chain) => dailyRecord(priced(chain), bars)))
    expect(records.map(({ close }) => close)).toEqual([101, 102])
    expect(reported).toEqual(['daily records 0/2', 'daily records of TEST 1/2', 'daily records of TEST 2/2'])
  })
})

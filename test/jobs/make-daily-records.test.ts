import { describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import { createImportWriter } from '../../src/imports/import-writer.ts'
import { ImportedCloses } from '../../src/jobs/imported-closes.ts'
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

  test('have the same records whether their closes were priced when they were written or are read again', async () => {
    const { store } = await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: RECORD_VERSION })
    const { signal } = new AbortController()
    const options = { store: store!, assumptions: madeUpAssumptions, signal }
    const closes = new ImportedCloses(options)
    const onWritten = (snapshots: readonly ChainSnapshot[]) => closes.add(snapshots)
    const created = createImportWriter({ store: store!, onNote: () => {}, signal, onWritten })
    const { writer, days } = trackCloses(created)
    const write = async (date: string, interest: number, spot = 100) => {
      const expirations = [{ date: '2026-08-28', strikes: ladder(80, 120, 2.5), oi: interest }]
      const chain = sketched({ symbol, date, time: '16:00', spot, series: expirations })
      await writer.snapshot({ chain, fidelity: 'imported', missing: [] })
      await writer.drain()
    }
    // The second day is written again after the third, whose bands were judged by the chain that is gone.
    for (const [date, interest] of [
      ['2026-07-27', 50],
      ['2026-07-28', 60],
      ['2026-07-29', 75]
    ] as const) {
      await write(date, interest)
    }
    await write('2026-07-28', 65, 101)
    await writer.bars(symbol, [bar('2026-07-28', 101), bar('2026-07-29', 102)], 'imported')
    await writer.finish()
    const made = async (known?: ImportedCloses) => {
      await makeDailyRecords(days, { ...options, closes: known, progress: () => {} })
      return store!.records(symbol, '2026-08-01' as IsoDate, 10)
    }
    const [read, kept] = [await made(), await made(closes)]
    await store!.close()
    expect(read.map(({ date }) => date)).toEqual(['2026-07-27', '2026-07-28', '2026-07-29'])
    expect(Object.keys(read[2])).toContain('bandGexAll')
    expect(kept).toEqual(read)
  })
})

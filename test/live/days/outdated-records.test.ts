import { expect, test } from 'vitest'
import type { OutdatedDay } from '../../../src/archive/history-store.ts'
import { openHistory } from '../../../src/archive/open.ts'
import { renewRecords } from '../../../src/live/days/outdated-records.ts'
import type { Chain } from '../../../src/market/chain.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { dailyRecord } from '../../../src/signals/daily-record-measures.ts'
import { dataFolder, hasEngine } from '../../support/engine.ts'
import { engineWith, type TestTasks } from '../../support/engine-with.ts'
import { eastern, ladder, sketched } from '../../support/hand-made.ts'
import { recordOf } from '../../support/made-up-records.ts'
import { priced } from '../../support/markets.ts'
import { memoryStore } from '../../support/memory-store.ts'

const KO = 'KO' as Ticker
const PEP = 'PEP' as Ticker
const day = (date: string) => date as IsoDate
const { signal } = new AbortController()

function snapshot(symbol: Ticker, date: string, time: string, spot: number) {
  const series = [{ date: '2026-08-28', strikes: ladder(90, 110, 2.5) }]
  return { chain: sketched({ symbol, date, time, spot, series }), fidelity: 'recorded', missing: [] } as const
}

const makeRecord: TestTasks['makeRecord'] = async ({ snapshot: { asOf, packed }, bars }) =>
  dailyRecord(priced({ ...(packed as Chain), asOf }), bars)
const engine = engineWith({ makeRecord })

test('sessions whose close was recorded get their record anew, of the bars up to it; the others keep theirs', async () => {
  const store = memoryStore()
  await store.writeSnapshots([
    snapshot(KO, '2026-07-27', '12:00', 97),
    snapshot(KO, '2026-07-28', '15:58', 98),
    snapshot(PEP, '2026-07-28', '16:00', 99)
  ])
  const bar = { open: 1, high: 1, low: 1, volume: 1 }
  await store.writeBars(PEP, [{ ...bar, date: day('2026-07-28'), close: 99.5 }], 'recorded')
  const old = ['2026-07-24', '2026-07-27', '2026-07-28'].map((date) => recordOf(day(date), { close: 1 }))
  await store.writeRecords(KO, old)
  const days: OutdatedDay[] = [
    { symbol: KO, date: day('2026-07-24'), last: undefined },
    { symbol: KO, date: day('2026-07-27'), last: eastern('2026-07-27', '12:00') },
    { symbol: KO, date: day('2026-07-28'), last: eastern('2026-07-28', '15:58') },
    { symbol: PEP, date: day('2026-07-28'), last: eastern('2026-07-28', '16:00') }
  ]
  const renewed: Ticker[] = []
  const done = await renewRecords(days, { store, engine, signal, onRecords: (symbol) => renewed.push(symbol) })
  expect([done, renewed]).toEqual([{ migrated: 2, left: 2 }, [KO, PEP]])
  const closes = async (symbol: Ticker) => (await store.records(symbol, day('2026-08-01'), 9)).map(({ close }) => close)
  expect([await closes(KO), await closes(PEP)]).toEqual([[1, 1, 98], [99.5]])
})

test('a day that cannot be read or made keeps its record, and the others of its symbol get theirs', async () => {
  const store = memoryStore()
  const dates = ['2026-07-24', '2026-07-27', '2026-07-28', '2026-07-29'].map(day)
  await store.writeSnapshots(dates.map((date, k) => snapshot(KO, date, '16:00', 95 + k)))
  await store.writeRecords(
    KO,
    dates.map((date) => recordOf(date, { close: 1 }))
  )
  const days = dates.map((date): OutdatedDay => ({ symbol: KO, date, last: eastern(date, '16:00') }))
  const closingSnapshot: typeof store.closingSnapshot = async (symbol, date) => {
    if (date === '2026-07-27') throw new Error('the row is torn')
    return store.closingSnapshot(symbol, date)
  }
  const dying: TestTasks['makeRecord'] = async (asked) => {
    if (asked.snapshot.asOf === eastern('2026-07-29', '16:00')) throw new Error('the worker died')
    return engine.run('makeRecord', asked)
  }
  const renewed: Ticker[] = []
  const onRecords = (symbol: Ticker) => renewed.push(symbol)
  const done = await renewRecords(days, {
    store: { ...store, closingSnapshot },
    engine: engineWith({ makeRecord: dying }),
    signal,
    onRecords
  })
  expect([done.migrated, done.left, renewed]).toEqual([2, 2, [KO]])
  expect(done.failure?.message).toBe('the record of KO for 2026-07-27 cannot be made')
  expect(done.failure?.cause).toEqual(new Error('the row is torn'))
  expect((await store.records(KO, day('2026-08-01'), 9)).map(({ close }) => close)).toEqual([95, 1, 97, 1])
})

test('a day that fails because the service stops is the last that is tried', async () => {
  const stopping = new AbortController()
  let asked = 0
  const closingSnapshot = () => {
    asked++
    stopping.abort()
    return Promise.reject(new Error('closed'))
  }
  const days = ['2026-07-27', '2026-07-28'].map((date) => ({
    symbol: KO,
    date: day(date),
    last: eastern(date, '16:00')
  }))
  const options = { store: { ...memoryStore(), closingSnapshot }, engine, signal: stopping.signal, onRecords: () => {} }
  expect([await renewRecords(days, options), asked]).toEqual([{ migrated: 0, left: 0, failure: undefined }, 1])
})

test('nothing is made once the service stops', async () => {
  const days = [{ symbol: KO, date: day('2026-07-28'), last: eastern('2026-07-28', '16:00') }]
  const options = { store: memoryStore(), engine, signal: AbortSignal.abort(), onRecords: () => {} }
  expect(await renewRecords(days, options)).toEqual({ migrated: 0, left: 0 })
})

test.skipIf(!hasEngine)('an archive names the days whose newest record an older version made', async () => {
  const data = dataFolder()
  const open = (recordVersion: number) => openHistory({ data, history: 'embedded', recordVersion })
  const first = await open(1)
  await first.store!.writeSnapshots([snapshot(KO, '2026-07-28', '15:58', 98), snapshot(KO, '2026-07-28', '12:00', 97)])
  await first.store!.writeRecords(KO, [recordOf(day('2026-07-27')), recordOf(day('2026-07-28'))])
  await first.store!.writeRecords(PEP, [recordOf(day('2026-07-28'))])
  expect(await first.outdated!()).toEqual([])
  await first.store!.close()

  const second = await open(2)
  expect(await second.outdated!()).toEqual([
    { symbol: KO, date: '2026-07-27', last: undefined },
    { symbol: KO, date: '2026-07-28', last: eastern('2026-07-28', '15:58') },
    { symbol: PEP, date: '2026-07-28', last: undefined }
  ])
  await second.store!.writeRecords(KO, [recordOf(day('2026-07-28'), { close: 5 })])
  expect((await second.outdated!()).map(({ symbol, date }) => `${symbol} ${date}`)).toEqual([
    'KO 2026-07-27',
    'PEP 2026-07-28'
  ])
  expect((await second.store!.records(KO, day('2026-07-29'), 1))[0].close).toBe(5)
  await second.store!.close()
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryStore } from '../../src/archive/history-store.ts'
import { openHistory } from '../../src/archive/open.ts'
import { customersUntil, newestSettled } from '../../src/archive/past-customers.ts'
import { session } from '../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dataFolder, hasEngine } from '../support/engine.ts'
import { knownCustomers } from '../support/known-holders.ts'
import { memoryStore } from '../support/memory-store.ts'

const SPY = 'SPY' as Ticker
const date = (text: string) => text as IsoDate
const rows = knownCustomers(SPY, date('2026-07-31'), 70)
const after = date('2026-07-31')

const stores: readonly (readonly [name: string, open: () => Promise<HistoryStore>, isHere: boolean])[] = [
  ['memory', async () => memoryStore(), true],
  [
    'the database',
    async () => (await openHistory({ data: dataFolder(), history: 'embedded', recordVersion: 1 })).store!,
    hasEngine
  ]
]

test('a session counts from the close of the next, whenever of that day its open interest came', () => {
  const { close } = session(date('2026-08-03'))!
  expect(newestSettled(close - 1)).toBe('2026-07-30')
  expect(newestSettled(close)).toBe('2026-07-31')
  expect(newestSettled(session(date('2026-07-31'))!.close)).toBe('2026-07-30')
})

for (const [name, openStore, isHere] of stores) {
  describe.skipIf(!isHere)(`sides of customers in ${name}${isHere ? '' : ' (skipped: the engine is not here)'}`, () => {
    let store: HistoryStore
    beforeAll(async () => {
      store = await openStore()
      await store.writeCustomers([...rows.slice(0, 30), { ...rows[0], symbol: 'QQQ' as Ticker }])
      await store.writeCustomers(rows.slice(30))
      await store.writeCustomers([])
    })
    afterAll(() => store.close())

    test('come back as they were written, of the sessions asked for', async () => {
      expect(await store.customers(SPY, rows[3].session, rows[40].session)).toEqual(rows.slice(3, 41))
      expect(await store.customers('T' as Ticker, rows[0].session, after)).toEqual([])
    })

    test('are those of the newest sixty sessions that had settled', async () => {
      const { open, close } = session(after)!
      expect(await customersUntil(store, SPY, close)).toEqual(rows.slice(-60))
      for (const at of [open, close - 1]) expect(await customersUntil(store, SPY, at)).toEqual(rows.slice(-61, -1))
    })

    test('take the place of what was written of the same session', async () => {
      const other = { ...rows[0], symbol: 'QQQ' as Ticker, groups: rows[1].groups }
      await store.writeCustomers([other])
      expect(await store.customers('QQQ' as Ticker, rows[0].session, after)).toEqual([other])
    })
  })
}

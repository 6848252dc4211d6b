import { expect, test } from 'vitest'
import type { HistoryStore } from '../../src/archive/history-store.ts'
import { withKeptDays } from '../../src/archive/kept-days.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { addDays, session } from '../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'
import { madeUpRecords, sessionsBefore } from '../support/made-up-records.ts'
import { memoryStore } from '../support/memory-store.ts'

const [KO, T] = ['KO', 'T'] as unknown as readonly [Ticker, Ticker]
const last = '2026-07-29' as IsoDate
const dates = sessionsBefore(addDays(last, 1), 30)
const barOf = (date: IsoDate, close = 10): DailyBar => ({ date, open: 9, high: 11, low: 8, close, volume: 100 })
const paid = (exDate: string, knownOn: string, amount = 0.5) => ({
  exDate: exDate as IsoDate,
  amount,
  knownFrom: eastern(knownOn, '00:00')
})

/** An archive with days of two symbols, the same with its days kept, and how often it was asked. */
async function archives() {
  const plain = memoryStore()
  let asked = 0
  const counted: HistoryStore = {
    ...plain,
    bars(...args) {
      asked++
      return plain.bars(...args)
    },
    records(...args) {
      asked++
      return plain.records(...args)
    },
    dividends(...args) {
      asked++
      return plain.dividends(...args)
    }
  }
  const kept = withKeptDays(counted)
  for (const symbol of [KO, T]) {
    await kept.writeBars(
      symbol,
      dates.map((date, k) => barOf(date, 10 + k)),
      'recorded'
    )
    await kept.writeRecords(symbol, madeUpRecords(addDays(last, 1), 30, 1))
    await kept.writeDividends(symbol, [paid('2026-07-20', '2026-07-01'), paid('2026-08-20', '2026-07-25', 0.3)])
  }
  return { plain, kept, asked: () => asked }
}

test('every list at every moment is the one of the archive, which is asked for each once', async () => {
  const { plain, kept, asked } = await archives()
  for (const date of [...dates, addDays(last, 1), '2020-01-02' as IsoDate]) {
    for (const time of ['09:30', '12:59:59', '16:00', '23:00']) {
      const at = eastern(date, time)
      for (const count of [0, 1, 7, 400]) {
        expect(await kept.bars(KO, at, count)).toEqual(count === 0 ? [] : await plain.bars(KO, at, count))
        expect(await kept.records(KO, date, count)).toEqual(count === 0 ? [] : await plain.records(KO, date, count))
      }
      expect(await kept.dividends(KO, at)).toEqual(await plain.dividends(KO, at))
    }
  }
  expect(asked()).toBe(3)
})

test('errors of bands are read once, and anew after any record was written', async () => {
  const { plain, kept } = await archives()
  const found = await kept.bandErrors(dates[0], last)
  expect(found).toEqual(await plain.bandErrors(dates[0], last))
  expect(found.length).toBeGreaterThan(0)
  expect(await kept.bandErrors(dates[0], last)).toBe(found)
  await kept.writeRecords(T, [{ ...madeUpRecords(last, 1, 1)[0], bandGexAll: 7 }])
  expect((await kept.bandErrors(dates[0], last)).some(({ bandGexAll }) => bandGexAll === 7)).toBe(true)
})

test('what is written is given at once, and the lists of another symbol stay', async () => {
  const { kept, asked } = await archives()
  const at = session(last)!.close
  const closes = async (symbol: Ticker) => (await kept.bars(symbol, at, 2)).map(({ close }) => close)
  expect(await closes(KO)).toEqual([38, 39])
  expect(await closes(T)).toEqual([38, 39])
  const before = asked()
  await kept.writeBars(KO, [barOf(last, 99)], 'recorded')
  expect(await closes(KO)).toEqual([38, 99])
  expect(await closes(T)).toEqual([38, 39])
  expect(asked()).toBe(before + 1)
  await kept.writeDividends(KO, [paid('2026-08-20', '2026-07-25', 0.7)])
  expect((await kept.dividends(KO, at)).at(-1)?.amount).toBe(0.7)
})

test('a split changes the days of its symbol alone, and those before it not at all', async () => {
  const { plain, kept } = await archives()
  const at = session(last)!.close
  await kept.bars(KO, at, 5)
  await kept.writeSplits(KO, [
    { date: dates[20], ratio: 2 },
    { date: '2150-01-05' as IsoDate, ratio: 3 }
  ])
  for (const date of [dates[19], dates[20], last]) {
    const close = session(date)!.close
    expect(await kept.bars(KO, close, 400)).toEqual(await plain.bars(KO, close, 400))
    expect(await kept.records(KO, date, 400)).toEqual(await plain.records(KO, date, 400))
  }
  expect(await kept.splits(KO)).toEqual(await plain.splits(KO))
  expect((await kept.bars(KO, session(dates[19])!.close, 1))[0].close).toBe(58)
  expect((await kept.bars(T, session(dates[19])!.close, 1))[0].close).toBe(29)
})

test('what is read while something is written is not kept', async () => {
  const { plain } = await archives()
  await plain.writeBars(KO, [barOf(last, 1)], 'recorded')
  let release = () => {}
  const slow: HistoryStore = {
    ...plain,
    async bars(...args) {
      const found = await plain.bars(...args)
      await new Promise<void>((resolve) => (release = resolve))
      return found
    }
  }
  const kept = withKeptDays(slow)
  const at = session(last)!.close
  const read = kept.bars(KO, at, 1)
  await new Promise((resolve) => setImmediate(resolve))
  await kept.writeBars(KO, [barOf(last, 2)], 'recorded')
  release()
  expect((await read)[0]?.close).toBe(1)
  const again = kept.bars(KO, at, 1)
  await new Promise((resolve) => setImmediate(resolve))
  release()
  expect((await again)[0]?.close).toBe(2)
})

test('a write that fails drops what is kept as well: it may have written something', async () => {
  const { plain } = await archives()
  let asked = 0
  const kept = withKeptDays<HistoryStore>({
    ...plain,
    records(...args) {
      asked++
      return plain.records(...args)
    },
    writeRecords: () => Promise.reject(new Error('no answer'))
  })
  await kept.records(KO, last, 5)
  await expect(kept.writeRecords(KO, [])).rejects.toThrow('no answer')
  await kept.records(KO, last, 5)
  expect(asked).toBe(2)
})

test('what others write is given within a second, and only a version that stays spares the archive', async () => {
  const { plain } = await archives()
  let [now, version, asked, checks] = [0, 'a' as string | undefined, 0, 0]
  const counted: HistoryStore = {
    ...plain,
    bars(...args) {
      asked++
      return plain.bars(...args)
    }
  }
  const kept = withKeptDays(counted, {
    async version() {
      checks++
      return version
    },
    now: () => now
  })
  const at = session(last)!.close
  const close = async () => (await kept.bars(KO, at, 1))[0]?.close
  expect(await Promise.all([close(), close()])).toEqual([39, 39])
  const before = asked
  await plain.writeBars(KO, [barOf(last, 99)], 'recorded')
  version = 'b'
  now = 999
  expect([await close(), asked, checks]).toEqual([39, before, 1])
  now = 1000
  expect([await close(), asked, checks]).toEqual([99, before + 1, 2])
  now = 2000
  expect([await close(), asked, checks]).toEqual([99, before + 1, 3])
  // If the version is unknown, everything is read again each second.
  version = undefined
  now = 3000
  expect([await close(), asked]).toEqual([99, before + 2])
  now = 4000
  expect([await close(), asked]).toEqual([99, before + 3])
})

test('where the version cannot be asked nothing is kept for longer than a second, and the archive itself is asked', async () => {
  const { plain } = await archives()
  let now = 0
  const kept = withKeptDays(plain, { version: () => Promise.reject(new Error('no access')), now: () => now })
  const at = session(last)!.close
  const close = async () => (await kept.bars(KO, at, 1))[0]?.close
  expect(await close()).toBe(39)
  await plain.writeBars(KO, [barOf(last, 99)], 'recorded')
  expect(await close()).toBe(39)
  now = 1000
  expect(await close()).toBe(99)
})

import { describe, expect, test } from 'vitest'
import { type Dividend, knownFrom } from '../../../src/market/dividend.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { alpha, minute, settled, standing, ticker } from '../standing-market.ts'

const AAPL = ticker('AAPL')
const hour = 60 * minute
const dividend = (exDate: string, amount: number, declared?: string): Dividend => ({
  exDate: exDate as IsoDate,
  amount,
  knownFrom: knownFrom(exDate as IsoDate, declared as IsoDate | undefined)
})
/** Declared on the day of the market, a Wednesday: it counts from Thursday on. */
const august = dividend('2026-08-10', 0.26, '2026-07-28')
const september = dividend('2026-09-10', 0.3, '2026-07-29')

async function withDividends(...dividends: readonly Dividend[]) {
  const archive = memoryStore()
  await archive.writeDividends(AAPL, dividends)
  const stood = standing([], { archive })
  const loaded = async () => (await stood.live.chain(AAPL, alpha))?.dividends
  return { ...stood, archive, loaded }
}

describe('the chain of a symbol', () => {
  test('has the dividends to be expected at its moment, from its first load on', async () => {
    const { loaded } = await withDividends(august, september)
    expect(await loaded()).toEqual([august])
  })

  test('has none where the archive has none, or there is no archive', async () => {
    const { loaded } = await withDividends()
    expect(await loaded()).toBeUndefined()
    expect((await standing().live.chain(AAPL, alpha))?.dividends).toBeUndefined()
  })

  test('has those that are known since the day before once the date has changed', async () => {
    const { clock, loaded } = await withDividends(august, september)
    await loaded()
    clock.pass(24 * hour)
    await loaded()
    await settled()
    clock.pass(minute)
    expect(await loaded()).toEqual([august, september])
  })

  test('has what an import adds while the service runs, from the next load on', async () => {
    const { clock, archive, events, loaded } = await withDividends()
    await loaded()
    await archive.writeDividends(AAPL, [august])
    events.emit('daysWritten', { symbol: AAPL, written: 'dividends' })
    clock.pass(minute)
    expect(await loaded()).toEqual([august])
  })

  test('at a past close has those that were known by then', async () => {
    const { live } = await withDividends(august, september)
    const yesterday = '2026-07-28' as IsoDate
    expect((await live.closing(AAPL, yesterday))?.dividends).toBeUndefined()
    const { live: other } = await withDividends({ ...august, knownFrom: 0 })
    expect((await other.closing(AAPL, yesterday))?.dividends).toEqual([{ ...august, knownFrom: 0 }])
  })
})

describe('an archive that', () => {
  test('fails leaves the chain without dividends', async () => {
    const { archive, loaded } = await withDividends(august)
    archive.dividends = () => Promise.reject(new Error('the disk is gone'))
    expect(await loaded()).toBeUndefined()
  })

  test('hangs holds up the first chain for a quarter of a second, and no other', async () => {
    const archive = memoryStore()
    archive.dividends = () => new Promise(() => {})
    const waits: { milliseconds: number; run: () => void }[] = []
    const after = (milliseconds: number, run: () => void) => {
      waits.push({ milliseconds, run })
      return () => {}
    }
    const { live, clock } = standing([], { archive, after })
    const first = Promise.resolve(live.chain(AAPL, alpha))
    await settled()
    const wait = waits.find(({ milliseconds }) => milliseconds === 250)
    expect(wait).toBeDefined()
    wait!.run()
    const chain = await first
    expect(chain?.size).toBeGreaterThan(0)
    waits.length = 0
    clock.pass(minute)
    await live.chain(AAPL, alpha)
    expect(waits.filter(({ milliseconds }) => milliseconds === 250)).toEqual([])
  })

  test('is not asked for an index', async () => {
    const archive = memoryStore()
    const asked: string[] = []
    archive.dividends = async (symbol) => {
      asked.push(symbol)
      return []
    }
    const { live } = standing([], { archive })
    await live.chain(ticker('SPX'), alpha)
    await live.chain(AAPL, alpha)
    expect(asked).toEqual(['AAPL'])
  })
})

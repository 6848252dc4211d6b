import { describe, expect, test } from 'vitest'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { parseLeanName } from '../../src/imports/lean/lean-names.ts'
import { lastTradingDate } from '../../src/imports/tables/table-dates.ts'
import { isKnownClosed } from '../../src/market/calendar.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { folderWith, noParquet, take } from './take.ts'

const day = (date: string) => date as IsoDate

test.each([
  ['a weekend', '2012-12-22', '2010-01-04', true],
  ['Good Friday', '2024-03-29', '2022-01-03', true],
  ['a day of mourning before its announcement', '2025-01-09', '2024-12-27', false],
  ['a day of mourning from its announcement on', '2025-01-09', '2024-12-30', true],
  ['a storm on its eve', '2012-10-29', '2012-10-26', false],
  ['a session', '2025-01-10', '2025-01-06', false]
])('%s is known as closed or not', (_, date, on, known) => {
  expect(isKnownClosed(day(date), day(on))).toBe(known)
})

describe('an expiration on a day that was closed later', () => {
  const chain = (date: string) =>
    take((writer) => {
      const rows = ['2025-01-08', '2025-01-09', '2025-01-10'].map(
        (listed, k) => `${date},SPX,SPXW,${listed},5900,C,${k + 1},${k + 2},5900`
      )
      const text = `date,symbol,root,expiration,strike,right,bid,ask,underlying_price\n${rows.join('\n')}\n`
      const archive = { bars: async () => [], writeTableText: noParquet }
      return importChains([folderWith({ 'spx.csv': text })], { columns: undefined, symbol: undefined, archive }, writer)
    })

  test('is one of its own before that was announced', async () => {
    const { snapshots, rejections } = await chain('2024-12-20')
    expect(rejections).toEqual([])
    expect(snapshots[0].chain.expirations.map(({ date }) => date)).toEqual(['2025-01-08', '2025-01-09', '2025-01-10'])
    expect([...snapshots[0].chain.bid]).toEqual([1, 2, 3])
  })

  test('is that of the session before once it was, and two that differ are set aside', async () => {
    expect(lastTradingDate(day('2025-01-09'), day('2025-01-06'))).toBe('2025-01-08')
    const { snapshots, rejections } = await chain('2025-01-06')
    expect(snapshots).toEqual([])
    expect(rejections[0].reason).toContain('come twice with other figures')
  })

  test('of a Saturday is the Friday, whenever', () => {
    expect(lastTradingDate(day('2012-12-22'), day('2010-01-04'))).toBe('2012-12-21')
    expect(lastTradingDate(day('2025-01-09'))).toBe('2025-01-08')
  })

  test('of LEAN stands as listed until then', () => {
    const name = (date: string) => parseLeanName(`${date}_spxw_minute_quote_european_call_59000000_20250109.csv`)
    expect(name('20241220')?.option?.expiration).toBe('2025-01-09')
    expect(name('20250106')?.option?.expiration).toBe('2025-01-08')
  })
})

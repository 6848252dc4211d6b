import { describe, expect, test } from 'vitest'
import { addDays, isTradingDay } from '../../../src/market/calendar.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { atmVolatility } from '../../../src/volatility/smile/smile-volatility.ts'
import { referenceSlice, referenceSmile, referenceVolatility } from '../../../src/volatility/term/reference-slice.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, leaning, quotedWhere, series } from '../chains.ts'

const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
const today = series('2026-07-29', { strikes: ladder(96, 104, 0.5), sigma: 0.3 })
const week = series('2026-08-05')
const month = series('2026-08-28')

describe('the reference slice', () => {
  test('is the accepted one nearest to 30 days', () => {
    expect(referenceSlice(chainOf([today, week, month]))?.date).toBe('2026-08-28')
    expect(referenceSlice(chainOf([today, week, { ...month, sigma: wild }]))?.date).toBe('2026-08-05')
    expect(referenceSlice(chainOf([week, series('2026-09-30')]))?.date).toBe('2026-08-05')
    expect(referenceSlice(chainOf([week, series('2026-09-18')]))?.date).toBe('2026-09-18')
  })

  test('is the shorter of two that are as near', () => {
    expect(referenceSlice(chainOf([series('2026-08-21'), series('2026-09-04')]))?.date).toBe('2026-08-21')
  })

  test.each([
    '2026-08-26',
    '2026-08-27',
    '2026-08-28',
    '2026-08-29',
    '2026-08-30',
    '2026-08-31'
  ])('has no season of the week where every day is quoted at one volatility (%s)', (date) => {
    const days = Array.from({ length: 40 }, (_, k) => addDays(date as IsoDate, k + 1)).filter(isTradingDay)
    const chain = chainOf(
      days.map((day) => series(day, { sigma: 0.2 })),
      { date }
    )
    expect(referenceSlice(chain)!.days).toBeGreaterThan(27)
    expect(referenceVolatility(chain)).toBeCloseTo(0.2, 3)
  })

  test('is that of today where no other is accepted', () => {
    const chain = chainOf([today, { ...week, sigma: wild }])
    expect(referenceSlice(chain)?.date).toBe('2026-07-29')
    expect(referenceVolatility(chain)).toBeCloseTo(0.3, 2)
  })

  test('does not exist without an accepted slice; the volatility is then interpolated, not that of today first', () => {
    const chain = chainOf([
      { ...today, sigma: (k) => 0.3 + (k % 1 === 0 ? 0.2 : 0) },
      { ...month, sigma: wild }
    ])
    expect(referenceSlice(chain)).toBeUndefined()
    expect(referenceSmile(chain)?.date).toBe('2026-08-28')
    expect(referenceVolatility(chain)).toBe(atmVolatility(referenceSmile(chain)!))
  })

  test('and the volatility do not exist without quotes', () => {
    const chain = chainOf([{ ...month, quote: quotedWhere(() => false) }])
    expect(referenceSmile(chain)).toBeUndefined()
    expect(referenceVolatility(chain)).toBeUndefined()
  })
})

describe('the volatility of a chain', () => {
  const month28 = (strikes: readonly number[]) => ({
    ...month,
    quote: quotedWhere((strike) => strikes.includes(strike))
  })

  test.each([
    ['five quotes', [96, 98, 99, 102, 104]],
    ['one put', [99, 101, 102, 103, 104, 105]],
    ['two quotes', [99, 102]]
  ])('stays that of its expiration where %s are left of it', (_, strikes) => {
    const chain = chainOf([week, month28(strikes), series('2026-10-16', { sigma: 0.4 })])
    expect(referenceSlice(chain)?.date).toBe('2026-08-05')
    expect(referenceSmile(chain)?.date).toBe('2026-08-28')
    expect(referenceVolatility(chain)).toBeCloseTo(referenceVolatility(chainOf([week, month]))!, 2)
  })

  test.each([
    ['far from the forward on one side', [96, 98, 99, 108, 110]],
    ['on one side alone', [90, 92, 94, 96, 98, 99]]
  ])('is that of the next one where its quotes lie %s', (_, strikes) => {
    expect(referenceSmile(chainOf([week, month28(strikes)]))?.date).toBe('2026-08-05')
  })
})

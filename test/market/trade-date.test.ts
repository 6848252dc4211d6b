import { expect, test } from 'vitest'
import { tradeDate, tradesFrom } from '../../src/market/trade-date.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

test.each([
  ['a Wednesday', '2026-07-29', '12:00', '2026-07-29'],
  ['before the open', '2026-07-29', '00:00', '2026-07-29'],
  ['the last minute before the evening', '2026-07-29', '17:59:59', '2026-07-29'],
  ['the evening', '2026-07-29', '18:00', '2026-07-30'],
  ['the night', '2026-07-29', '23:59:59', '2026-07-30'],
  ['a Friday evening', '2026-07-31', '20:15', '2026-08-03'],
  ['a Saturday', '2026-08-01', '12:00', '2026-08-03'],
  ['a Sunday evening', '2026-08-02', '20:15', '2026-08-03'],
  ['the evening before a holiday', '2026-11-25', '18:00', '2026-11-27'],
  ['a holiday', '2026-11-26', '10:00', '2026-11-27'],
  ['a half day', '2026-11-27', '17:00', '2026-11-27'],
  ['the evening of a half day', '2026-11-27', '18:00', '2026-11-30'],
  ['the day of the spring change', '2026-03-08', '20:00', '2026-03-09'],
  ['the Friday evening before it', '2026-03-06', '18:00', '2026-03-09'],
  ['the day of the autumn change', '2026-11-01', '17:00', '2026-11-02'],
  ['New Year', '2026-12-31', '18:00', '2027-01-04']
])('%s, %s %s, is traded for %s', (_, date, time, session) => {
  expect(tradeDate(eastern(date, time))).toBe(session)
})

test('the evening begins between two moments that are asked by turns', () => {
  const [before, after] = [eastern('2026-07-29', '17:59:59'), eastern('2026-07-29', '18:00')]
  expect([before, after, before, before + 999, after, after + 59_999].map(tradeDate)).toEqual(
    ['29', '30', '29', '29', '30', '30'].map((day) => `2026-07-${day}`)
  )
})

test('the hour that happens twice in autumn belongs to one session', () => {
  const second = Date.parse('2026-11-01T06:30:00Z') // 01:30 for the second time
  expect(tradeDate(second)).toBe('2026-11-02')
  expect(tradeDate(second - 3_600_000)).toBe('2026-11-02')
})

test.each([
  '2026-07-29',
  '2026-08-03',
  '2026-11-27',
  '2026-03-09',
  '2026-11-02',
  '2027-01-04'
])('trades of %s begin on the evening of the exchange day before', (date) => {
  const from = tradesFrom(date as IsoDate)
  expect(tradeDate(from)).toBe(date)
  expect(tradeDate(from - 1) < date).toBe(true)
})

import { describe, expect, test } from 'vitest'
import { nextClose, nextOpen } from '../../src/market/calendar.ts'
import { marketSession } from '../../src/market/market-session.ts'
import { isoInstant } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

const at = (moment: string) => eastern(moment.slice(0, 10), moment.slice(11))

describe('the session of a moment', () => {
  test.each([
    ['2026-07-29 00:00', 'pre', '2026-07-29', '2026-07-28', '2026-07-30T13:30:00Z'],
    ['2026-07-29 09:29:59', 'pre', '2026-07-29', '2026-07-28', '2026-07-30T13:30:00Z'],
    ['2026-07-29 09:30', 'open', '2026-07-29', '2026-07-28', '2026-07-30T13:30:00Z'],
    ['2026-07-29 15:59:59', 'open', '2026-07-29', '2026-07-28', '2026-07-30T13:30:00Z'],
    ['2026-07-29 16:00', 'closed', '2026-07-29', '2026-07-28', '2026-07-30T13:30:00Z'],
    ['2026-07-31 23:59', 'closed', '2026-07-31', '2026-07-30', '2026-08-03T13:30:00Z'],
    ['2026-08-02 12:00', 'holiday', '2026-07-31', '2026-07-30', '2026-08-03T13:30:00Z'],
    ['2026-09-07 12:00', 'holiday', '2026-09-04', '2026-09-03', '2026-09-08T13:30:00Z'], // Labor day
    ['2026-11-27 12:59', 'open', '2026-11-27', '2026-11-25', '2026-11-30T14:30:00Z'], // half day after Thanksgiving
    ['2026-11-27 13:00', 'closed', '2026-11-27', '2026-11-25', '2026-11-30T14:30:00Z']
  ])('%s is %s', (moment, status, date, previousDate, next) => {
    const found = marketSession(at(moment))
    expect(found).toMatchObject({ status, date, previousDate, early: date === '2026-11-27' })
    expect(isoInstant(found.nextOpen)).toBe(isoInstant(Date.parse(next)))
  })

  test.each([
    ['2026-11-27 09:00', '2026-11-25 16:00'],
    ['2026-11-27 12:59', '2026-11-25 16:00'],
    ['2026-11-27 13:00', '2026-11-27 13:00'], // half day
    ['2026-11-30 09:29', '2026-11-27 13:00']
  ])('at %s the last close is that of %s', (moment, close) => {
    expect(isoInstant(marketSession(at(moment)).lastClose)).toBe(isoInstant(at(close)))
  })
})

test('the next open is later, the next close may be now', () => {
  const moment = (of: number) => isoInstant(of)
  expect(moment(nextOpen(at('2026-07-29 09:29')))).toBe(moment(at('2026-07-29 09:30')))
  expect(moment(nextOpen(at('2026-07-29 09:30')))).toBe(moment(at('2026-07-30 09:30')))
  expect(moment(nextOpen(at('2026-07-31 17:00')))).toBe(moment(at('2026-08-03 09:30')))
  expect(moment(nextClose(at('2026-07-29 16:00')))).toBe(moment(at('2026-07-29 16:00')))
  expect(moment(nextClose(at('2026-07-29 16:01')))).toBe(moment(at('2026-07-30 16:00')))
  expect(moment(nextClose(at('2026-11-26 12:00')))).toBe(moment(at('2026-11-27 13:00')))
})

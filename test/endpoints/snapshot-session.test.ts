import { expect, test } from 'vitest'
import { snapshotSession } from '../../src/endpoints/market/stock-summary/snapshot-session.ts'
import { addDays, isTradingDay, previousTradingDay, session } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

test.each([
  ['an hour into a Wednesday', '2026-07-29', '10:30', '2026-07-28'],
  ['the minute the snapshot is renewed', '2026-07-29', '09:31', '2026-07-28'],
  ['the second before', '2026-07-29', '09:30:59', '2026-07-27'],
  ['a Wednesday just after midnight', '2026-07-29', '00:00:01', '2026-07-27'],
  ['a Wednesday after the close', '2026-07-29', '20:00', '2026-07-28'],
  ['a Saturday', '2026-08-01', '12:00', '2026-07-30'],
  ['a Sunday at night', '2026-08-02', '23:59', '2026-07-30'],
  ['a Monday before the open', '2026-08-03', '09:00', '2026-07-30'],
  ['a Monday after the open', '2026-08-03', '09:31', '2026-07-31'],
  ['a Tuesday after the open', '2026-08-04', '09:31', '2026-08-03'],
  ['Thanksgiving', '2026-11-26', '12:00', '2026-11-24'],
  ['the half day after it, before the open', '2026-11-27', '09:00', '2026-11-24'],
  ['the half day after it, open', '2026-11-27', '09:31', '2026-11-25'],
  ['the half day after it, closed', '2026-11-27', '13:30', '2026-11-25'],
  ['the Monday after the half day', '2026-11-30', '10:00', '2026-11-27'],
  ['Good Friday', '2026-04-03', '15:00', '2026-04-01'],
  ['the Monday after it, before the open', '2026-04-06', '09:29', '2026-04-01'],
  ['the Monday after it, open', '2026-04-06', '09:31', '2026-04-02'],
  ['the day the clocks change', '2026-03-08', '12:00', '2026-03-05'],
  ['the session after the clocks changed', '2026-03-09', '09:31', '2026-03-06']
])('on %s the snapshot is that of the right session', (_, date, time, expected) => {
  expect(snapshotSession(eastern(date, time))).toBe(expected)
})

test('over a year it is a past session that changes at 09:31 of trading days and at no other time', () => {
  for (let date = '2026-01-01' as IsoDate; date < '2027-01-01'; date = addDays(date, 1)) {
    const seen = ['00:00', '09:30', '09:30:59', '09:31', '16:00', '23:59'].map((time) => {
      const shown = snapshotSession(eastern(date, time))
      expect(session(shown)!.close).toBeLessThan(eastern(date, time))
      expect(shown < easternDate(eastern(date, time))).toBe(true)
      return shown
    })
    const [first, last] = [seen[0], seen[5]]
    expect(seen).toEqual([first, first, first, last, last, last])
    if (isTradingDay(date)) expect([first, last]).toEqual([previousTradingDay(last), previousTradingDay(date)])
    else expect(first).toBe(last)
  }
})

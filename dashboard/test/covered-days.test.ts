import { expect, test } from 'vitest'
import { levelOf, monthAfter, nearestSession, weeksOf } from '../src/state/service/covered-days.ts'

const covered = [
  { from: '2026-07-22', to: '2026-07-23', level: 'imported' },
  { from: '2026-11-16', to: '2026-11-20', level: 'recorded' }
]

test('a session is of the kind of its stretch, and between stretches of none', () => {
  expect(levelOf(covered, '2026-07-22')).toBe('imported')
  expect(levelOf(covered, '2026-11-20')).toBe('recorded')
  expect(levelOf(covered, '2026-08-03')).toBeUndefined()
})

test('the nearest session is the date itself, or the nearer end of a stretch', () => {
  expect(nearestSession(covered, '2026-11-18')).toBe('2026-11-18')
  expect(nearestSession(covered, '2019-01-02')).toBe('2026-07-22')
  expect(nearestSession(covered, '2026-08-03')).toBe('2026-07-23')
  expect(nearestSession(covered, '2026-11-15')).toBe('2026-11-16')
  expect(nearestSession(covered, '2027-01-01')).toBe('2026-11-20')
  expect(nearestSession([], '2026-11-18')).toBeUndefined()
})

test.each(['2026-02', '2026-11', '2028-02', '2026-08'])('the weeks of %s hold each of its weekdays once', (month) => {
  const days = weeksOf(month)
    .flat()
    .filter((date) => date !== undefined)
  const weekdays = Array.from({ length: 31 }, (_, i) => new Date(`${month}-01T12:00Z`).setUTCDate(i + 1))
    .map((time) => new Date(time))
    .filter((at) => at.toISOString().startsWith(month) && ![0, 6].includes(at.getUTCDay()))
    .map((at) => at.toISOString().slice(0, 10))
  expect(days).toEqual(weekdays)
  for (const week of weeksOf(month)) {
    expect(week).toHaveLength(5)
    for (const [i, date] of week.entries())
      if (date !== undefined) expect(new Date(`${date}T12:00Z`).getUTCDay()).toBe(i + 1)
  }
})

test('months follow one another over the end of a year', () => {
  expect([monthAfter('2026-12', 1), monthAfter('2027-01', -1)]).toEqual(['2027-01', '2026-12'])
})

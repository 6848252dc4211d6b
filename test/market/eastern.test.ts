import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  easternDate,
  easternDateTime,
  easternMinutes,
  instantOfEastern,
  parseEasternDateTime
} from '../../src/market/eastern.ts'
import type { Instant } from '../../src/market/units.ts'
import { isoInstant, parseIsoDate } from '../../src/market/units.ts'

const instant = (text: string): Instant => Date.parse(text)
const date = (text: string) => parseIsoDate(text)!

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit'
})

/** The time zone database's word for it, as 2026-07-29T16:14:59. */
function shownInNewYork(at: Instant): string {
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`
}

function written(at: Instant): string {
  const minutes = easternMinutes(at)
  const two = (n: number) => String(n).padStart(2, '0')
  const seconds = Math.floor((minutes * 60 + 1e-6) % 60)
  return `${easternDate(at)}T${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes) % 60)}:${two(seconds)}`
}

describe('New York wall-clock', () => {
  test('agrees with the time zone database at random seconds from 1976 to 2040', () => {
    const seconds = fc.integer({ min: instant('1976-01-01T12:00Z') / 1000, max: instant('2040-12-31T12:00Z') / 1000 })
    fc.assert(
      fc.property(seconds, (second) => {
        expect(written(second * 1000)).toBe(shownInNewYork(second * 1000))
      }),
      { numRuns: 2000 }
    )
  })

  test('agrees with the time zone database around every change of clocks from 1976 to 2040', () => {
    let changes = 0
    let offsetBefore = 0
    for (let at = instant('1976-01-01T00:30Z'); at < instant('2041-01-01T00:00Z'); at += 3_600_000) {
      const offset = Date.parse(`${written(at)}Z`) - at
      if (offset === offsetBefore) continue
      changes++
      offsetBefore = offset
      for (const near of [-3_600_000, -1_800_001, -1_800_000, 0])
        expect(written(at + near)).toBe(shownInNewYork(at + near))
    }
    expect(changes).toBe(1 + 2 * 65)
  })

  test.each([
    ['2026-03-08T06:59:59Z', '2026-03-08', 119 + 59 / 60],
    ['2026-03-08T07:00:00Z', '2026-03-08', 180],
    ['2026-11-01T05:59:00Z', '2026-11-01', 119],
    ['2026-11-01T06:00:00Z', '2026-11-01', 60],
    ['2006-04-02T07:00:00Z', '2006-04-02', 180],
    ['2006-10-29T06:00:00Z', '2006-10-29', 60],
    ['2026-07-29T03:59:59.500Z', '2026-07-28', 1439 + 59.5 / 60],
    ['2026-01-01T04:59:59Z', '2025-12-31', 1439 + 59 / 60],
    ['2026-01-01T05:00:00Z', '2026-01-01', 0],
    ['1969-12-31T15:00:00Z', '1969-12-31', 600]
  ])('at %s the date is %s and the clock shows %d minutes', (at, shown, minutes) => {
    expect(easternDate(instant(at))).toBe(shown)
    expect(easternMinutes(instant(at))).toBeCloseTo(minutes, 9)
  })

  test('date and minutes lead back to the instant, except in the second passing of the repeated hour', () => {
    const milliseconds = fc.integer({ min: instant('1990-01-01T12:00Z'), max: instant('2040-12-31T12:00Z') })
    fc.assert(
      fc.property(milliseconds, (at) => {
        const back = instantOfEastern(easternDate(at), easternMinutes(at))
        expect([at, at - 3_600_000]).toContain(back)
        expect(written(back)).toBe(written(at))
      })
    )
  })

  test('an hour that happens twice means its first passing, one that is skipped an hour later', () => {
    expect(isoInstant(instantOfEastern(date('2026-11-01'), 90))).toBe('2026-11-01T05:30:00.000Z')
    expect(isoInstant(instantOfEastern(date('2026-03-08'), 150))).toBe('2026-03-08T07:30:00.000Z')
    expect(isoInstant(instantOfEastern(date('2026-03-08'), 120))).toBe('2026-03-08T07:00:00.000Z')
  })

  test('the open is at 09:30 in winter and in summer', () => {
    expect(isoInstant(instantOfEastern(date('2026-01-15'), 570))).toBe('2026-01-15T14:30:00.000Z')
    expect(isoInstant(instantOfEastern(date('2026-07-15'), 570))).toBe('2026-07-15T13:30:00.000Z')
    expect(isoInstant(instantOfEastern(date('2026-07-15'), 570.5))).toBe('2026-07-15T13:30:30.000Z')
  })
})

describe('parseEasternDateTime', () => {
  test.each([
    ['2026-07-29T16:14:59', '2026-07-29T20:14:59.000Z'],
    ['2026-01-29T16:14:59', '2026-01-29T21:14:59.000Z'],
    ['2026-07-29T00:00:00', '2026-07-29T04:00:00.000Z'],
    ['2026-07-29T16:14:59.1', '2026-07-29T20:14:59.100Z'],
    ['2026-07-29T16:14:59.123', '2026-07-29T20:14:59.123Z'],
    ['2026-07-29T16:14:59.123999999', '2026-07-29T20:14:59.123Z'],
    ['2024-02-29T09:30:00', '2024-02-29T14:30:00.000Z']
  ])('reads %s as %s', (text, expected) => {
    expect(isoInstant(parseEasternDateTime(text)!)).toBe(expected)
  })

  test.each([
    '',
    '2026-07-29',
    '2026-07-29 16:14:59',
    '2026-07-29T16:14',
    '2026-07-29T24:00:00',
    '2026-07-29T16:60:00',
    '2026-07-29T16:14:60',
    '2026-02-30T16:14:59',
    '2026-07-29T16:14:59Z',
    '2026-07-29T16:14:59-04:00',
    '2026-07-29T16:14:59.',
    '2026-07-29T16:14:59.1234567890',
    '2026-07-29T1a:14:59'
  ])('refuses %j', (text) => {
    expect(parseEasternDateTime(text)).toBeUndefined()
  })
})

describe('easternDateTime', () => {
  test.each([
    ['2026-07-29T20:14:59.000Z', '2026-07-29T16:14:59'],
    ['2026-01-15T14:30:00.000Z', '2026-01-15T09:30:00'],
    ['2026-07-30T03:59:59.007Z', '2026-07-29T23:59:59.007'],
    ['2026-03-08T06:59:59.000Z', '2026-03-08T01:59:59'],
    ['2026-03-08T07:00:00.000Z', '2026-03-08T03:00:00']
  ])('of %s is %s', (instant, expected) => {
    expect(easternDateTime(Date.parse(instant))).toBe(expected)
  })

  test('reads the same both times an hour happens twice', () => {
    expect(easternDateTime(Date.parse('2026-11-01T05:30:00Z'))).toBe('2026-11-01T01:30:00')
    expect(easternDateTime(Date.parse('2026-11-01T06:30:00Z'))).toBe('2026-11-01T01:30:00')
  })

  test('is read back as the instant it was made from, that hour apart', () => {
    const instants = fc.integer({ min: Date.parse('1990-01-01T12:00:00Z'), max: Date.parse('2100-01-01T12:00:00Z') })
    fc.assert(
      fc.property(instants, (instant) => {
        const back = parseEasternDateTime(easternDateTime(instant))!
        expect([instant, instant - 3_600_000]).toContain(back)
        if (back !== instant) expect(easternDateTime(back)).toBe(easternDateTime(instant))
      })
    )
  })
})

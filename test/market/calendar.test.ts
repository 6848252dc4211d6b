import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  completedSession,
  daysBetween,
  isMonthlyOpex,
  isTradingDay,
  isTripleWitching,
  isVixMonthly,
  latestSession,
  nextTradingDay,
  optionsClose,
  previousTradingDay,
  session,
  thirdFriday,
  tradingDays,
  weekday
} from '../../src/market/calendar.ts'
import { easternMinutes } from '../../src/market/eastern.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { dateOfEpochDay, epochDay, isoInstant, parseIsoDate } from '../../src/market/units.ts'

const date = (text: string): IsoDate => parseIsoDate(text)!

// Source: the holiday and early-closing notices of the NYSE, and its list of special closings.
const years: Record<number, { closed: string; early: string }> = {
  2001: {
    closed: '01-01 01-15 02-19 04-13 05-28 07-04 09-03 09-11 09-12 09-13 09-14 11-22 12-25',
    early: '07-03 11-23 12-24'
  },
  2004: { closed: '01-01 01-19 02-16 04-09 05-31 06-11 07-05 09-06 11-25 12-24', early: '11-26' },
  2007: { closed: '01-01 01-02 01-15 02-19 04-06 05-28 07-04 09-03 11-22 12-25', early: '07-03 11-23 12-24' },
  2012: { closed: '01-02 01-16 02-20 04-06 05-28 07-04 09-03 10-29 10-30 11-22 12-25', early: '07-03 11-23 12-24' },
  2013: { closed: '01-01 01-21 02-18 03-29 05-27 07-04 09-02 11-28 12-25', early: '07-03 11-29 12-24' },
  2017: { closed: '01-02 01-16 02-20 04-14 05-29 07-04 09-04 11-23 12-25', early: '07-03 11-24' },
  2018: { closed: '01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-05 12-25', early: '07-03 11-23 12-24' },
  2019: { closed: '01-01 01-21 02-18 04-19 05-27 07-04 09-02 11-28 12-25', early: '07-03 11-29 12-24' },
  2020: { closed: '01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25', early: '11-27 12-24' },
  2021: { closed: '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24', early: '11-26' },
  2022: { closed: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26', early: '11-25' },
  2023: { closed: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25', early: '07-03 11-24' },
  2024: { closed: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25', early: '07-03 11-29 12-24' },
  2025: { closed: '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25', early: '07-03 11-28 12-24' },
  2026: { closed: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25', early: '11-27 12-24' },
  2027: { closed: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', early: '11-26' },
  2028: { closed: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25', early: '07-03 11-24' },
  2029: { closed: '01-01 01-15 02-19 03-30 05-28 06-19 07-04 09-03 11-22 12-25', early: '07-03 11-23 12-24' },
  2030: { closed: '01-01 01-21 02-18 04-19 05-27 06-19 07-04 09-02 11-28 12-25', early: '07-03 11-29 12-24' }
}

describe.each(Object.entries(years))('the exchange year %s', (year, { closed, early }) => {
  const days: IsoDate[] = []
  for (let day = date(`${year}-01-01`); day.startsWith(year); day = addDays(day, 1)) days.push(day)
  const weekdays = days.filter((day) => weekday(day) >= 1 && weekday(day) <= 5)

  test('is closed on its holidays and on no other weekday', () => {
    expect(
      weekdays
        .filter((day) => !isTradingDay(day))
        .map((day) => day.slice(5))
        .join(' ')
    ).toBe(closed)
  })

  test('closes early on its half days and on no other', () => {
    expect(
      days
        .filter((day) => session(day)?.early)
        .map((day) => day.slice(5))
        .join(' ')
    ).toBe(early)
  })

  test('never trades on a weekend', () => {
    expect(days.filter((day) => isTradingDay(day) && !weekdays.includes(day))).toEqual([])
  })
})

test('the Friday after a Thursday 4th of July was a half day until 2002', () => {
  expect(session(date('2002-07-03'))?.early).toBe(false)
  expect(session(date('2002-07-05'))?.early).toBe(true)
  expect(session(date('2003-12-26'))?.early).toBe(true)
})

test.each([
  ['2018', 251],
  ['2020', 253],
  ['2021', 252],
  ['2024', 252],
  ['2025', 250],
  ['2026', 251]
])('%s has %d trading days', (year, count) => {
  expect(tradingDays(date(`${year}-01-01`), date(`${year}-12-31`))).toHaveLength(count)
})

describe('days', () => {
  test('are added and counted over months, leap days and changes of clocks', () => {
    expect(addDays(date('2024-02-28'), 1)).toBe('2024-02-29')
    expect(addDays(date('2024-03-01'), -1)).toBe('2024-02-29')
    expect(addDays(date('2026-02-28'), 1)).toBe('2026-03-01')
    expect(addDays(date('2026-12-31'), 1)).toBe('2027-01-01')
    expect(daysBetween(date('2024-02-28'), date('2024-03-01'))).toBe(2)
    expect(daysBetween(date('2026-03-07'), date('2026-03-09'))).toBe(2)
    expect(daysBetween(date('2026-07-29'), date('2026-07-29'))).toBe(0)
    expect(daysBetween(date('2026-07-29'), date('2026-07-28'))).toBe(-1)
  })

  test('have the weekday of the calendar', () => {
    expect(weekday(date('2026-07-29'))).toBe(3)
    expect(weekday(date('2026-08-02'))).toBe(0)
    expect(weekday(date('1970-01-01'))).toBe(4)
    expect(weekday(date('1900-01-01'))).toBe(1)
  })

  const anyDate = fc
    .integer({ min: epochDay(date('1990-01-01')), max: epochDay(date('2100-12-31')) })
    .map(dateOfEpochDay)

  test('what was added is counted, and the weekday agrees with the calendar of the platform', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -4000, max: 4000 }), (start, days) => {
        expect(daysBetween(start, addDays(start, days))).toBe(days)
        expect(weekday(start)).toBe(new Date(`${start}T00:00Z`).getUTCDay())
      })
    )
  })

  test('the neighbouring trading days have nothing between them', () => {
    fc.assert(
      fc.property(anyDate, (day) => {
        const before = previousTradingDay(day)
        const after = nextTradingDay(day)
        expect(before < day && day < after).toBe(true)
        expect(tradingDays(before, after)).toEqual(isTradingDay(day) ? [before, day, after] : [before, after])
      })
    )
  })

  test('a range that ends before it starts has no trading days', () => {
    expect(tradingDays(date('2026-07-29'), date('2026-07-28'))).toEqual([])
  })
})

describe('sessions', () => {
  test('run from 09:30 to 16:00, to 13:00 on a half day', () => {
    const full = session(date('2026-07-29'))!
    expect([isoInstant(full.open), isoInstant(full.close)]).toEqual([
      '2026-07-29T13:30:00.000Z',
      '2026-07-29T20:00:00.000Z'
    ])
    expect(full.early).toBe(false)
    const half = session(date('2026-11-27'))!
    expect([easternMinutes(half.open), easternMinutes(half.close), half.early]).toEqual([570, 780, true])
    expect(session(date('2026-12-25'))).toBeUndefined()
    expect(session(date('2026-08-01'))).toBeUndefined()
  })

  test('options of indexes and funds trade fifteen minutes longer', () => {
    const day = date('2026-07-29')
    expect(easternMinutes(optionsClose(day, 'equity')!)).toBe(960)
    expect(easternMinutes(optionsClose(day, 'index')!)).toBe(975)
    expect(easternMinutes(optionsClose(day, 'etf')!)).toBe(975)
    expect(easternMinutes(optionsClose(date('2026-12-24'), 'index')!)).toBe(795)
    expect(optionsClose(date('2026-12-25'), 'index')).toBeUndefined()
  })

  test.each([
    ['2026-07-29T13:29:59.999Z', '2026-07-28'],
    ['2026-07-29T13:30:00.000Z', '2026-07-29'],
    ['2026-07-29T23:00:00.000Z', '2026-07-29'],
    ['2026-07-30T03:00:00.000Z', '2026-07-29'],
    ['2026-08-02T16:00:00.000Z', '2026-07-31'],
    ['2026-08-03T12:00:00.000Z', '2026-07-31'],
    ['2026-07-03T18:00:00.000Z', '2026-07-02'],
    ['2012-10-30T18:00:00.000Z', '2012-10-26']
  ])('the latest session at %s is that of %s', (at, day) => {
    expect(latestSession(Date.parse(at)).date).toBe(day)
  })
})

describe('monthly expiration', () => {
  test('knows the monthly expirations of the VIX by its own rule', () => {
    // Good Friday 2022 and Juneteenth 2024 move them to a Tuesday. Source: Cboe, VIX expiration calendars.
    const monthly = ['2022-03-15', '2022-04-20', '2024-03-20', '2024-04-17', '2024-06-18', '2024-12-18', '2025-01-22']
    expect(monthly.map((day) => isVixMonthly(date(day)))).toEqual(monthly.map(() => true))
    const others = ['2022-03-16', '2024-03-15', '2024-03-13', '2024-03-27', '2024-06-19', '2024-06-21']
    expect(others.map((day) => isVixMonthly(date(day)))).toEqual(others.map(() => false))
  })

  test('is the third Friday', () => {
    expect(thirdFriday(2026, 8)).toBe('2026-08-21')
    expect(thirdFriday(2026, 5)).toBe('2026-05-15')
    expect(isMonthlyOpex(date('2026-08-21'))).toBe(true)
    expect(isMonthlyOpex(date('2026-08-20'))).toBe(false)
    expect(isMonthlyOpex(date('2026-08-14'))).toBe(false)
  })

  test.each([
    ['2022-04-14', '2022-04-15'], // Good Friday
    ['2025-04-17', '2025-04-18'],
    ['2026-06-18', '2026-06-19'], // Juneteenth
    ['2027-06-17', '2027-06-18']
  ])('moves to Thursday %s when %s is a holiday', (thursday, friday) => {
    expect(isMonthlyOpex(date(thursday))).toBe(true)
    expect(isMonthlyOpex(date(friday))).toBe(false)
  })

  test('is triple witching at the end of a quarter', () => {
    const days = tradingDays(date('2026-01-01'), date('2026-12-31'))
    expect(days.filter(isTripleWitching)).toEqual(['2026-03-20', '2026-06-18', '2026-09-18', '2026-12-18'])
    expect(days.filter(isMonthlyOpex)).toHaveLength(12)
  })
})

describe.each(['SPY.csv', 'sp500_prices.csv'])('the recorded daily closes of %s', (file) => {
  const recorded = `../shared/data/closes/${file}`
  if (!existsSync(recorded)) console.log(`skipped: the days of ${file} (the recorded data is not here)`)
  test.skipIf(!existsSync(recorded))('are of every trading day and of no other', () => {
    const rows = readFileSync(recorded, 'utf8').trim().split('\n').slice(1)
    const days = rows.map((row) => date(row.slice(0, 10)))
    expect(tradingDays(days[0], days.at(-1)!)).toEqual(days)
  })
})

test('a session is over from its close on, on half days at 13:00', () => {
  const at = (text: string) => completedSession(Date.parse(text)).date
  expect(at('2026-11-25T20:59:59Z')).toBe('2026-11-24')
  expect(at('2026-11-25T21:00:00Z')).toBe('2026-11-25')
  expect(at('2026-11-27T17:59:59Z')).toBe('2026-11-25') // Thanksgiving lies between
  expect(at('2026-11-27T18:00:00Z')).toBe('2026-11-27')
  expect(at('2026-11-30T14:00:00Z')).toBe('2026-11-27') // Monday before the opening
})

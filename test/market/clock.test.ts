import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, nextTradingDay, previousTradingDay, session, tradingDays } from '../../src/market/calendar.ts'
import {
  dayShareLeft,
  daysToExpiry,
  hoursToExpiryClose,
  isLive,
  isMarketOpen,
  sessionHoursLeft,
  yearsToExpiry
} from '../../src/market/clock.ts'
import { easternDate, instantOfEastern } from '../../src/market/eastern.ts'
import type { Instant, IsoDate } from '../../src/market/units.ts'
import { dateOfEpochDay, epochDay, parseIsoDate } from '../../src/market/units.ts'

const date = (text: string): IsoDate => parseIsoDate(text)!
const at = (day: string, hour: number, minute = 0): Instant => instantOfEastern(date(day), hour * 60 + minute)

const ONE_DAY = 1 / 252
const SHORTEST = 1 / 390 / 252
const OVERNIGHT = 17.5 / 24 / 365

describe('the share of the day left', () => {
  test.each([
    ['at midnight', at('2026-07-29', 0), 1],
    ['at the open', at('2026-07-29', 9, 30), 1],
    ['in the middle', at('2026-07-29', 12, 45), 0.5],
    ['a minute before the close', at('2026-07-29', 15, 59), 1 / 390],
    ['at the close', at('2026-07-29', 16), 0],
    ['in the evening', at('2026-07-29', 23, 59), 0],
    ['in the middle of a half day', at('2026-11-27', 11, 15), 0.5],
    ['at the close of a half day', at('2026-11-27', 13), 0],
    ['on a Saturday morning', at('2026-08-01', 8), 0],
    ['on a holiday', at('2026-12-25', 12), 0]
  ])('%s', (_, asOf, share) => {
    expect(dayShareLeft(asOf)).toBeCloseTo(share, 12)
  })
})

describe('days to expiry', () => {
  test('change at midnight in New York', () => {
    expect(daysToExpiry(Date.parse('2026-07-30T03:59:59Z'), date('2026-07-31'))).toBe(2)
    expect(daysToExpiry(Date.parse('2026-07-30T04:00:00Z'), date('2026-07-31'))).toBe(1)
    expect(daysToExpiry(at('2026-07-31', 20), date('2026-07-31'))).toBe(0)
    expect(daysToExpiry(at('2026-08-01', 1), date('2026-07-31'))).toBe(-1)
    expect(daysToExpiry(at('2024-02-28', 12), date('2024-03-01'))).toBe(2)
  })
})

describe('time to expiry of a PM-settled contract', () => {
  const friday = date('2026-07-31')

  test.each([
    ['two days before, in the middle of the session', at('2026-07-29', 12, 45), 1.5 / 365 + ONE_DAY],
    ['a day before, at the open', at('2026-07-30', 9, 30), 1 / 365 + ONE_DAY],
    ['at the close of the day before', at('2026-07-30', 16), ONE_DAY],
    ['at midnight', at('2026-07-31', 0), ONE_DAY],
    ['at the open of the last day', at('2026-07-31', 9, 30), ONE_DAY],
    ['in the middle of the last day', at('2026-07-31', 12, 45), ONE_DAY / 2],
    ['a minute before the close', at('2026-07-31', 15, 59), SHORTEST],
    ['ten seconds before the close', at('2026-07-31', 16) - 10_000, SHORTEST],
    ['in the evening of the last day', at('2026-07-31', 20), SHORTEST]
  ])('%s', (_, asOf, years) => {
    expect(yearsToExpiry(asOf, friday, 'pm')).toBeCloseTo(years, 14)
  })

  test('the close of the day before and the open of the last day read one trading day exactly', () => {
    for (const last of tradingDays(date('2025-06-01'), date('2027-01-31'))) {
      expect(yearsToExpiry(session(last)!.open, last, 'pm')).toBe(ONE_DAY)
      const before = session(previousTradingDay(last))!
      const weekend = daysToExpiry(before.close, last) - 1 // calendar days between them that are no session
      expect(yearsToExpiry(before.close, last, 'pm')).toBeCloseTo(ONE_DAY + weekend / 365, 14)
      expect(yearsToExpiry(instantOfEastern(addDays(last, -1), 16 * 60), last, 'pm')).toBe(ONE_DAY)
    }
  })

  test('the square root of time of a same-day move is that of the session left', () => {
    const noon = at('2026-07-31', 12)
    expect(Math.sqrt(yearsToExpiry(noon, friday, 'pm'))).toBeCloseTo(Math.sqrt(dayShareLeft(noon) / 252), 14)
  })

  test('a leap day counts', () => {
    expect(yearsToExpiry(at('2024-02-28', 8), date('2024-03-01'), 'pm')).toBeCloseTo(2 / 365 + ONE_DAY, 14)
  })
})

describe('time to expiry of an AM-settled contract', () => {
  const friday = date('2026-08-21')

  test.each([
    ['a day before, at the open', at('2026-08-20', 9, 30), 1 / 365 + OVERNIGHT],
    ['a day before, in the middle of the session', at('2026-08-20', 12, 45), 0.5 / 365 + OVERNIGHT],
    ['at the close of the day before', at('2026-08-20', 16), OVERNIGHT],
    ['at midnight', at('2026-08-21', 0), OVERNIGHT],
    ['a second before it settles', at('2026-08-21', 9, 30) - 1000, OVERNIGHT],
    ['once it has settled', at('2026-08-21', 9, 30), SHORTEST],
    ['in the afternoon', at('2026-08-21', 15), SHORTEST]
  ])('%s', (_, asOf, years) => {
    expect(yearsToExpiry(asOf, friday, 'am')).toBeCloseTo(years, 14)
  })
})

const first = epochDay(date('1998-01-01'))
const anyInstant = fc.integer({ min: Date.parse('1998-01-01T00:00Z'), max: Date.parse('2040-01-01T00:00Z') })
const anySettlement = fc.constantFrom('am' as const, 'pm' as const)

test('time to expiry never rises as time passes, is never 0, and is finite', () => {
  fc.assert(
    fc.property(
      anyInstant,
      fc.integer({ min: 0, max: 20 * 86_400_000 }),
      fc.integer({ min: -3, max: 800 }),
      anySettlement,
      (early, wait, days, settlement) => {
        const expiration = addDays(easternDate(early), days)
        const before = yearsToExpiry(early, expiration, settlement)
        const after = yearsToExpiry(early + wait, expiration, settlement)
        expect(after).toBeLessThanOrEqual(before)
        expect(after).toBeGreaterThanOrEqual(SHORTEST)
        expect(Number.isFinite(before)).toBe(true)
      }
    ),
    { numRuns: 3000 }
  )
})

test('time to expiry never rises from one quarter of an hour to the next through the last weeks of a contract', () => {
  for (const expiration of ['2025-01-10', '2026-03-09', '2026-06-18', '2026-11-02', '2026-11-27', '2026-12-28'].map(
    date
  )) {
    for (const settlement of ['am', 'pm'] as const) {
      let before = Number.POSITIVE_INFINITY
      const end = instantOfEastern(addDays(expiration, 2), 0)
      for (let asOf = end - 12 * 86_400_000; asOf < end; asOf += 900_000) {
        const now = yearsToExpiry(asOf, expiration, settlement)
        if (now > before) expect.fail(`${settlement} ${expiration} ${new Date(asOf).toISOString()}`)
        before = now
      }
    }
  }
})

test('a live contract is never shorter than one that settles in the same minute and is dead', () => {
  fc.assert(
    fc.property(anyInstant, anySettlement, (asOf, settlement) => {
      const today = easternDate(asOf)
      if (!isLive(asOf, today, settlement)) expect(yearsToExpiry(asOf, today, settlement)).toBe(SHORTEST)
      expect(isLive(asOf, addDays(today, 1), settlement)).toBe(true)
      expect(isLive(asOf, addDays(today, -1), settlement)).toBe(false)
    })
  )
})

describe('a contract is live', () => {
  test.each([
    ['PM, until the close', '2026-07-31', 'pm', at('2026-07-31', 16)],
    ['PM, until the early close', '2026-11-27', 'pm', at('2026-11-27', 13)],
    ['PM on a date without a session, until 16:00', '2014-12-20', 'pm', at('2014-12-20', 16)],
    ['AM, until the open', '2026-08-21', 'am', at('2026-08-21', 9, 30)],
    ['AM on a half day, until the open', '2026-11-27', 'am', at('2026-11-27', 9, 30)]
  ] as const)('%s', (_, expiration, settlement, end) => {
    expect(isLive(end - 1, date(expiration), settlement)).toBe(true)
    expect(isLive(end, date(expiration), settlement)).toBe(false)
  })
})

test('the market is open from the open to the instant before the close of a trading day', () => {
  expect(isMarketOpen(at('2026-07-29', 9, 30) - 1)).toBe(false)
  expect(isMarketOpen(at('2026-07-29', 9, 30))).toBe(true)
  expect(isMarketOpen(at('2026-07-29', 16) - 1)).toBe(true)
  expect(isMarketOpen(at('2026-07-29', 16))).toBe(false)
  expect(isMarketOpen(at('2026-11-27', 12, 59))).toBe(true)
  expect(isMarketOpen(at('2026-11-27', 13))).toBe(false)
  expect(isMarketOpen(at('2026-08-01', 12))).toBe(false)
  expect(isMarketOpen(at('2025-01-09', 12))).toBe(false)
})

describe('session hours', () => {
  test.each([
    ['before the open', at('2026-07-29', 8), 6.5],
    ['before the open of a half day', at('2026-11-27', 8), 3.5],
    ['two and a quarter hours before the close', at('2026-07-29', 13, 45), 2.25],
    ['after the close', at('2026-07-29', 16), 0],
    ['on a Sunday', at('2026-08-02', 12), 0]
  ])('%s', (_, asOf, hours) => {
    expect(sessionHoursLeft(asOf)).toBeCloseTo(hours, 12)
    expect(hoursToExpiryClose(asOf, easternDate(asOf))).toBeCloseTo(hours, 12)
  })

  test('of later trading days are added up to the expiration', () => {
    expect(hoursToExpiryClose(at('2026-07-29', 15), date('2026-07-31'))).toBeCloseTo(1 + 13, 12)
    expect(hoursToExpiryClose(at('2026-07-31', 15), date('2026-08-03'))).toBeCloseTo(1 + 6.5, 12)
    expect(hoursToExpiryClose(at('2026-11-25', 15), date('2026-11-27'))).toBeCloseTo(1 + 3.5, 12)
    expect(hoursToExpiryClose(at('2026-08-01', 12), date('2026-08-02'))).toBe(0)
    expect(hoursToExpiryClose(at('2026-07-29', 15), date('2026-07-28'))).toBe(0)
  })

  test('before the open of any day are its whole session, and the hours to the next close are one session more', () => {
    fc.assert(
      fc.property(fc.integer({ min: first, max: first + 12_000 }), (day) => {
        const today = nextTradingDay(dateOfEpochDay(day))
        const { open, close } = session(today)!
        const next = session(nextTradingDay(today))!
        const length = (close - open) / 3_600_000
        expect(sessionHoursLeft(open - 1)).toBeCloseTo(length, 9)
        expect(hoursToExpiryClose(open, next.date)).toBeCloseTo(length + (next.close - next.open) / 3_600_000, 9)
      })
    )
  })
})

import { describe, expect, test } from 'vitest'
import {
  datesAmong,
  expirationKinds,
  expirationSet,
  isOfKind,
  mayHold,
  type OpenSet
} from '../../src/market/expiration-set.ts'
import type { IsoDate } from '../../src/market/units.ts'

const day = (text: string) => text as IsoDate
const today = day('2026-07-29')
const kindsOf = (date: string) => expirationKinds.filter((kind) => isOfKind(day(date), kind, today))
const anything: OpenSet = { today, minDays: 0, maxDays: undefined, kinds: expirationKinds }

describe('kinds of an expiration', () => {
  test.each([
    ['2026-07-29', ['0dte']],
    ['2026-07-30', ['weekly']],
    ['2026-07-31', ['eom']],
    ['2026-08-21', ['monthly']],
    ['2026-09-18', ['monthly', 'quarterly']],
    ['2026-09-30', ['eom']],
    ['2027-06-17', ['monthly', 'quarterly']],
    ['2027-07-29', ['weekly']],
    ['2027-07-30', ['eom', 'leaps']],
    ['2028-01-21', ['monthly', 'leaps']],
    ['2026-07-28', []]
  ])('%s is of %j on 2026-07-29', (date, kinds) => {
    expect(kindsOf(date)).toEqual(kinds)
  })

  test('the monthly one is on the Thursday where the exchanges are closed on the third Friday', () => {
    // Juneteenth is a holiday: the third Friday of June 2026 is the 19th.
    expect(isOfKind(day('2026-06-18'), 'quarterly', day('2026-06-01'))).toBe(true)
    expect(isOfKind(day('2026-06-19'), 'quarterly', day('2026-06-01'))).toBe(false)
  })

  test('a monthly expiration is 0dte alone on its last day', () => {
    const opex = day('2026-08-21')
    expect(expirationKinds.filter((kind) => isOfKind(opex, kind, opex))).toEqual(['0dte'])
  })
})

describe('a set of expirations', () => {
  const listed = ['2026-07-29', '2026-07-31', '2026-08-21', '2026-09-18', '2027-12-17'].map(day)

  test('holds the dates themselves where no chain is needed to tell them', () => {
    const days = (minDays: number, maxDays?: number) => ({ ...anything, minDays, maxDays })
    expect(expirationSet([listed[2], today, listed[2]], anything)).toEqual({ dates: [today, listed[2]] })
    expect(expirationSet([today, listed[1], listed[2]], days(1, 10))).toEqual({ dates: [listed[1]] })
    expect(expirationSet(undefined, days(0, 0))).toEqual({ dates: [today] })
    expect(expirationSet(undefined, { ...anything, kinds: ['0dte'] })).toEqual({ dates: [today] })
    expect(expirationSet(undefined, days(0, 1))).toEqual(days(0, 1))
    expect(expirationSet(undefined, { ...anything, minDays: 1, kinds: ['0dte'] })).not.toHaveProperty('dates')
  })

  test('is made of the listed dates that fit', () => {
    const among = (minDays: number, maxDays: number | undefined, kinds = anything.kinds) =>
      datesAmong({ today, minDays, maxDays, kinds }, listed)
    expect(among(0, undefined)).toEqual(listed)
    expect(among(1, 60)).toEqual(listed.slice(1, 4))
    expect(among(0, undefined, ['monthly'])).toEqual(listed.slice(2))
    expect(among(0, undefined, ['quarterly', '0dte'])).toEqual([listed[0], ...listed.slice(3)])
    expect(among(0, 100, ['leaps'])).toEqual([])
    expect(datesAmong({ dates: [listed[0], day('2026-08-07')] }, listed)).toEqual([listed[0]])
  })

  test('may hold today unless days or kinds rule it out', () => {
    expect(mayHold(anything, today)).toBe(true)
    expect(mayHold({ ...anything, minDays: 1 }, today)).toBe(false)
    expect(mayHold({ ...anything, kinds: ['monthly', 'weekly'] }, today)).toBe(false)
    expect(mayHold({ dates: [listed[1]] }, today)).toBe(false)
  })
})

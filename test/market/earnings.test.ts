import { describe, expect, test } from 'vitest'
import {
  actualsKnownFrom,
  dateKnownFrom,
  type EarningsStatement,
  eventsKnownAt,
  impliedByFiling,
  nextEvent,
  sessionsAround,
  unstated
} from '../../src/market/earnings.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { eastern } from '../support/hand-made.ts'

const stated = (date: string, known: string, more: Partial<EarningsStatement> = {}): EarningsStatement => ({
  ...unstated,
  symbol: 'KO' as Ticker,
  date: date as IsoDate,
  knownFrom: eastern(known, '12:00'),
  ...more
})
const at = (date: string) => eastern(date, '12:00')
const datesAt = (statements: readonly EarningsStatement[], date: string) =>
  eventsKnownAt(statements, at(date)).map((event) => event.date)

describe('the reports known at a moment', () => {
  const q2 = { fiscalPeriod: 'Q2', fiscalYear: 2026 }
  const moved = [
    stated('2026-07-21', '2026-06-01', { ...q2, epsEstimate: 0.8 }),
    stated('2026-07-28', '2026-07-10', { ...q2, confirmed: true, timing: 'bmo' }),
    stated('2026-07-28', '2026-07-29', { ...q2, confirmed: true, epsActual: 0.9 })
  ]

  test('a date that moved stands at its old place until the moment it moved', () => {
    expect(datesAt(moved, '2026-05-31')).toEqual([])
    expect(datesAt(moved, '2026-07-09')).toEqual(['2026-07-21'])
    expect(datesAt(moved, '2026-07-10')).toEqual(['2026-07-28'])
  })

  test('what a later statement leaves unsaid stays, and figures count from when they were out', () => {
    const before = eventsKnownAt(moved, at('2026-07-28'))[0]
    expect(before).toMatchObject({ epsEstimate: 0.8, epsActual: undefined, timing: 'bmo', confirmed: true })
    const after = eventsKnownAt(moved, at('2026-07-29'))[0]
    expect(after).toMatchObject({ epsEstimate: 0.8, epsActual: 0.9, timing: 'bmo' })
    expect(nextEvent([before], '2026-07-28' as IsoDate)).toBe(before)
    expect(nextEvent([after], '2026-07-28' as IsoDate)).toBeUndefined()
    expect(nextEvent([before], '2026-07-29' as IsoDate)).toBeUndefined()
  })

  test('without a period statements up to 45 days apart are of one report', () => {
    const first = stated('2026-05-01', '2026-04-01')
    expect(datesAt([first, stated('2026-06-15', '2026-04-02')], '2026-04-02')).toEqual(['2026-06-15'])
    expect(datesAt([first, stated('2026-06-16', '2026-04-02')], '2026-04-02')).toEqual(['2026-05-01', '2026-06-16'])
  })

  test('periods tell reports apart that lie close to each other, and one day has one report', () => {
    const near = [
      stated('2026-05-01', '2026-04-01', q2),
      stated('2026-05-20', '2026-04-01', { ...q2, fiscalPeriod: 'Q3' })
    ]
    expect(datesAt(near, '2026-04-01')).toEqual(['2026-05-01', '2026-05-20'])
    expect(datesAt([...near, stated('2026-05-20', '2026-04-03', q2)], '2026-04-03')).toEqual([
      '2026-05-01',
      '2026-05-20'
    ])
  })

  test('the order of rows does not matter', () => {
    const all = eventsKnownAt(moved, at('2026-08-01'))
    expect(eventsKnownAt(moved.toReversed(), at('2026-08-01'))).toEqual(all)
  })
})

test('without a word a date is known 30 days before, figures from the open or the midnight after', () => {
  const date = '2026-07-28' as IsoDate
  expect(dateKnownFrom(date, at('2026-08-01'))).toBe(eastern('2026-06-28', '00:00'))
  expect(dateKnownFrom(date, at('2026-03-01'))).toBe(at('2026-03-01'))
  expect(actualsKnownFrom(date, 'bmo')).toBe(eastern('2026-07-28', '09:30'))
  for (const timing of ['amc', 'dmh', undefined] as const) {
    expect(actualsKnownFrom(date, timing)).toBe(eastern('2026-07-29', '00:00'))
  }
})

test.each([
  ['2026-07-28', 'bmo', '2026-07-27', '2026-07-28'],
  ['2026-07-28', 'dmh', '2026-07-27', '2026-07-28'],
  ['2026-07-28', 'amc', '2026-07-28', '2026-07-29'],
  ['2026-07-28', undefined, '2026-07-28', '2026-07-29'],
  ['2026-07-31', 'amc', '2026-07-31', '2026-08-03'], // a Friday
  ['2026-08-03', 'bmo', '2026-07-31', '2026-08-03'], // a Monday
  ['2026-08-01', 'bmo', '2026-07-31', '2026-08-03'], // a Saturday stands for the Monday after it
  ['2026-07-03', 'amc', '2026-07-06', '2026-07-07'] // a holiday
] as const)('a report of %s %s falls between the closes of %s and %s', (date, timing, before, after) => {
  expect(sessionsAround({ date: date as IsoDate, timing })).toEqual({ before, after })
})

describe('a filing', () => {
  type Timing = EarningsStatement['timing']
  const filed = (date: string, timing: Timing) => {
    return { symbol: 'KO' as Ticker, company: 'Coca-Cola Co', date: date as IsoDate, timing }
  }
  const events = (date: string, timing: Timing, more: Partial<EarningsStatement> = {}) =>
    eventsKnownAt([stated(date, '2026-06-01', { timing, ...more })], at('2026-07-30'))

  test.each<[string, Timing, string, Timing, string, Timing]>([
    ['of its day that told no hour has the one of the filing', undefined, '2026-07-28', 'bmo', '2026-07-28', 'bmo'],
    ['filed later in the day keeps its hour', 'bmo', '2026-07-28', 'amc', '2026-07-28', 'bmo'],
    ['filed sooner than it was to come was out sooner', 'amc', '2026-07-28', 'bmo', '2026-07-28', 'bmo'],
    ['filed at an hour that is not known keeps its own', 'amc', '2026-07-28', undefined, '2026-07-28', 'amc'],
    ['filed before the next opening was out after the close', undefined, '2026-07-29', 'bmo', '2026-07-28', 'amc'],
    ['filed during the next session has no hour by it', undefined, '2026-07-29', 'dmh', '2026-07-28', undefined],
    ['filed on the next day keeps its hour', 'bmo', '2026-07-29', 'amc', '2026-07-28', 'bmo']
  ])('a report %s', (_, timingBefore, date, timing, day, expected) => {
    const statement = impliedByFiling(events('2026-07-28', timingBefore), filed(date, timing))
    expect(statement).toMatchObject({ date: day, timing: expected, confirmed: true, company: 'Coca-Cola Co' })
  })

  test('of a Monday confirms the report of Friday evening', () => {
    const statement = impliedByFiling(events('2026-07-24', 'amc'), filed('2026-07-27', 'bmo'))
    expect(statement).toMatchObject({ date: '2026-07-24', timing: 'amc', confirmed: true })
  })

  test('between reports says nothing, and one far from any is a report', () => {
    expect(impliedByFiling(events('2026-07-28', 'bmo'), filed('2026-07-08', 'bmo'))).toBeUndefined()
    expect(impliedByFiling(events('2026-07-28', 'bmo'), filed('2026-04-28', 'bmo'))).toMatchObject({
      date: '2026-04-28'
    })
  })

  test('leaves the name of a company as it was told', () => {
    const statement = impliedByFiling(events('2026-07-28', 'bmo', { company: 'Coca-Cola' }), filed('2026-07-28', 'bmo'))
    expect(statement).toMatchObject({ company: undefined, confirmed: true })
  })
})

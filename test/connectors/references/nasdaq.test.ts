import { describe, expect, test } from 'vitest'
import { createNasdaq, readReports } from '../../../src/connectors/nasdaq/nasdaq-calendar.ts'
import { isTradingDay } from '../../../src/market/calendar.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { RestVendor } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { hasSamples, sample } from './samples.ts'

const date = '2023-11-03' as IsoDate
const { signal } = new AbortController()
const read = (body: unknown) => readReports(Buffer.from(JSON.stringify(body)), date)

const row = (more: object = {}) => ({
  ...{ symbol: 'KO', name: 'Coca-Cola', time: 'time-pre-market', epsForecast: '$0.69', noOfEsts: '8' },
  ...more
})
const day = (rows: unknown, headers: object = { symbol: 'Symbol' }) => ({ data: { asOf: '', headers, rows } })

describe.skipIf(!hasSamples)('the recorded calendar', () => {
  test('of a day states figures of its reports', () => {
    const reports = readReports(sample('earnings/nasdaq-calendar.json'), date)
    expect(reports.map(({ symbol, epsEstimate, epsActual }) => [symbol, epsEstimate, epsActual])).toEqual([
      ['ENB', 0.43, 0.46],
      ['D', 0.78, 0.77],
      ['TU', 0.2, 0.19]
    ])
    expect(reports[0]).toMatchObject({
      date,
      company: 'Enbridge Inc',
      timing: undefined,
      confirmed: false,
      fiscalPeriod: undefined,
      revenueActual: undefined
    })
  })

  test('mutated, is the same figures or a fault with the name of the field', () => {
    const figures = (text: string) => readReports(Buffer.from(text), date)
    const whole = String(sample('earnings/nasdaq-calendar.json'))
    expectSameOrNamed([...jsonMutations(whole)], figures(whole), figures)
  })
})

describe('a calendar', () => {
  test('tells the time of a report, losses in brackets, and nothing where nothing is known', () => {
    const rows = [
      row(),
      row({ symbol: 'F', time: 'time-after-hours', epsForecast: '($0.20)' }),
      row({ symbol: 'BRK.B', time: 'time-not-supplied', epsForecast: '$1,234.50' }),
      row({ symbol: 'GE', epsForecast: '' }),
      row({ symbol: 'not a ticker' })
    ]
    expect(read(day(rows)).map(({ symbol, timing, epsEstimate }) => [symbol, timing, epsEstimate])).toEqual([
      ['KO', 'bmo', 0.69],
      ['F', 'amc', -0.2],
      ['BRK.B', undefined, 1234.5],
      ['GE', 'bmo', undefined]
    ])
  })

  test('of days to come has no column of actual figures, of a holiday nothing', () => {
    expect(read(day([row()]))[0].epsActual).toBeUndefined()
    expect(read(day([row({ eps: 'N/A' })], { eps: 'EPS' }))[0].epsActual).toBeUndefined()
    expect(read(day([row({ eps: '$0.71' })], { eps: 'EPS' }))[0].epsActual).toBe(0.71)
    expect(read(day(null))).toEqual([])
    expect(read({ data: null })).toEqual([])
  })

  test.each([
    ['epsForecast', { epsForecast: '0.69' }],
    ['epsForecast', { epsForecast: '($0.69' }],
    ['time', { time: 'time-unheard-of' }],
    ['eps', { eps: '$1' }]
  ])('whose field %s is not understood is refused by its name', (field, more) => {
    expect(() => read(day([row(more)]))).toThrow(`the field ${field}`)
  })
})

test('days are asked for one after the other, at the pace of the budget, and no holidays', async () => {
  const vendor = await RestVendor.start(({ query }) => ({
    body: day([row({ symbol: `D${query['date'].slice(-2)}` })])
  }))
  const source = createNasdaq({ url: vendor.url, pace: 1 })
  const found: string[] = []
  const thanksgiving = Date.parse('2026-11-23T15:00:00Z')
  for await (const stated of source.read({ now: thanksgiving, from: '2025-11-01' as IsoDate, symbols: [] }, signal)) {
    if ('earnings' in stated) found.push(...stated.earnings.map(({ date }) => date))
  }
  const dates = vendor.asked.map(({ query }) => query['date'] as IsoDate)
  expect(dates).toEqual(found)
  expect(dates.every(isTradingDay)).toBe(true)
  expect(dates).not.toContain('2026-11-26')
  expect([dates[0], dates.at(-1)]).toEqual(['2026-11-19', '2026-12-21'])
  expect(source.budget!.given).toBe(dates.length)
  expect(vendor.asked[0].headers['user-agent']).toMatch(/^Mozilla/)
})

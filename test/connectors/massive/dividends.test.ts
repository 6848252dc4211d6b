import { describe, expect, test } from 'vitest'
import {
  createMassiveDividends,
  massiveNameIn,
  readMassiveDividend
} from '../../../src/connectors/massive/dividends/massive-dividends.ts'
import type { Stated } from '../../../src/connectors/port/reference.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { eastern } from '../../support/hand-made.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { RestVendor } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { hasSamples, sample } from '../references/samples.ts'

const KEY = 'sk-test-4711'
const { signal } = new AbortController()
const now = Date.parse('2026-11-23T15:00:00Z')
const row = (more: object = {}) => ({
  ...{ ticker: 'KO', cash_amount: 0.53, ex_dividend_date: '2026-12-01', declaration_date: '2026-10-15', frequency: 4 },
  ...more
})
const wanted = (symbols: readonly string[]) => ({
  now,
  from: '2025-10-19' as IsoDate,
  symbols: symbols as unknown as readonly Ticker[]
})

describe.skipIf(!hasSamples)('the documented answer', () => {
  const figures = (text: string) =>
    (JSON.parse(text) as { readonly results: readonly unknown[] }).results.map((each) => ({
      name: massiveNameIn(each),
      dividend: readMassiveDividend(each)!
    }))

  test('states each dividend, known from the day after it was declared', () => {
    const declared = eastern('2020-09-10' as IsoDate, '00:00')
    const found = figures(String(sample('massive/dividends.json')))
    expect(found).toEqual(
      ['2025-06-12', '2025-03-13', '2024-12-12'].map((exDate) => ({
        name: 'CSSEN',
        dividend: { exDate, amount: 0.59375, knownFrom: declared }
      }))
    )
  })

  test('mutated, is the same figures or a fault with the name of the field; without a declaration it counts 30 days before', () => {
    const [first] = (JSON.parse(String(sample('massive/dividends.json'))) as { results: readonly unknown[] }).results
    const one = (text: string) => ({
      name: massiveNameIn(JSON.parse(text)),
      dividend: readMassiveDividend(JSON.parse(text))!
    })
    const whole = one(JSON.stringify(first))
    const mutations = [...jsonMutations(JSON.stringify(first))].filter(({ field }) => field !== undefined)
    expectSameOrNamed(mutations, whole, one, (found, label) => {
      const isUndeclared = /declaration_date (dropped|renamed)/.test(label)
      const knownFrom = isUndeclared ? eastern('2025-05-13' as IsoDate, '00:00') : whole.dividend.knownFrom
      expect(found, label).toEqual({ ...whole, dividend: { ...whole.dividend, knownFrom } })
    })
  })
})

test('a row is refused that names no amount or no date, and passed over in another currency', () => {
  expect(() => readMassiveDividend(row({ cash_amount: 0 }))).toThrow('cash_amount')
  expect(() => readMassiveDividend(row({ cash_amount: '0.53' }))).toThrow('cash_amount')
  expect(() => readMassiveDividend(row({ ex_dividend_date: '2026-02-30' }))).toThrow('ex_dividend_date')
  expect(() => readMassiveDividend(row({ declaration_date: 'soon' }))).toThrow('declaration_date')
  expect(readMassiveDividend(row({ currency: 'CAD' }))).toBeUndefined()
  expect(readMassiveDividend(row({ currency: 'USD' }))?.amount).toBe(0.53)
  const undeclared = eastern('2026-11-01' as IsoDate, '00:00')
  expect(readMassiveDividend(row({ declaration_date: null, currency: null }))?.knownFrom).toBe(undeclared)
})

test('the dividends of wanted shares are gathered from all pages, those of one ex-date together', async () => {
  const vendor = await RestVendor.start(({ query }) =>
    query['cursor'] === undefined
      ? {
          body: {
            status: 'OK',
            // One is listed twice, one that nobody asks for cannot be read.
            results: [
              row(),
              row(),
              row({ ticker: 'ZZZ', cash_amount: null }),
              row({ ticker: 'BRK.B', cash_amount: 2 })
            ],
            next_url: 'https://api.massive.com/v3/reference/dividends?cursor=two'
          }
        }
      : { body: { status: 'OK', results: [row({ cash_amount: 1.5 })] } }
  )
  const source = createMassiveDividends({ key: KEY, url: vendor.url, requestsPerSecond: 50 })
  const found: Stated[] = []
  for await (const stated of source.read(wanted(['KO', 'SPX', 'T']), signal)) found.push(stated)
  const knownFrom = eastern('2026-10-16' as IsoDate, '00:00')
  const paid = (amount: number) => ({ exDate: '2026-12-01', amount, knownFrom })
  expect(found).toEqual([{ symbol: 'KO', dividends: [paid(0.53), paid(1.5)] }])
  expect(vendor.asked.map(({ path }) => path)).toEqual(['/v3/reference/dividends', '/v3/reference/dividends'])
  expect(vendor.asked[0].query).toMatchObject({ 'ex_dividend_date.gte': '2025-10-19', limit: '1000' })
})

test('a page that cannot be had ends the reading, and nothing of it is stated', async () => {
  const vendor = await RestVendor.start(() => ({ status: 403, body: {} }))
  const source = createMassiveDividends({ key: KEY, url: vendor.url, requestsPerSecond: 50 })
  const reading = async () => {
    for await (const _ of source.read(wanted(['KO']), signal)) throw new Error('it states something')
  }
  await expect(reading()).rejects.toMatchObject({ fault: 'refused' })
})

import { describe, expect, test } from 'vitest'
import { createFred, readObservations } from '../../../src/connectors/fred/fred-series.ts'
import { fred as declaration } from '../../../src/connectors/fred/index.ts'
import { createNewYorkFed, readNewYorkRates } from '../../../src/connectors/nyfed/nyfed-rates.ts'
import type { ReferenceSource, Stated } from '../../../src/connectors/port/reference.ts'
import type { SourceError, SourceFault } from '../../../src/connectors/port/source-error.ts'
import { createTreasury, readYields } from '../../../src/connectors/treasury/treasury-yields.ts'
import { macroSeries, overnightRate, parYields } from '../../../src/market/macro-series.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { RestVendor, type VendorAnswer, type VendorConduct } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { csvMutations, hasSamples, sample, valuesOf } from './samples.ts'

const { signal } = new AbortController()
const asked = { now: Date.parse('2024-10-08T14:00:00Z'), from: '2024-10-04' as IsoDate, symbols: [] }

async function allOf(source: ReferenceSource): Promise<readonly Stated[]> {
  const found: Stated[] = []
  for await (const stated of source.read(asked, signal)) found.push(stated)
  return found
}

const barsOf = (stated: readonly Stated[]) =>
  stated.flatMap((each) => ('bars' in each ? [[each.symbol, valuesOf(each.bars)] as const] : []))

describe.skipIf(!hasSamples)('the recorded', () => {
  test('par yields of October 2024 are series of maturities, ascending by day', () => {
    const yields = new Map(
      readYields(sample('macro/treasury-par-yields-2024.csv')).map((one) => [one.symbol, one.bars])
    )
    const of = (symbol: string) => valuesOf(yields.get(symbol as never)!)
    expect(yields.size).toBe(13)
    expect(of('^DGS1MO')).toEqual([
      ['2024-10-03', 4.99],
      ['2024-10-04', 5.01],
      ['2024-10-07', 5]
    ])
    expect(of('^DGS4MO')).toEqual([
      ['2024-10-03', 4.61],
      ['2024-10-04', 4.68],
      ['2024-10-07', 4.67]
    ])
    expect(of('^DGS10').at(-1)).toEqual(['2024-10-07', 4.03])
    expect(of('^DGS30').at(0)).toEqual(['2024-10-03', 4.18])
  })

  test('overnight rates of June 2024 are values of their days', () => {
    const bars = readNewYorkRates(sample('macro/new-york-fed-sofr.json'), 'SOFR', overnightRate)
    expect(valuesOf(bars)).toEqual([
      ['2024-06-05', 5.33],
      ['2024-06-06', 5.33]
    ])
  })

  test('observations are values of their days, and none where there is a dot', () => {
    const level = { ...macroSeries.move }
    expect(valuesOf(readObservations(sample('macro/fred-observations.json'), level))).toEqual([
      ['2014-06-27', 1960.96],
      ['2014-06-30', 1960.23]
    ])
  })
})

describe.skipIf(!hasSamples)('a mutated answer is the same figures or a fault with the name of the field', () => {
  test('of the Treasury', () => {
    const figures = (text: string) => readYields(Buffer.from(text)).map(({ bars }) => valuesOf(bars))
    const whole = String(sample('macro/treasury-par-yields-2024.csv'))
    expectSameOrNamed(csvMutations(whole), figures(whole), figures)
  })

  test('of the New York Fed', () => {
    const figures = (text: string) => valuesOf(readNewYorkRates(Buffer.from(text), 'SOFR', overnightRate))
    const whole = String(sample('macro/new-york-fed-sofr.json'))
    expectSameOrNamed([...jsonMutations(whole)], figures(whole), figures)
  })

  test('of FRED', () => {
    const figures = (text: string) => valuesOf(readObservations(Buffer.from(text), macroSeries.move))
    const whole = String(sample('macro/fred-observations.json'))
    expectSameOrNamed([...jsonMutations(whole)], figures(whole), figures)
  })
})

const heading = ['Date', ...parYields.map(({ months }) => (months < 12 ? `"${months} Mo"` : `"${months / 12} Yr"`))]
const row = (date: string, value: string) => [date, ...parYields.map(() => value)]
const table = (...rows: readonly (readonly string[])[]) => [heading, ...rows].map((cells) => cells.join()).join('\n')

describe('the Treasury', () => {
  const conduct: VendorConduct = () => ({ body: table(row('10/07/2024', '4.5'), row('10/03/2024', '4.4')) })

  test('is asked for the file of each year that is wanted, by the names of its columns', async () => {
    const vendor = await RestVendor.start(conduct)
    const source = createTreasury({ url: vendor.url })
    const found = barsOf(await allOf(source))
    expect(vendor.asked.map(({ path }) => path)).toEqual(['/daily-treasury-rates.csv/2024/all'])
    expect(vendor.asked[0].query).toMatchObject({
      type: 'daily_treasury_yield_curve',
      field_tdr_date_value: '2024',
      _format: 'csv'
    })
    expect(found).toHaveLength(13)
    expect(found[0]).toEqual(['^DGS1MO', [['2024-10-07', 4.5]]]) // the other day is before those that are wanted
    for await (const _ of source.read({ ...asked, from: '2023-12-01' as IsoDate }, signal)) break
    expect(vendor.asked[1].path).toContain('/2023/')
  })

  test('may add a maturity, and leave a yield empty', async () => {
    const text = table(row('10/07/2024', '')).replaceAll('Date,', 'Date,"1.5 Month",').replace('2024,', '2024,4.9,')
    const vendor = await RestVendor.start(() => ({ body: text }))
    expect(barsOf(await allOf(createTreasury({ url: vendor.url }))).every(([, bars]) => bars.length === 0)).toBe(true)
  })
})

const faults: readonly (readonly [string, SourceFault, VendorAnswer])[] = [
  ['429', 'rate_limited', { status: 429, headers: { 'retry-after': '7' } }],
  ['403', 'refused', { status: 403 }],
  ['503', 'unavailable', { status: 503 }],
  ['404', 'unavailable', { status: 404 }],
  ['a body that breaks off', 'malformed', { body: table(row('10/07/2024', '4.5')), cut: 40 }],
  ['a page of HTML', 'malformed', { body: '<html>We are sorry</html>' }]
]

const made: Readonly<Record<string, (url: string) => ReferenceSource>> = {
  treasury: (url) => createTreasury({ url }),
  nyfed: (url) => createNewYorkFed({ url, capabilities: ['rates', 'macro'] }),
  fred: (url) => createFred({ url, key: 'k-4711', capabilities: ['macro'] })
}

describe.each(Object.entries(made))('the faults of %s', (_, create) => {
  test.each(faults)('%s is the fault %s', async (_, fault, answer) => {
    const vendor = await RestVendor.start(() => answer)
    const error: SourceError = await allOf(create(vendor.url)).then(
      () => expect.unreachable(),
      (reason) => reason
    )
    expect(error).toMatchObject({ fault })
    if (fault === 'rate_limited') expect(error.retryAfter).toBe(7000)
    expect(error.message).not.toContain('k-4711')
  })
})

test('the New York Fed is asked for the days that are wanted, of secured and unsecured money by what is asked', async () => {
  const rate = (type: string) => ({
    refRates: [{ effectiveDate: '2024-10-04', type, percentRate: type === 'SOFR' ? 4.85 : 4.83, revisionIndicator: '' }]
  })
  const conduct: VendorConduct = ({ path }) => ({ body: rate(path.includes('unsecured') ? 'EFFR' : 'SOFR') })
  const vendor = await RestVendor.start(conduct)
  const both = createNewYorkFed({ url: vendor.url, capabilities: ['rates', 'macro'] })
  expect(barsOf(await allOf(both))).toEqual([
    ['^SOFR', [['2024-10-04', 4.85]]],
    ['^DFF', [['2024-10-04', 4.83]]]
  ])
  expect(vendor.asked.map(({ path }) => path)).toEqual(['/secured/sofr/search.json', '/unsecured/effr/search.json'])
  expect(vendor.asked[0].query).toEqual({ startDate: '2024-10-04', endDate: '2024-10-08' })
  const rates = createNewYorkFed({ url: vendor.url, capabilities: ['rates'] })
  expect(barsOf(await allOf(rates)).map(([symbol]) => symbol)).toEqual(['^SOFR'])
})

describe('FRED', () => {
  const answer = (value: string) => ({
    body: { units: 'lin', count: 1, limit: 100_000, observations: [{ date: '2024-10-04', value }] }
  })

  test('is asked for each series by its name, with the key, within its budget', async () => {
    const vendor = await RestVendor.start(() => answer('4.1'))
    const source = createFred({ url: vendor.url, key: 'k-4711', capabilities: ['macro'] })
    expect(barsOf(await allOf(source)).map(([symbol]) => symbol)).toEqual(['^DGS10', '^DFF', '^HYOAS'])
    expect(vendor.asked[2].query).toMatchObject({
      series_id: 'BAMLH0A0HYM2',
      api_key: 'k-4711',
      observation_start: '2024-10-04'
    })
    expect(source.budget!.given).toBe(3)
    const rates = createFred({ url: vendor.url, key: 'k-4711', capabilities: ['rates'] })
    const named = barsOf(await allOf(rates)).map(([symbol]) => symbol)
    expect(named).toContain('^SOFR')
    expect(named).not.toContain('^DGS2MO') // which it does not have
    expect(named).toHaveLength(12)
  })

  test('says no value that cannot be one', async () => {
    const vendor = await RestVendor.start(() => answer('410'))
    const source = createFred({ url: vendor.url, key: 'k-4711', capabilities: ['macro'] })
    await expect(allOf(source)).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(/value/) })
  })

  test('needs a key, and says where it is had', () => {
    expect(declaration.refusal!({ 'fred-key': undefined, 'fred-url': 'https://x' })).toMatch(
      /GAMMAWALL_FRED_KEY.*stlouis/
    )
    expect(declaration.refusal!({ 'fred-key': 'k', 'fred-url': 'https://x' })).toBeUndefined()
  })
})

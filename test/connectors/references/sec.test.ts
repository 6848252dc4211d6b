import { describe, expect, test } from 'vitest'
import { filingClock } from '../../../src/connectors/sec/acceptance-time.ts'
import { sec as declaration } from '../../../src/connectors/sec/index.ts'
import { readFilings, readTickers, secTicker } from '../../../src/connectors/sec/sec-filings.ts'
import { createSec } from '../../../src/connectors/sec/sec-source.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { RestVendor } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'

const SNOW = 1_640_147
const from = '2025-10-01' as IsoDate
const { signal } = new AbortController()

/** A filing: its form, items, day and acceptance time. */
type Row = readonly [string, string, string, string]
/** An owner's report of an evening, which shows that the times of the list are those of UTC. */
const evening: Row = ['4', '', '2026-05-22', '2026-05-22T01:30:00.000Z']

function listOf(rows: readonly Row[], more: object = {}) {
  const [form, items, filingDate, acceptanceDateTime] = [0, 1, 2, 3].map((k) => rows.map((row) => row[k]))
  const recent = {
    accessionNumber: rows.map((_, k) => `0001640147-26-${k}`),
    form,
    items,
    filingDate,
    acceptanceDateTime
  }
  return { cik: '1640147', name: 'Snowflake Inc.', filings: { recent, files: [] }, ...more }
}

const read = (rows: readonly Row[], more: object = {}) =>
  readFilings(Buffer.from(JSON.stringify(listOf(rows, more))), SNOW, ['SNOW' as Ticker], from)

describe('the filings of a company', () => {
  test('are those with results, with their day and the side of the session', () => {
    const filings = read([
      evening,
      ['8-K', '2.02,9.01', '2026-05-20', '2026-05-20T20:05:11.000Z'],
      ['8-K', '5.02', '2026-04-01', '2026-04-01T20:30:00.000Z'],
      ['8-K/A', '2.02', '2026-03-02', '2026-03-02T22:00:00.000Z'],
      ['8-K', '2.02', '2026-02-25', '2026-02-25T12:30:00.000Z'],
      ['8-K', '2.02', '2025-12-03', '2025-12-03T17:00:00.000Z'],
      ['8-K', '2.02', '2025-08-27', '2025-08-27T20:05:00.000Z']
    ])
    expect(filings.map(({ date, timing }) => [date, timing])).toEqual([
      ['2026-05-20', 'amc'], // 16:05 of summer time
      ['2026-02-25', 'bmo'], // 07:30 of winter time
      ['2025-12-03', 'dmh']
    ])
    expect(filings[0]).toMatchObject({ symbol: 'SNOW', company: 'Snowflake Inc.' })
  })

  test('of a company whose times are those of New York are read by that clock', () => {
    const rows: readonly Row[] = [
      ['8-K', '2.02', '2026-05-20', '2026-05-20T16:05:11.000Z'],
      ['10-Q', '', '2026-05-21', '2026-05-21T07:30:32.000Z'] // 03:30 if it were UTC
    ]
    expect(read(rows)).toMatchObject([{ date: '2026-05-20', timing: 'amc' }])
  })

  test('have no side, and the day of the filing, where nothing shows by which clock they are written', () => {
    const row: Row = ['8-K', '2.02', '2026-05-20', '2026-05-20T16:05:11.000Z']
    expect(read([row])).toMatchObject([{ date: '2026-05-20', timing: undefined }])
    // Times that are neither of the one clock nor of the other.
    const other: Row = ['10-Q', '', '2026-05-21', '2026-05-21T07:30:32.000Z']
    expect(filingClock([other[3], evening[3]])).toBeUndefined()
  })

  test('after the hours of an evening are of the day on which they came, not of that which counts for the SEC', () => {
    const late: Row = ['8-K', '2.02', '2026-05-21', '2026-05-21T00:30:00.000Z']
    expect(read([evening, late])).toMatchObject([{ date: '2026-05-20', timing: 'amc' }])
  })

  test('of another company, or in columns of other lengths, are a fault', () => {
    expect(() => read([evening], { cik: '320193' })).toThrow(/the field cik is not 1640147/)
    const { filings } = listOf([evening])
    const recent = { ...filings.recent, items: [] }
    expect(() => read([evening], { filings: { recent } })).toThrow(/the field items is not as long as form/)
  })

  test('that are mutated are the same or a fault with the name of the field', () => {
    const text = JSON.stringify(listOf([evening, ['8-K', '2.02', '2026-05-20', '2026-05-20T20:05:11.000Z']]))
    const figures = (changed: string) => readFilings(Buffer.from(changed), SNOW, ['SNOW' as Ticker], from)
    expect(figures(text)).toHaveLength(1)
    expectSameOrNamed(jsonMutations(text), figures(text), figures)
  })
})

test('companies are known by their tickers, with a dash before the class of a share', () => {
  const listed = { 0: { cik_str: 1_067_983, ticker: 'BRK-B', title: 'BERKSHIRE HATHAWAY INC' } }
  expect([...readTickers(Buffer.from(JSON.stringify(listed)))]).toEqual([['BRK-B', 1_067_983]])
  expect(secTicker('BRK.B' as Ticker)).toBe('BRK-B')
  expect(() => readTickers(Buffer.from('{"0":{"ticker":"A","cik_str":"1"}}'))).toThrow(/the field cik_str is no number/)
})

test('each company is asked for once, whatever its shares are called, by who says how to reach them', async () => {
  const companies = {
    0: { cik_str: SNOW, ticker: 'SNOW', title: '' },
    1: { cik_str: SNOW, ticker: 'SNOWX', title: '' }
  }
  const row: Row = ['8-K', '2.02', '2026-05-20', '2026-05-20T20:05:11.000Z']
  const vendor = await RestVendor.start(({ path }) => ({
    body: path === '/tickers' ? companies : listOf([evening, row])
  }))
  const settings = { contact: 'desk@example.com', url: vendor.url, tickersUrl: `${vendor.url}/tickers`, pace: 1 }
  const symbols = ['SNOW', 'SPY', 'SPX', 'NOSUCH', 'SNOWX'] as readonly string[] as readonly Ticker[]
  const stated: unknown[] = []
  for await (const each of createSec(settings).read({ now: Date.now(), from, symbols }, signal)) stated.push(each)
  expect(stated).toMatchObject([{ filings: [{ symbol: 'SNOW' }, { symbol: 'SNOWX' }] }])
  expect(vendor.asked.map(({ path }) => path)).toEqual(['/tickers', '/submissions/CIK0001640147.json'])
  expect(vendor.asked[0].headers['user-agent']).toBe('gammawall desk@example.com')
})

test('without a contact it says what is missing', () => {
  const values = { 'sec-contact': undefined, 'sec-url': '', 'sec-tickers-url': '' }
  expect(declaration.refusal!(values)).toContain('--sec-contact')
  expect(declaration.settings['sec-contact'].parse('nobody')).toBeUndefined()
  expect(declaration.settings['sec-contact'].parse('a@b.c\nx: y')).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { alpacaReader } from '../../../src/connectors/alpaca/alpaca-fields.ts'
import {
  createAlpacaDividends,
  readAlpacaDividends
} from '../../../src/connectors/alpaca/dividends/alpaca-dividends.ts'
import { alpacaDividends } from '../../../src/connectors/alpaca/dividends/index.ts'
import type { Stated } from '../../../src/connectors/port/reference.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { eastern } from '../../support/hand-made.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { RestVendor } from '../../support/rest-vendor.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { KEYS } from './vendor.ts'

const { signal } = new AbortController()
const now = Date.parse('2026-11-23T15:00:00Z')
const from = '2025-10-19' as IsoDate

/** A dividend in the shape of the vendor's description of corporate actions. */
const row = (symbol: string, exDate: string, rate: number, more: object = {}) => ({
  ...{ id: `${symbol} ${exDate}`, symbol, cusip: '191216100', ex_date: exDate, rate, special: false, foreign: false },
  ...{ record_date: exDate, payable_date: '2026-12-15', process_date: '2026-12-15' },
  ...more
})
const page = (rows: readonly object[], next: string | null = null) => ({
  body: { corporate_actions: rows.length === 0 ? {} : { cash_dividends: rows }, next_page_token: next }
})
const known = (date: string) => eastern(date as IsoDate, '00:00')

describe('a dividend', () => {
  const text = JSON.stringify(page([row('KO', '2026-12-01', 0.53)]).body)
  const figures = (changed: string) => readAlpacaDividends(alpacaReader.body(Buffer.from(changed)))

  test('counts from 30 days before its ex-date, since nobody says when it was declared', () => {
    const dividend = { exDate: '2026-12-01', amount: 0.53, knownFrom: known('2026-11-01') }
    expect(figures(text)).toEqual([{ symbol: 'KO', dividend }])
  })

  test('of a foreign share is passed over: its currency is not told', () => {
    const body = page([row('BABA', '2026-12-01', 7, { foreign: true })]).body
    expect(readAlpacaDividends(body)).toEqual([{ symbol: 'BABA', dividend: undefined }])
  })

  test('that is mutated is the same or a fault with the name of the field', () => {
    // A single field says whether a dividend is foreign; renaming a list makes it one of other corporate actions.
    const mutations = [...jsonMutations(text)].filter(
      ({ label }) =>
        !label.endsWith('foreign as true') && !/^corporate_actions\.cash_dividends (dropped|renamed)/.test(label)
    )
    expectSameOrNamed(mutations, figures(text), figures)
  })

  test('without an amount is a fault', () => {
    for (const rate of [0, -1, Number.POSITIVE_INFINITY]) {
      expect(() => readAlpacaDividends(page([row('KO', '2026-12-01', rate)]).body)).toThrow(
        /the field rate is no amount/
      )
    }
  })
})

async function statedBy(vendor: RestVendor, symbols: readonly string[]): Promise<readonly Stated[]> {
  const settings = { ...KEYS, url: vendor.url, tradingUrl: 'http://127.0.0.1:9', requestsPerMinute: 200 }
  const stated: Stated[] = []
  const asked = { now, from, symbols: symbols as unknown as readonly Ticker[] }
  for await (const each of createAlpacaDividends(settings).read(asked, signal)) stated.push(each)
  return stated
}

test('pages are read to their end, a dividend that is listed twice counts once, and two of one day both', async () => {
  const vendor = await RestVendor.start(({ query }) =>
    query['page_token'] === 'b'
      ? page([
          row('KO', '2026-12-01', 0.53),
          row('KO', '2026-12-01', 1, { special: true }),
          row('PEP', '2026-12-04', 1.4)
        ])
      : page([row('KO', '2026-09-15', 0.51), row('KO', '2026-12-01', 0.53), row('KO', '2025-09-12', 0.5)], 'b')
  )
  const stated = await statedBy(vendor, ['KO', 'SPX', 'PEP', 'TSLA'])
  expect(stated).toMatchObject([
    {
      symbol: 'KO',
      dividends: [
        { exDate: '2026-09-15', amount: 0.51 },
        { exDate: '2026-12-01', amount: 0.53 },
        { exDate: '2026-12-01', amount: 1 }
      ]
    },
    { symbol: 'PEP', dividends: [{ exDate: '2026-12-04', amount: 1.4 }] }
  ])
  expect(vendor.asked).toHaveLength(2)
  expect(vendor.asked[0]).toMatchObject({
    path: '/v1/corporate-actions',
    query: { symbols: 'KO,PEP,TSLA', types: 'cash_dividend', start: from, end: '2027-04-22' },
    headers: { 'apca-api-key-id': KEYS.key, 'apca-api-secret-key': KEYS.secret }
  })
})

test('a hundred symbols are asked for together', async () => {
  const vendor = await RestVendor.start(() => page([]))
  expect(
    await statedBy(
      vendor,
      Array.from({ length: 250 }, (_, k) => `S${k}`)
    )
  ).toEqual([])
  expect(vendor.asked.map(({ query }) => query['symbols'].split(',').length)).toEqual([100, 100, 50])
})

test('without its keys it says what is missing', () => {
  expect(alpacaDividends.refusal!({ 'alpaca-key': 'k' } as never)).toContain('GAMMAWALL_ALPACA_SECRET')
  expect(alpacaDividends.refusal!({} as never)).toContain('GAMMAWALL_ALPACA_KEY')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartFigures } from '../../src/app/chart-figures.ts'
import { seriesFieldNames } from '../../src/endpoints/series/fields.ts'
import { session } from '../../src/market/calendar.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { mountUdf } from '../../src/server/udf/mount-udf.ts'
import { memoryStore } from '../support/memory-store.ts'
import { movingFigures, recordedDay } from '../support/recorded-days.ts'
import { scriptedSource, wednesday } from '../support/scripted-source.ts'
import { service } from '../support/service.ts'

// The requests that the HTTP datafeed of the TradingView charting library makes, with the parameters that it sends.

type Host = ReturnType<typeof service>
let host: Host
let key: string
beforeAll(async () => {
  const rows = await recordedDay('2026-07-29')
  const history = memoryStore({ ...rows, figures: rows.snapshots.map(movingFigures) })
  host = service({ market: { source: scriptedSource(), archive: history } })
  mountUdf(host.app, { figures: chartFigures, now: () => wednesday })
  key = host.keyOn('growth')
})
afterAll(() => host.close())

const open = session('2026-07-29' as IsoDate)!.open / 1000
const udf = async (path: string, withKey: string | null = key) => {
  const answer = await host.ask(`/udf/${path}`, withKey ?? undefined)
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}
const history = async (query: string) => (await udf(`history?${query}`)).body

describe('the datafeed of a chart', () => {
  test('says without a key what it can do, and what time it is', async () => {
    expect((await udf('config', null)).body).toMatchObject({
      supported_resolutions: ['1', '5', '15', '30', '60', '1D', '1W'],
      supports_search: true,
      supports_group_request: false,
      supports_marks: true,
      supports_time: true
    })
    const time = await host.ask('/udf/time')
    expect([time.body, time.headers['content-type']]).toEqual([String(wednesday / 1000), 'text/plain; charset=utf-8'])
  })

  test('describes a symbol and each figure of it', async () => {
    expect((await udf('symbols?symbol=KO')).body).toMatchObject({
      name: 'KO',
      type: 'stock',
      pricescale: 100,
      visible_plots_set: 'ohlcv'
    })
    for (const name of seriesFieldNames) {
      const { body } = await udf(`symbols?symbol=KO%3A${name}`)
      expect(body).toMatchObject({
        name: `KO:${name}`,
        ticker: `KO:${name}`,
        type: 'figure',
        visible_plots_set: 'c',
        has_intraday: true
      })
    }
    expect((await udf('symbols?symbol=KO%3Anet_gex')).body.format).toBe('volume')
    expect((await udf('symbols?symbol=gammawall%3AKO%3Agamma_flip')).body.name).toBe('KO:gamma_flip')
  })

  test.each(['NOT A TICKER', 'KO:nope', 'KO:net_gex:x', ''])('knows no symbol %s', async (symbol) => {
    const { status, body } = await udf(`symbols?symbol=${encodeURIComponent(symbol)}`)
    expect([status, body]).toEqual([404, { s: 'error', errmsg: 'unknown_symbol' }])
  })

  test('finds tickers that begin with a text, and figures after a colon', async () => {
    const names = async (query: string) =>
      (await udf(`search?${query}`)).body.map(({ symbol }: { symbol: string }) => symbol)
    expect((await names('query=k&type=&exchange=&limit=30'))[0]).toBe('KO')
    expect(await names('query=KO%3Agamma&limit=30')).toEqual([
      'KO:gamma_flip',
      'KO:max_positive_gamma',
      'KO:max_negative_gamma',
      'KO:flow.hedge.gamma'
    ])
    expect(await names('query=KO&type=figure&limit=5')).toHaveLength(5)
  })
})

describe('history', () => {
  test('is the bars before to, and from from on', async () => {
    const found = await history(`symbol=KO&resolution=1&from=${open}&to=${open + 120}`)
    expect([found.s, found.t]).toEqual(['ok', [open, open + 60]])
    for (const column of ['o', 'h', 'l', 'c']) expect(found[column]).toHaveLength(2)
    const bars = (await host.ask('/v1/bars/KO?every=1m', key)).json()
    expect([found.o, found.c]).toEqual([bars.o.slice(0, 2), bars.c.slice(0, 2)])
  })

  test('counts back whatever from says, which is what the library asks first', async () => {
    const found = await history(`symbol=KO&resolution=1&from=${open + 3000}&to=${open + 3600}&countback=2`)
    expect([found.s, found.t]).toEqual(['ok', [open + 60, open + 120]])
    const days = await history(`symbol=KO&resolution=1D&from=${open}&to=${open + 3600}&countback=5`)
    expect(days.t).toHaveLength(5)
    expect(days.t.every((time: number) => time % 86_400 === 0)).toBe(true)
  })

  test('counts back from the present where to is later', async () => {
    const soon = await history(`symbol=KO&resolution=1D&to=${open + 86_400}&countback=5`)
    expect(soon.t).toHaveLength(5)
    expect(await history('symbol=KO&resolution=1D&to=1893456000&countback=5')).toEqual(soon)
  })

  test('of a figure is its value as a bar with four equal prices, and no volume', async () => {
    const found = await history(`symbol=KO%3Anet_gex&resolution=5&from=${open}&to=${open + 3600}&countback=10`)
    const { columns } = (await host.ask('/v1/bars/KO?every=5m&fields=net_gex', key)).json()
    const values = columns.net_gex.filter((value: number | null) => value !== null)
    expect(values.length).toBeGreaterThan(0)
    expect(found).toMatchObject({ s: 'ok', o: values, h: values, l: values, c: values })
    expect(found).not.toHaveProperty('v')
  })

  test('without bars says where the newest one before lies', async () => {
    const found = await history(`symbol=KO&resolution=1&from=${open + 1200}&to=${open + 1800}`)
    expect(found).toEqual({ s: 'no_data', nextTime: open + 120 })
    const sunday = Date.parse('2026-07-26T00:00:00Z') / 1000
    const daily = await history(`symbol=KO&resolution=1D&from=${sunday}&to=${sunday + 1}`)
    expect(daily).toMatchObject({ s: 'no_data', nextTime: Date.parse('2026-07-24') / 1000 })
    expect(await history('symbol=KO&resolution=1&from=0&to=60')).toEqual({ s: 'no_data' })
  })

  test.each([
    ['symbol=KO&resolution=7&from=0&to=9', 400, /resolution/],
    ['symbol=KO&resolution=1&from=0', 400, /to must be/],
    ['symbol=KO&resolution=1&from=x&to=9', 400, /from must be/],
    ['symbol=KO%3Anope&resolution=1D&from=0&to=9', 404, /unknown_symbol/]
  ])('refuses %s in the words of the protocol', async (query, status, message) => {
    const found = await udf(`history?${query}`)
    expect([found.status, found.body]).toEqual([status, { s: 'error', errmsg: expect.stringMatching(message) }])
  })
})

describe('who asks', () => {
  const query = `history?symbol=KO&resolution=5&from=${open}&to=${open + 3600}`

  test('needs a key, in the header or the address, and a plan that has these bars', async () => {
    expect((await udf(query, null)).status).toBe(401)
    expect((await udf(`${query}&apiKey=${key}`, null)).status).toBe(200)
    const free = await udf(query, host.keyOn('free'))
    expect([free.status, free.body]).toEqual([403, { s: 'error', errmsg: expect.stringMatching(/Basic plan/) }])
  })

  test('spends one request of the quota for one of the chart', async () => {
    const own = host.keyOn('basic')
    const left = async () => Number((await udf(query, own)).headers['x-ratelimit-remaining'])
    const first = await left()
    expect(await left()).toBe(first - 1)
  })

  test('may be a page of another origin', async () => {
    const answer = await host.app.inject({ url: '/udf/config', headers: { origin: 'https://chart.example' } })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })
})

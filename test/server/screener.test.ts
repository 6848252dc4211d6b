import { afterAll, expect, test } from 'vitest'
import type { Ticker } from '../../src/market/units.ts'
import { service } from '../support/service.ts'

const { app, ask, keyOn, live, close } = service()
afterAll(close)

const alpha = keyOn('alpha')
const post = (body?: unknown, key = alpha, type = 'application/json') =>
  app.inject({
    method: 'POST',
    url: '/v1/screener',
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) })
  })

test('a screen looks at what is held, never loads a symbol, and renews its rows with the chains', async () => {
  expect((await post()).json().meta).toMatchObject({ universe_size: 0, total_count: 0, tier: 'alpha' })
  for (const symbol of ['AAPL', 'NOOPT', 'SPX']) await ask(`/v1/stock/${symbol}/summary`, alpha)
  await expect.poll(async () => (await post()).json().meta.universe_size).toBeGreaterThanOrEqual(3)
  const { data } = (await post({ select: ['price', 'regime', 'total_call_oi', 'tier'] })).json()
  const rows = new Map(data.map((row: { symbol: string }) => [row.symbol, row]))
  const summary = (await ask('/v1/stock/AAPL/summary', alpha)).json()
  expect(rows.get('AAPL')).toEqual({
    symbol: 'AAPL',
    price: summary.price.last,
    regime: summary.exposure.regime,
    total_call_oi: summary.options_flow.total_call_oi,
    tier: null
  })
  expect(rows.get('NOOPT')).toMatchObject({ regime: null, total_call_oi: null })
  expect(rows.has('MSFT' as Ticker)).toBe(false)
  expect(live.catalogue().asked).not.toContain('MSFT')
  expect((await post()).json().meta.missing_count).toBe(0)
})

test('no screen is empty because its first rows are still being made', async () => {
  const started = service()
  const key = started.keyOn('alpha')
  await started.ask('/v1/stock/AAPL/summary', key)
  const screen = () => started.app.inject({ method: 'POST', url: '/v1/screener', headers: { 'x-api-key': key } })
  for (const answer of await Promise.all([screen(), screen(), screen()])) {
    if (answer.statusCode === 200) expect(answer.json().meta.universe_size).toBeGreaterThan(0)
    else {
      expect([answer.statusCode, answer.json()]).toMatchObject([
        503,
        { error: 'data_loading', loading: 'screener rows' }
      ])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  }
  await started.close()
})

test('a screen of contracts reads the chains of the rows', async () => {
  const filters = { field: 'contracts.oi', operator: '>', value: 500 }
  const { data } = (
    await post({ filters, select: ['expiry_aggregates'], universe: { type: 'custom', symbols: ['AAPL'] } })
  ).json()
  expect(data).toHaveLength(1)
  for (const expiry of data[0].expiry_aggregates)
    for (const strike of expiry.strike_aggregates)
      for (const { oi } of strike.contracts) expect(oi).toBeGreaterThan(500)
})

test('an empty body asks for everything, a null is absent, and what is no JSON is a validation error', async () => {
  expect((await post()).statusCode).toBe(200)
  expect((await post({})).statusCode).toBe(200)
  expect((await post({ filters: null, sort: null, select: null, limit: null, universe: null })).statusCode).toBe(200)
  for (const [body, type] of [
    ['{', 'application/json'],
    ['a', 'text/plain'],
    ['[]', 'application/json']
  ] as const) {
    const refused = await post(body, alpha, type)
    expect([refused.statusCode, refused.json().error]).toEqual([400, 'validation_error'])
  }
})

test('plans: Growth sees less, and asks for Alpha in vain; below it there is nothing', async () => {
  const growth = keyOn('growth')
  expect((await post({}, growth)).json().meta).toMatchObject({ tier: 'growth', limit: 10, universe_size: 0 })
  const refused = await post({ offset: 1 }, growth)
  expect([refused.statusCode, refused.json().error]).toEqual([400, 'validation_error'])
  expect(refused.json().message).toContain('Alpha')
  expect((await post({}, keyOn('basic'))).statusCode).toBe(403)
  expect((await ask('/v1/screener/fields', keyOn('free'))).json().count).toBeGreaterThan(100)
})

test('a formula that cannot be read is refused with its position', async () => {
  const refused = await post({ formulas: [{ alias: 'a', expression: 'atm_iv +' }] })
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ error: 'formula_error', position: 8, parameter: 'formulas[0].expression' })
})

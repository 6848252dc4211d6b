import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, service } from '../support/service.ts'

let at: Service
beforeEach(() => {
  at = service()
  return at.close
})

const summary = async (symbol: string, key?: string) => {
  const { statusCode, headers, body } = await at.ask(`/v1/stock/${symbol}/summary`, key)
  return { status: statusCode, headers, json: JSON.parse(body) as Readonly<Record<string, unknown>> }
}

describe('without a key', () => {
  test('the close of the session before is shown to everybody, index or not, and not counted', async () => {
    for (const symbol of ['AAPL', 'SPY', 'SPX']) {
      const { status, headers, json } = await summary(symbol)
      expect([status, json['as_of'], json['market_open']]).toEqual([200, '2026-07-28T20:00:00.000Z', false])
      expect([headers['cache-control'], headers['x-ratelimit-remaining']]).toEqual(['public, max-age=60', undefined])
    }
  })

  test('the snapshot is the same bytes all day and another one the next morning at 09:31', async () => {
    const first = await summary('AAPL')
    at.clock.pass(12 * 3_600_000)
    expect((await summary('AAPL')).headers['etag']).toBe(first.headers['etag'])
    at.clock.pass(10.5 * 3_600_000 + 59_999) // 09:30:59.999
    expect((await summary('AAPL')).json['as_of']).toBe('2026-07-28T20:00:00.000Z')
    at.clock.pass(1)
    expect((await summary('AAPL')).json['as_of']).toBe('2026-07-29T20:00:00.000Z')
  })

  test('a symbol whose close is not held has no snapshot', async () => {
    at.source.close = () => undefined
    expect(await summary('AAPL')).toMatchObject({ status: 404, json: { error: 'no_snapshot' } })
  })

  test('a symbol that nobody knows has none either', async () => {
    at.source.close = () => undefined
    expect(await summary('NOBODY')).toMatchObject({ status: 404, json: { error: 'no_snapshot' } })
    expect(at.source.count('NOBODY')).toBe(0)
  })
})

describe('with a key', () => {
  test('the present is shown and the request counts', async () => {
    const { status, headers, json } = await summary('AAPL', at.keyOn('free'))
    expect([status, json['as_of'], json['market_open']]).toEqual([200, '2026-07-29T15:00:00.000Z', true])
    expect([headers['cache-control'], headers['x-ratelimit-remaining']]).toEqual(['private, no-cache', '4'])
  })

  test('that is not one the snapshot is not shown instead', async () => {
    expect((await summary('AAPL', 'not-a-key')).status).toBe(401)
  })

  test('of the Free plan an index or ETF is refused, which it is not on Basic', async () => {
    for (const symbol of ['SPY', 'SPX']) {
      expect(await summary(symbol, at.keyOn('free'))).toMatchObject({ status: 403, json: { required_plan: 'Basic' } })
      expect((await summary(symbol, at.keyOn('basic'))).status).toBe(200)
    }
  })

  test('a symbol that nobody knows is not found', async () => {
    expect(await summary('NOBODY', at.keyOn('free'))).toMatchObject({
      status: 404,
      json: { error: 'symbol_not_found' }
    })
  })

  test('a symbol without options has a price and no exposure', async () => {
    const { status, json } = await summary('NOOPT', at.keyOn('free'))
    expect([status, json['exposure']]).toEqual([200, null])
    expect(json['price']).toMatchObject({ bid: 100.29, ask: 100.31 })
  })
})

import Type from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import { type Endpoint, endpoint } from '../../../src/api/endpoint.ts'
import { symbolInPath } from '../../../src/api/params.ts'
import { Level } from '../../../src/api/quantity.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { previousTradingDay } from '../../../src/market/calendar.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { type ServiceOptions, service } from '../../support/service.ts'

const shape = Type.Object({ spot: Level('USD'), as_of: Type.String() })
const common = {
  tag: 'market-data',
  summary: 'made for tests',
  plan: 'public',
  needs: ['quote'],
  params: { symbol: symbolInPath() },
  replay: false,
  stream: false,
  response: shape,
  answer: ({ quote }: { quote: { spot: number; asOf: number } }) => ({
    spot: quote.spot,
    as_of: new Date(quote.asOf).toISOString()
  })
} as const

/** Takes no notice of keys. */
const open = endpoint({ ...common, id: 'test.open', path: '/v1/open/{symbol}', keys: 'ignored' })
/** Describes the session before to those without a key. */
const either = endpoint({
  ...common,
  id: 'test.either',
  path: '/v1/either/{symbol}',
  keys: 'counted',
  session: (_params, { now, keyless }) => (keyless ? previousTradingDay(easternDate(now)) : undefined)
})
const account = endpoints.find(({ id }) => id.startsWith('account'))!

const running: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of running.splice(0)) await close()
})
function started(options: ServiceOptions = {}) {
  const made = service({ endpoints: [open, either, account] as readonly Endpoint[], ...options })
  running.push(made.close)
  return made
}

const kept = 'public, max-age=60'
const own = 'private, no-cache'

describe('an endpoint that ignores keys', () => {
  test('answers without a key, with one and with a wrong one alike, and counts nothing', async () => {
    const { ask, keyOn, quota, accounts, records } = started()
    const key = keyOn('free')
    for (const sent of [undefined, key, newKey(), '']) {
      const answer = await ask('/v1/open/AAPL', sent)
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, kept])
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
    }
    expect((await ask(`/v1/open/AAPL?apiKey=${newKey()}`)).statusCode).toBe(200)
    expect(quota.used(accounts.find(key)!)).toBe(0)
    expect(records.map(({ status, plan, userId }) => [status, plan, userId])).toEqual(
      Array(5).fill([200, undefined, undefined])
    )
    expect(records.at(-1)!.path).toBe('/v1/open/AAPL')
  })

  test('asks no plan of anybody: an index is answered too', async () => {
    const { ask, keyOn } = started()
    expect((await ask('/v1/open/SPX')).statusCode).toBe(200)
    expect((await ask('/v1/open/SPX', keyOn('free'))).statusCode).toBe(200)
  })

  test('refuses what nobody knows in the usual words', async () => {
    const answer = await started().ask('/v1/open/NOPE')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      status: 'ERROR',
      error: 'symbol_not_found',
      message: 'nothing is known of NOPE'
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('tells a client that has the answer so', async () => {
    const { ask } = started()
    const { etag } = (await ask('/v1/open/AAPL')).headers
    const again = await ask('/v1/open/AAPL', undefined, { headers: { 'if-none-match': etag as string } })
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', kept])
  })
})

describe('an endpoint that counts keys', () => {
  test('answers those without one as strangers, and nothing is counted', async () => {
    const { ask } = started()
    const answer = await ask('/v1/either/AAPL')
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, kept])
    expect(answer.headers.vary).toContain('x-api-key')
    expect(answer.json().as_of).toBe('2026-07-28T20:00:00.000Z')
    expect((await ask('/v1/either/SPX')).statusCode).toBe(200)
    expect((await ask('/v1/either/AAPL?apiKey=')).headers['cache-control']).toBe(kept)
  })

  test('takes a request with a key for one of its account: counted, gated, live', async () => {
    const { ask, keyOn, quota, accounts } = started()
    const key = keyOn('free')
    const answer = await ask('/v1/either/AAPL', key)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, own])
    expect(answer.headers['x-ratelimit-remaining']).toBe('4')
    expect(answer.json().as_of).toBe('2026-07-29T15:00:00.000Z')
    const gated = await ask('/v1/either/SPX', key)
    expect([gated.statusCode, gated.json().required_plan]).toEqual([403, 'Basic'])
    expect(quota.used(accounts.find(key)!)).toBe(1)
    for (let k = 0; k < 4; k++) expect((await ask(`/v1/either/AAPL?apiKey=${key}`)).statusCode).toBe(200)
    expect((await ask('/v1/either/AAPL', key)).json().error).toBe('Quota exceeded')
    expect((await ask('/v1/either/AAPL')).statusCode).toBe(200)
  })

  test('refuses a wrong key instead of taking it for none', async () => {
    const { ask } = started()
    expect((await ask('/v1/either/AAPL', newKey())).statusCode).toBe(401)
    expect((await ask(`/v1/either/AAPL?apiKey=${newKey()}`)).statusCode).toBe(401)
    expect((await ask('/v1/either/AAPL?apiKey=a&apiKey=b')).statusCode).toBe(401)
  })

  test('keeps the answers of the two apart', async () => {
    const { ask, keyOn, computed } = started()
    const key = keyOn('alpha')
    for (let k = 0; k < 3; k++) {
      await ask('/v1/either/AAPL')
      await ask('/v1/either/AAPL', key)
    }
    expect(computed).toEqual(['test.either', 'test.either'])
  })
})

describe('an address without a key', () => {
  const rate = { burst: 2, perMinute: 60 }

  test('is held to a rate over all public endpoints, in the usual words', async () => {
    const { ask, clock, keyOn } = started({ rate })
    expect((await ask('/v1/open/AAPL')).statusCode).toBe(200)
    expect((await ask('/v1/either/AAPL')).statusCode).toBe(200)
    const refused = await ask('/v1/open/AAPL')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.json()).toEqual({
      status: 'ERROR',
      error: 'too_many_requests',
      message: expect.stringContaining('try again in 1 s')
    })
    expect((await ask('/v1/either/AAPL', keyOn('free'))).statusCode).toBe(200)
    expect((await ask('/v1/open/AAPL', undefined, { remoteAddress: '10.1.1.1' })).statusCode).toBe(200)
    clock.pass(1000)
    expect((await ask('/v1/open/AAPL')).statusCode).toBe(200)
    expect((await ask('/v1/open/AAPL')).statusCode).toBe(429)
  })

  test('behind a proxy is the one the proxy saw, whatever the client claims', async () => {
    const { ask } = started({ rate, trustProxy: true })
    const from = (addresses: string) =>
      ask('/v1/open/AAPL', undefined, { headers: { 'x-forwarded-for': addresses } }).then((sent) => sent.statusCode)
    expect([await from('1.1.1.1, 10.0.0.9'), await from('2.2.2.2, 10.0.0.9')]).toEqual([200, 200])
    expect([await from('3.3.3.3, 10.0.0.9'), await from('10.0.0.8')]).toEqual([429, 200])
  })

  test('takes the short way to the same answers and the same limit', async () => {
    const { app, records, keyOn } = started({ rate: { burst: 5, perMinute: 60 } })
    const address = await listen(app, '127.0.0.1', 0)
    const get = (headers: Record<string, string> = {}) => fetch(`${address}/v1/either/AAPL`, { headers })
    const answers = [await get(), await get(), await get()]
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(bodies).size).toBe(1)
    for (const answer of answers) expect(answer.headers.get('cache-control')).toBe(kept)
    for (const answer of answers) expect(answer.headers.get('x-ratelimit-limit')).toBe(null)
    const keyed = [await get({ 'x-api-key': keyOn('basic') }), await get({ 'x-api-key': newKey() })]
    expect(keyed.map(({ status }) => status)).toEqual([200, 401])
    expect(await keyed[0].text()).not.toBe(bodies[0])
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([200, 200, 429])
    expect(records.filter(({ status }) => status === 200).map(({ plan }) => plan)).toEqual([
      ...Array(3).fill(undefined),
      'basic',
      undefined,
      undefined
    ])
  })
})

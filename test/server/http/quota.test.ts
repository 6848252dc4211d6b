import { afterAll, describe, expect, test } from 'vitest'
import type { PlanId } from '../../../src/api/plan.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { service } from '../../support/service.ts'

const { ask, keyOn, source, clock, accounts, close } = service()
afterAll(close)

const later = '2026-08-21'
const gex = `/v1/exposure/gex/AAPL?expiration=${later}`
const midnight = Date.parse('2026-07-30T00:00:00Z') / 1000

type Answer = Awaited<ReturnType<typeof ask>>
const left = ({ headers }: Answer) => headers['x-ratelimit-remaining']

describe('what counts', () => {
  const posting = { method: 'POST', headers: { 'content-type': 'application/json' } } as const

  test.each([
    ['200', 200, 'free', gex, {}],
    ['400', 400, 'free', '/v1/exposure/gex/AAPL?min_oi=x', {}],
    ['404 for a symbol', 404, 'free', '/stockquote/NOPE', {}],
    ['404 for a text that is no symbol', 404, 'free', '/stockquote/ELEVENCHARS', {}],
    ['404 for a path', 404, 'free', '/v1/nothing', {}],
    ['405 for a method', 405, 'free', '/v1/account', { method: 'DELETE' }],
    ['422', 422, 'free', '/v1/pricing/iv?spot=100&strike=100&dte=30&price=99.999999999', {}],
    ['400 for a body', 400, 'basic', '/v1/structures/pnl', { ...posting, payload: '{' }],
    ['413', 413, 'basic', '/v1/structures/pnl', { ...posting, payload: 'x'.repeat(300_000) }]
  ] as const)('%s does', async (_, status, plan, url, more) => {
    const key = keyOn(plan)
    const answer = await ask(url, key, more)
    expect(answer.statusCode).toBe(status)
    expect(left(answer)).toBe(plan === 'free' ? '4' : '249')
    expect((await ask('/v1/account', key)).json().usage_today).toBe(2)
  })

  test('304 does', async () => {
    const key = keyOn('free')
    const first = await ask(gex, key)
    const second = await ask(gex, key, { headers: { 'if-none-match': first.headers.etag as string } })
    expect(second.statusCode).toBe(304)
    expect([left(first), left(second)]).toEqual(['4', '3'])
  })

  test('HEAD does, once', async () => {
    const key = keyOn('free')
    expect(left(await ask(gex, key, { method: 'HEAD' }))).toBe('4')
    expect(left(await ask(gex, key))).toBe('3')
  })

  test.each([
    ['403 for the plan', '/v1/exposure/summary/AAPL'],
    ['403 for an ETF', `/v1/exposure/gex/SPY?expiration=${later}`],
    ['403 for the full chain', '/v1/exposure/gex/AAPL'],
    ['403 for today', '/v1/exposure/gex/AAPL?expiration=0dte']
  ])('%s does not', async (_, url) => {
    const key = keyOn('free')
    const answer = await ask(url, key)
    expect([answer.statusCode, left(answer)]).toEqual([403, '5'])
    expect(left(await ask('/v1/account', key))).toBe('4')
  })

  test('502 and 503 do not: neither a source that is down nor what is only announced', async () => {
    source.faults.set('DOWN', new SourceError('unavailable', 'down'))
    const key = keyOn('growth')
    for (const [status, url] of [
      [502, '/v1/exposure/gex/DOWN'],
      [502, '/v1/exposure/gex/DOWN'],
      [503, '/v1/exposure/history/AAPL']
    ] as const) {
      const answer = await ask(url, key)
      expect([answer.statusCode, left(answer)]).toEqual([status, '2500'])
    }
    source.faults.delete('DOWN')
  })

  test('a fault of ours does not, and tells its number and nothing of its cause', async () => {
    source.faults.set('BROKEN', new TypeError('secret of the inside'))
    const key = keyOn('growth')
    const answer = await ask('/v1/exposure/gex/BROKEN', key)
    expect([answer.statusCode, left(answer)]).toEqual([500, '2500'])
    expect(answer.json()).toMatchObject({ error: 'internal_error', request_id: answer.headers['x-request-id'] })
    expect(answer.body).not.toContain('secret')
  })

  test('401 does not', async () => {
    const key = keyOn('free')
    await ask(`/v1/account?apiKey=${key}`, 'gw_live_wrong')
    expect(left(await ask('/v1/account', key))).toBe('4')
  })
})

describe('the limit headers', () => {
  test('are on every answer to a valid key, whatever became of it', async () => {
    const answers = [
      [200, gex],
      [400, '/v1/exposure/gex/AAPL?min_oi=x'],
      [403, '/v1/exposure/gex/AAPL'],
      [403, '/v1/exposure/summary/AAPL'],
      [404, '/stockquote/NOPE'],
      [404, '/v1/nothing']
    ] as const
    for (const [status, url] of answers) {
      const { statusCode, headers } = await ask(url, keyOn('free'))
      expect(statusCode).toBe(status)
      expect(headers).toMatchObject({
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': status === 403 ? '5' : '4',
        'x-ratelimit-reset': `${midnight}`,
        'ratelimit-policy': '"daily";q=5;w=86400'
      })
      expect(headers).not.toHaveProperty('retry-after')
    }
  })

  test.each([
    'alpha',
    'enterprise'
  ] as const)('say unlimited on %s, which still tells when a day ends', async (plan) => {
    const { headers } = await ask(gex, keyOn(plan))
    expect(headers).toMatchObject({
      'x-ratelimit-limit': 'unlimited',
      'x-ratelimit-remaining': 'unlimited',
      'x-ratelimit-reset': `${midnight}`
    })
    expect(headers).not.toHaveProperty('ratelimit')
  })
})

describe('the account', () => {
  test.each([
    ['free', '5'],
    ['basic', '250'],
    ['growth', '2500'],
    ['alpha', 'unlimited'],
    ['enterprise', 'unlimited']
  ] as const)('on %s shows its limit, and counts the request that asks', async (plan, limit) => {
    const key = keyOn(plan)
    await ask('/v1/account', key)
    const answer = await ask('/v1/account', key)
    const metered = limit !== 'unlimited'
    expect(answer.json()).toMatchObject({
      plan,
      daily_limit: limit,
      usage_today: metered ? 2 : 0,
      remaining: metered ? `${Number(limit) - 2}` : 'unlimited',
      resets_at: '2026-07-30T00:00:00.000Z'
    })
    expect([answer.headers['x-ratelimit-limit'], left(answer)]).toEqual([limit, answer.json().remaining])
  })

  test('shares one count among the keys of a user', async () => {
    const first = keyOn('free')
    const { userId } = accounts.find(first)!
    const { key: second } = await accounts.keys.create(await accounts.users.get(userId), 'second', 'test')
    await ask('/v1/account', first)
    expect((await ask('/v1/account', second)).json().usage_today).toBe(2)
  })
})

describe('a day that is used up', () => {
  const exhaust = async (plan: PlanId, limit: number) => {
    const key = keyOn(plan)
    for (let k = 0; k < limit; k++) expect((await ask('/v1/account', key)).statusCode).toBe(200)
    return key
  }

  test('is 429 with the plan, the limit, the way up and the time to wait', async () => {
    clock.at = Date.parse('2026-07-29T23:59:58.500Z')
    const answer = await ask(gex, await exhaust('free', 5))
    expect(answer.statusCode).toBe(429)
    expect(answer.json()).toEqual({
      status: 'ERROR',
      error: 'Quota exceeded',
      message: 'all 5 requests of today are used; wait for the reset, or move to the Basic plan',
      current_plan: 'Free',
      limit: 5,
      upgrade_to: 'Basic',
      reset_at: '2026-07-30T00:00:00.000Z'
    })
    expect(answer.headers).toMatchObject({
      'retry-after': '2',
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      ratelimit: '"daily";r=0;t=2'
    })
  })

  test('stays used up for whatever is asked, and begins again at midnight UTC', async () => {
    clock.at = Date.parse('2026-07-29T20:30:00Z')
    const key = await exhaust('free', 5)
    for (const url of ['/v1/account', '/stockquote/NOPE', '/v1/exposure/gex/AAPL?min_oi=x', '/v1/nothing']) {
      expect((await ask(url, key)).statusCode).toBe(429)
    }
    expect((await ask('/v1/exposure/summary/AAPL', key)).statusCode).toBe(403)
    clock.at = Date.parse('2026-07-30T00:00:00Z')
    const answer = await ask('/v1/account', key)
    expect([answer.statusCode, answer.json().usage_today, left(answer)]).toEqual([200, 1, '4'])
  })

  test('is exact under 500 requests at once: 250 answers on Basic, each with its own number', async () => {
    const key = keyOn('basic')
    const urls = ['/v1/account', gex, '/v1/exposure/dex/MSFT', '/v1/exposure/gex/AAPL?min_oi=x', '/stockquote/NOPE']
    const asked = Array.from({ length: 500 }, (_, k) => ask(urls[k % urls.length], key))
    const answers = await Promise.all(asked)
    const counted = answers.filter(({ statusCode }) => statusCode !== 429)
    expect(counted).toHaveLength(250)
    expect(new Set(counted.filter(({ statusCode }) => statusCode === 200).map(left)).size).toBeGreaterThan(100)
    expect(answers.filter(({ statusCode }) => statusCode === 429).every((answer) => left(answer) === '0')).toBe(true)
  })

  test('is not used up by refusals that are given back, though they come among other requests', async () => {
    const key = keyOn('free')
    const asked = Array.from({ length: 200 }, (_, k) => ask(k % 40 === 0 ? gex : '/v1/exposure/gex/AAPL', key))
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.slice(0, 160)).not.toContain(429)
  })
})

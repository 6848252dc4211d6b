import { afterAll, describe, expect, test } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import { type PlanId, planIds } from '../../../src/api/plan.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { service } from '../../support/service.ts'

const { ask, keyOn, source, accounts, clock, close } = service()
afterAll(close)

const gex = '/v1/exposure/gex'
const today = '2026-07-29'
const later = '2026-08-21'

describe('the key of a request', () => {
  test('comes in the header or in the query', async () => {
    const key = keyOn('alpha')
    expect((await ask(`${gex}/SPY`, key)).statusCode).toBe(200)
    expect((await ask(`${gex}/SPY?apiKey=${key}`)).statusCode).toBe(200)
  })

  test('of the header wins over that of the query', async () => {
    const [good, other] = [keyOn('alpha'), keyOn('basic')]
    expect((await ask(`${gex}/SPY?apiKey=${other}`, good)).headers['x-ratelimit-limit']).toBe('unlimited')
    expect((await ask(`${gex}/SPY?apiKey=${newKey()}`, good)).statusCode).toBe(200)
    expect((await ask(`${gex}/SPY?apiKey=${good}`, newKey())).statusCode).toBe(401)
    expect((await ask(`${gex}/SPY?apiKey=${good}`, '')).statusCode).toBe(401)
  })

  test('is refused in the query where it opens an account, whether a header brings one too or not', async () => {
    const key = keyOn('alpha')
    for (const sent of [undefined, key]) {
      const answer = await ask(`/v1/account?apiKey=${key}`, sent)
      expect(answer.statusCode).toBe(401)
      expect(answer.json().detail).toBe('this path takes no key in its address: send it in the X-Api-Key header')
      expect(answer.body).not.toContain(key)
    }
  })

  test.each([
    [
      'is missing',
      '/v1/account',
      undefined,
      'no API key: send one in the X-Api-Key header, or as Authorization: Bearer'
    ],
    [
      'is empty',
      '/v1/account?apiKey=',
      undefined,
      'no API key: send one in the X-Api-Key header, or as Authorization: Bearer'
    ],
    ['was never issued', '/v1/account', newKey(), 'the API key is invalid or revoked'],
    ['is mistyped', '/v1/account', 'gw_live_x', 'the API key is invalid or revoked'],
    ['is given twice', `${gex}/SPY?apiKey=a&apiKey=b`, undefined, 'the API key is invalid or revoked'],
    [
      'is written as an array',
      '/v1/account?apiKey[]=a',
      undefined,
      'no API key: send one in the X-Api-Key header, or as Authorization: Bearer'
    ],
    [
      'is a text of 5,000 letters',
      `${gex}/SPY?apiKey=${'k'.repeat(5000)}`,
      undefined,
      'the API key is invalid or revoked'
    ]
  ])('that %s is 401, whatever else is wrong', async (_, url, key, detail) => {
    for (const path of [url, url.replace('/v1/account', `${gex}/NOPE`)]) {
      const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}min_oi=-1`, key)
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({ title: 'Unauthorized', status: 401, detail })
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
    }
  })

  test('ends when it is revoked', async () => {
    const key = keyOn('growth')
    expect((await ask('/v1/account', key)).statusCode).toBe(200)
    await accounts.keys.revoke(key.slice(-4), 'test')
    clock.pass(1000)
    expect((await ask('/v1/account', key)).statusCode).toBe(401)
  })
})

describe('the order of checks', () => {
  /** A request with every fault at once, less those that were mended, and what it is refused for. */
  async function refusal(plan: PlanId, url: string, used = 0): Promise<readonly [number, string]> {
    const key = keyOn(plan)
    for (let k = 0; k < used; k++) await ask('/v1/account', key)
    const answer = await ask(url, key)
    const body = answer.json()
    return [answer.statusCode, body.error ?? 'none']
  }

  test('is 401, 403 for the plan, 429, 400, 403 for what is asked, 404, 502', async () => {
    source.faults.set('DOWN', new SourceError('unavailable', 'down'))
    expect((await ask('/v1/exposure/summary/SPX?expiration=soon')).statusCode).toBe(401)
    expect(await refusal('free', '/v1/exposure/summary/SPX?expiration=soon', 5)).toEqual([403, 'tier_restricted'])
    expect(await refusal('free', `${gex}/SPX?expiration=soon&min_oi=x`, 5)).toEqual([429, 'Quota exceeded'])
    expect(await refusal('free', `${gex}/SPX?expiration=soon`)).toEqual([400, 'invalid_expiration'])
    expect(await refusal('free', `${gex}/SPX?min_oi=x`)).toEqual([400, 'invalid_min_oi'])
    expect(await refusal('free', `${gex}/TOOLONGATICKER?min_oi=x`)).toEqual([400, 'invalid_min_oi'])
    expect(await refusal('free', `${gex}/NOPE`)).toEqual([403, 'tier_restricted'])
    expect(await refusal('free', `${gex}/DOWN?expiration=${today}`)).toEqual([403, 'tier_restricted'])
    expect(await refusal('free', `${gex}/NOPE?expiration=${later}`)).toEqual([404, 'symbol_not_found'])
    expect(await refusal('free', `${gex}/DOWN?expiration=${later}`)).toEqual([502, 'source_unavailable'])
    expect(await refusal('free', `${gex}/AAPL?expiration=${later}`)).toEqual([200, 'none'])
    source.faults.delete('DOWN')
  })

  const planned = endpoints.flatMap((endpoint) => {
    const { plan } = endpoint
    return plan === 'public' ? [] : [{ ...endpoint, plan }]
  })
  test.each(planned)('of $id lets nobody below its plan in, and everybody above', async ({
    path,
    plan,
    body,
    needs
  }) => {
    const url = path.replace(/\{\w+\}/, 'AAPL')
    for (const held of planIds) {
      const answer = await ask(url, keyOn(held), body === undefined ? {} : { method: 'POST', payload: '' })
      const enough = planIds.indexOf(held) >= planIds.indexOf(plan)
      // The service of these tests keeps no history.
      const answered = [200, 400, 403, 503, ...(needs.includes('figures') ? [404] : [])]
      if (enough) expect(answered).toContain(answer.statusCode)
      else expect(answer.statusCode).toBe(403)
      const required = answer.statusCode === 403 ? answer.json().required_plan : undefined
      if (!enough) expect(required.toLowerCase()).toBe(plan)
      if (enough && answer.statusCode === 403) expect(required).toBe('Growth')
    }
  })
})

describe('what a plan may ask for', () => {
  test('a refusal names the plan that would do, in the words of the contract', async () => {
    const answer = await ask(`${gex}/SPY?expiration=${later}`, keyOn('free'))
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({
      status: 'ERROR',
      error: 'tier_restricted',
      message: 'ETFs need the Basic plan or higher; this key is on Free',
      current_plan: 'Free',
      required_plan: 'Basic'
    })
  })

  test.each([
    'SPX',
    'spxw',
    '%20vix%20',
    'SPY',
    '%5EGSPC',
    'NDX'
  ])('an index or ETF needs Basic on every endpoint, however it is written: %s', async (symbol) => {
    const free = keyOn('alpha')
    expect(free).toBeDefined()
    for (const url of [`/stockquote/${symbol}`, `/v1/stockquote/${symbol}`, `/v1/options/${symbol}`]) {
      const refused = await ask(url, keyOn('free'))
      expect([refused.statusCode, refused.json().required_plan]).toEqual([403, 'Basic'])
      expect((await ask(url, keyOn('basic'))).statusCode).not.toBe(403)
    }
  })

  test.each(['gex', 'levels'])('%s of a single later expiration is open to Free', async (name) => {
    expect((await ask(`/v1/exposure/${name}/AAPL?expiration=${later}`, keyOn('free'))).statusCode).toBe(200)
  })

  test('the full chain of gex needs Growth', async () => {
    for (const plan of ['free', 'basic'] as const) {
      const answer = await ask(`${gex}/AAPL`, keyOn(plan))
      expect([answer.statusCode, answer.json().required_plan]).toEqual([403, 'Growth'])
      expect(answer.json().message).toMatch(/^the full chain \(without expiration\) needs the Growth plan or higher/)
    }
    expect((await ask(`${gex}/AAPL`, keyOn('growth'))).statusCode).toBe(200)
  })

  test.each([
    'gex',
    'dex',
    'vex',
    'chex',
    'levels'
  ])('%s of what expires today needs Growth, by date as by the word 0dte', async (name) => {
    for (const date of [today, '0dte']) {
      const url = `/v1/exposure/${name}/AAPL?expiration=${date}`
      const answer = await ask(url, keyOn('basic'))
      expect([answer.statusCode, answer.json().required_plan]).toEqual([403, 'Growth'])
      expect((await ask(url, keyOn('growth'))).statusCode).toBe(200)
    }
    expect((await ask(`/v1/exposure/${name}/AAPL?expiration=${later}`, keyOn('basic'))).statusCode).toBe(200)
  })

  test('accounts that subscribed before 2026-03-20 keep same-day expirations, and nothing else', async () => {
    const old = keyOn('free', '2026-03-19')
    expect((await ask(`${gex}/AAPL?expiration=0dte`, old)).statusCode).toBe(200)
    expect((await ask(`${gex}/AAPL`, old)).statusCode).toBe(403)
    expect((await ask(`${gex}/SPY?expiration=0dte`, old)).statusCode).toBe(403)
    expect((await ask(`/v1/exposure/dex/AAPL`, old)).statusCode).toBe(403)
    expect((await ask(`${gex}/AAPL?expiration=0dte`, keyOn('free', '2026-03-20'))).statusCode).toBe(403)
  })

  test('smoothed volatilities are an Alpha answer, kept apart from that of Growth', async () => {
    const url = `/optionquote/AAPL?expiry=${later}&strike=100&type=C`
    const gated = async (plan: PlanId) => (await ask(url, keyOn(plan))).json().svi_vol_gated
    expect(await gated('growth')).toBe('requires_alpha_tier')
    expect(await gated('alpha')).not.toBe('requires_alpha_tier')
    expect(await gated('growth')).toBe('requires_alpha_tier')
  })
})

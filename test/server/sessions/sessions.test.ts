import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import { StorageError } from '../../../src/accounts/storage-error.ts'
import { defaultPlans } from '../../../src/api/plan.ts'
import { mountAdmin } from '../../../src/server/admin/admin.ts'
import { type Service, service } from '../../support/service.ts'

const levels = '/v1/exposure/levels/SPY'
const host = '127.0.0.1:8080'
const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }

let running: Service
let key: string
beforeEach(() => {
  running = service()
  key = running.keyOn('alpha')
})
afterEach(() => running.close())

const signIn = (sent: unknown = { key }, headers: Record<string, string> = own) =>
  running.app.inject({ method: 'POST', url: '/session', payload: sent as object, headers })
const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']).split(';')[0]
const signedIn = async () => cookieOf(await signIn())
const get = (url: string, cookie: string, headers: Record<string, string> = own) =>
  running.ask(url, undefined, { headers: { ...headers, cookie } })
const accountId = () => running.accounts.find(key)!.keyId

describe('signing in', () => {
  test('exchanges a key for a cookie that scripts cannot read and other sites are not sent', async () => {
    const answer = await signIn()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['set-cookie']).toMatch(
      /^gw_session=[\w-]+\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/
    )
    const expiresAt = new Date(running.clock.now() + 43_200_000).toISOString()
    expect(answer.json()).toEqual({ plan: 'alpha', expires_at: expiresAt })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).not.toContain(key)
  })

  test('asks browsers behind TLS to keep the cookie to it, where the proxy is believed', async () => {
    const behind = service({ trustProxy: true })
    const payload = { key: behind.keyOn('free') }
    const headers = { ...own, 'x-forwarded-proto': 'https' }
    const answer = await behind.app.inject({ method: 'POST', url: '/session', payload, headers })
    expect(answer.headers['set-cookie']).toMatch(/; Secure$/)
    await behind.close()
  })

  test('gives every browser a session of its own, whatever cookie it comes with', async () => {
    const planted = `gw_session=${'A'.repeat(43)}`
    const answer = await signIn({ key }, { ...own, cookie: planted })
    expect(cookieOf(answer)).not.toBe(planted)
    expect((await get(levels, planted)).statusCode).toBe(401)
    expect((await get(levels, cookieOf(answer))).statusCode).toBe(200)
    const again = await signIn({ key }, { ...own, cookie: cookieOf(answer) })
    expect((await get(levels, cookieOf(answer))).statusCode).toBe(401) // ended by the new one
    expect((await get(levels, cookieOf(again))).statusCode).toBe(200)
  })

  test.each([
    ['no JSON', 'key=gw_live_x', 'application/x-www-form-urlencoded'],
    ['no JSON, though it says so', '{"key":', 'application/json'],
    ['nothing', '', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['another field', JSON.stringify({ key: newKey(), user: 'x' }), 'application/json'],
    ['no text', '{"key":{"$ne":1}}', 'application/json'],
    ['a field that is named as a key', JSON.stringify({ [newKey()]: 1 }), 'application/json'],
    ['a prototype', '{"__proto__":{"key":"x"}}', 'application/json']
  ])('is refused with %s, and nothing of it is said back', async (_what, payload, type) => {
    const answer = await running.app.inject({
      method: 'POST',
      url: '/session',
      payload,
      headers: { ...own, 'content-type': type }
    })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_body'])
    expect(answer.body).not.toMatch(/gw_live_\w/)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('is refused with a body that no key needs', async () => {
    const answer = await signIn({ key: 'x'.repeat(2000) })
    expect([answer.statusCode, answer.json().error]).toEqual([413, 'payload_too_large'])
  })

  test('is refused to pages of other origins before the key is looked at', async () => {
    for (const headers of [
      { host, origin: 'https://evil.example' },
      { host, 'sec-fetch-site': 'cross-site' },
      { host, 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' },
      { host, origin: 'null' }
    ]) {
      const answer = await signIn({ key }, headers)
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'cross_site'])
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  test('is refused under a name that somebody else pointed at this machine', async () => {
    const evil = { host: 'evil.example:8080', origin: 'http://evil.example:8080', 'sec-fetch-site': 'same-origin' }
    const answer = await signIn({ key }, evil)
    expect([answer.statusCode, answer.json().error]).toEqual([421, 'misdirected'])
    expect((await signIn({ key }, { host: 'dash.example' })).statusCode).toBe(200)
  })

  test('fails ten times a minute, after which the address has to wait; a good key goes on', async () => {
    const statuses: number[] = []
    for (let k = 0; k < 12; k++) statuses.push((await signIn({ key: newKey() })).statusCode)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const late = await signIn({ key: 'nonsense' })
    expect(late.headers['retry-after']).toBe('6')
    expect((await signIn()).statusCode).toBe(200)
    expect((await signIn({ key: newKey() })).statusCode).toBe(401)
  })

  test('of one key is refused beyond a hundred at once, for a while, and not of another key', async () => {
    for (let k = 0; k < 100; k++) expect((await signIn()).statusCode).toBe(200)
    const late = await signIn()
    expect([late.statusCode, late.json().error, late.headers['retry-after']]).toEqual([429, 'too_many_requests', '3'])
    expect((await signIn({ key: running.keyOn('free') })).statusCode).toBe(200)
    running.clock.pass(3000)
    expect((await signIn()).statusCode).toBe(200)
  })

  test('is not counted, and its record holds the account and no key', async () => {
    await signIn()
    const record = running.records.at(-1)!
    expect(record).toMatchObject({ method: 'POST', route: '/session', path: '/session', status: 200, plan: 'alpha' })
    expect(JSON.stringify(running.records)).not.toContain(key)
    expect(running.quota.used({ ...running.accounts.find(key)!, plan: defaultPlans.byId('basic') })).toBe(0)
  })
})

describe('a session', () => {
  test('opens what its key does, on the quota of the key', async () => {
    const free = running.keyOn('free')
    const cookie = cookieOf(await signIn({ key: free }))
    const first = await get('/v1/exposure/levels/AAPL', cookie)
    expect([first.statusCode, first.headers['x-ratelimit-remaining']]).toEqual([200, '4'])
    expect((await running.ask('/v1/exposure/levels/AAPL', free)).headers['x-ratelimit-remaining']).toBe('3')
    expect((await get(levels, cookie)).statusCode).toBe(403)
    expect(running.records.at(-1)).toMatchObject({ status: 403, plan: 'free' })
  })

  test('gives way to a key that is sent, also to a wrong one', async () => {
    const cookie = await signedIn()
    const answer = await running.ask(levels, newKey(), { headers: { ...own, cookie } })
    expect([answer.statusCode, answer.json().detail]).toEqual([401, 'the API key is invalid or revoked'])
    expect((await get(`${levels}?apiKey=${newKey()}`, cookie)).statusCode).toBe(401)
  })

  test.each([
    ['a page of another origin', { host, origin: 'https://evil.example' }],
    ['a page of another port', { host, origin: 'http://127.0.0.1:3000' }],
    ['another site', { host, 'sec-fetch-site': 'cross-site' }],
    ['another site of the same domain', { host, 'sec-fetch-site': 'same-site' }],
    ['a frame without an origin', { host, origin: 'null' }],
    ['a name that somebody pointed here', { host: 'evil.example' }]
  ])('does not count for %s', async (_what, headers) => {
    const answer = await get(levels, await signedIn(), headers)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      401,
      'the session of a browser counts for pages of this service alone'
    ])
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test.each([
    { host },
    { host, 'sec-fetch-site': 'none' },
    { host, 'sec-fetch-site': 'same-origin' }
  ])('counts for %j', async (headers) => {
    expect((await get(levels, await signedIn(), headers)).statusCode).toBe(200)
  })

  test('shows a public endpoint as to its key, and caches keep the two apart', async () => {
    const url = '/v1/stock/SPY/summary'
    const cookie = await signedIn()
    const [open, mine] = [await running.ask(url), await get(url, cookie)]
    expect(mine.headers['cache-control']).toBe('private, no-cache')
    expect(mine.headers['x-ratelimit-limit']).toBe('unlimited')
    expect(open.headers['cache-control']).toBe('public, max-age=60')
    expect(open.headers['vary']).toContain('cookie')
    expect((await get(url, 'gw_session=stale')).headers['x-ratelimit-limit']).toBeUndefined()
  })

  test('is over within a second of the revocation of its key, and after twelve hours', async () => {
    const cookie = await signedIn()
    expect((await get(levels, cookie)).statusCode).toBe(200)
    running.clock.pass(12 * 3_600_000 - 1000)
    expect((await get(levels, cookie)).statusCode).toBe(200)
    running.clock.pass(1000)
    expect((await get(levels, cookie)).json().detail).toBe('the session is over: sign in again')

    const next = await signedIn()
    expect((await get(levels, next)).statusCode).toBe(200)
    await running.accounts.keys.revoke(accountId(), 'test')
    running.clock.pass(1000)
    expect((await get(levels, next)).statusCode).toBe(401)
  })

  test('ends where it is signed out, there alone', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const out = (cookie: string, headers: Record<string, string> = own) =>
      running.app.inject({ method: 'DELETE', url: '/session', headers: { ...headers, cookie } })
    expect((await out(mine, { host, origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await get(levels, mine)).statusCode).toBe(200)
    const ended = await out(mine)
    expect([ended.statusCode, ended.body]).toEqual([204, ''])
    expect(ended.headers['set-cookie']).toBe('gw_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0')
    expect((await get(levels, mine)).statusCode).toBe(401)
    expect((await get(levels, other)).statusCode).toBe(200)
    expect((await out('')).statusCode).toBe(204)
  })

  test.each([
    ['twice', (cookie: string) => `${cookie}; gw_session=${'A'.repeat(43)}`],
    ['under a longer name', (cookie: string) => `x${cookie}`],
    ['cut short', (cookie: string) => cookie.slice(0, -1)],
    ['with more behind it', (cookie: string) => `${cookie}A`],
    ['in quotes', (cookie: string) => cookie.replace('=', '="') + '"']
  ])('is not found in a cookie that comes %s', async (_how, planted) => {
    expect((await get(levels, planted(await signedIn()))).statusCode).toBe(401)
  })

  test('is found among other cookies', async () => {
    expect((await get(levels, `theme=dark;${await signedIn()} ;other=gw_session`)).statusCode).toBe(200)
  })

  test('shows in no record', async () => {
    const cookie = await signedIn()
    await get(levels, cookie)
    await get('/nowhere', cookie)
    expect(running.records.map(({ status }) => status)).toEqual([200, 200, 404])
    expect(JSON.stringify(running.records)).not.toContain(cookie.split('=')[1])
  })
})

describe('administration', () => {
  test('is changed by a session with X-Gammawall: 1 alone, which pages of other origins cannot send', async () => {
    const { app, access, accounts, quota, database, clock } = running
    const stores = {
      accounts,
      quota,
      database,
      plans: defaultPlans,
      doubtControl: running.live,
      reload: async () => [],
      admins: 'enterprise' as const
    }
    mountAdmin(app, { ...stores, ...access, wallNow: clock.now })
    key = running.keyOn('enterprise')
    const cookie = await signedIn()
    const make = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/v1/admin/users', payload: { email: 'a@b.example', plan: 'free' }, headers })
    expect((await get('/v1/admin/users', cookie)).statusCode).toBe(200)
    for (const headers of [own, { ...own, 'x-gammawall': '0' }, { host, 'x-gammawall': '' }]) {
      const refused = await make({ ...headers, cookie })
      expect([refused.statusCode, refused.json().detail]).toMatchObject([
        401,
        expect.stringContaining('X-Gammawall: 1')
      ])
    }
    const foreign = { host, origin: 'https://evil.example', 'x-gammawall': '1', cookie }
    expect((await make(foreign)).statusCode).toBe(401)
    expect((await make({ ...own, 'x-gammawall': '1', cookie })).statusCode).toBe(201)
    expect((await make({ 'x-api-key': key })).statusCode).toBe(409) // a key needs no such header
    const asked = await app.inject({
      method: 'OPTIONS',
      url: '/v1/admin/users',
      headers: { origin: 'https://evil.example' }
    })
    expect(String(asked.headers['access-control-allow-headers']).toLowerCase()).not.toContain('x-gammawall')
  })
})

describe('what is counted of a browser', () => {
  const used = async (sent: string) => (await running.ask('/v1/account', sent)).json().usage_today - 1
  const signedInTo = async (service: Service, sent: string, headers: Record<string, string> = own) =>
    cookieOf(await service.app.inject({ method: 'POST', url: '/session', payload: { key: sent }, headers }))

  test('is not what it holds already', async () => {
    const growth = running.keyOn('growth')
    const cookie = await signedInTo(running, growth)
    const first = await get(levels, cookie)
    expect([first.statusCode, first.headers['x-ratelimit-remaining']]).toEqual([200, '2499'])
    const held = { ...own, 'if-none-match': String(first.headers['etag']) }
    for (let k = 0; k < 3; k++) {
      const again = await get(levels, cookie, held)
      expect([again.statusCode, again.body, again.headers['x-ratelimit-remaining']]).toEqual([304, '', '2499'])
    }
    expect(await used(growth)).toBe(1)
    // A program with a key that asks again pays for it, as ever.
    const asked = await running.ask(levels, growth, { headers: { 'if-none-match': held['if-none-match'] } })
    expect([asked.statusCode, asked.headers['x-ratelimit-remaining']]).toEqual([304, '2497'])
  })

  test('is nothing on the machine itself, where the operator has it so', async () => {
    const free = service({ freeHere: true })
    const asker = free.keyOn('growth')
    const from = (cookie: string, url = levels) => free.ask(url, undefined, { headers: { ...own, cookie } })
    const cookie = await signedInTo(free, asker)
    const answer = await from(cookie)
    expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, 'unlimited'])
    expect((await from(cookie, '/v1/nothing')).headers['x-ratelimit-remaining']).toBe('unlimited')
    expect((await from(cookie, '/v1/exposure/gex/NOSUCH')).statusCode).toBe(404)
    const account = (await from(cookie, '/v1/account')).json()
    expect([account.plan, account.daily_limit, account.usage_by_day]).toEqual(['growth', 'unlimited', []])
    // Requests with a key, from another host and through a proxy still count.
    expect((await free.ask(levels, asker)).headers['x-ratelimit-remaining']).toBe('2499')
    for (const headers of [{ host: 'dash.example' }, { ...own, 'x-forwarded-for': '203.0.113.9' }]) {
      const elsewhere = await signedInTo(free, asker, headers as Record<string, string>)
      const counted = await free.ask(levels, undefined, { headers: { host: headers.host, cookie: elsewhere } })
      expect(counted.headers['x-ratelimit-remaining']).toMatch(/^249\d$/)
    }
    await free.close()
  })

  test('is everything on the machine itself otherwise', async () => {
    const growth = running.keyOn('growth')
    await get(levels, await signedInTo(running, growth))
    expect(await used(growth)).toBe(1)
  })
})

test('signing out everywhere ends every session of the user, of all keys, and of nobody else', async () => {
  const { userId } = running.accounts.find(key)!
  const second = await running.accounts.keys.create(await running.accounts.users.get(userId), 'second', 'test')
  const [first, again, bySecond, theirs] = await Promise.all(
    [key, key, second.key, running.keyOn('alpha')].map(async (each) => cookieOf(await signIn({ key: each })))
  )
  const out = (cookie = '') =>
    running.app.inject({ method: 'DELETE', url: '/session?everywhere=true', headers: { ...own, cookie } })
  const statuses = async () => {
    const answers = await Promise.all([first, again, bySecond, theirs].map((cookie) => get(levels, cookie!)))
    return answers.map(({ statusCode }) => statusCode)
  }
  expect((await out()).statusCode).toBe(204)
  expect((await out(`gw_session=${'A'.repeat(43)}`)).statusCode).toBe(204)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect((await out(first)).statusCode).toBe(204)
  expect(await statuses()).toEqual([401, 401, 401, 200])
})

test('a sign-out that cannot be stored is said to be none, and the browser keeps its cookie', async () => {
  const cookie = await signedIn()
  const full = new StorageError('the data folder /secret/place', 'the disk is full')
  const stored = vi.spyOn(running.database, 'durably').mockRejectedValue(full)
  const out = () => running.app.inject({ method: 'DELETE', url: '/session', headers: { ...own, cookie } })
  const answer = await out()
  expect([answer.statusCode, answer.json().error]).toEqual([503, 'storage_unavailable'])
  expect([answer.headers['set-cookie'], answer.body.includes('/secret')]).toEqual([undefined, false])
  expect((await get(levels, cookie)).statusCode).toBe(200)
  stored.mockRestore()
  expect((await out()).statusCode).toBe(204)
  expect((await get(levels, cookie)).statusCode).toBe(401)
})

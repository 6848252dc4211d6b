import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import Fastify, { type InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { auditTrail } from '../../../src/accounts/audit.ts'
import { newKey } from '../../../src/accounts/key.ts'
import { StoredQuota } from '../../../src/accounts/quota.ts'
import type { User } from '../../../src/accounts/users.ts'
import { defaultPlans, type PlanId, planIds } from '../../../src/api/plan.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { adminPaths, mountAdmin } from '../../../src/server/admin/admin.ts'
import type { DoubtControl } from '../../../src/server/admin/admin-doubts.ts'
import { adminRoutes } from '../../../src/server/admin/admin-routes.ts'
import { createAccess } from '../../../src/server/http/access.ts'
import { asApiError, sendRefusal } from '../../../src/server/http/refusal.ts'
import { temporaryAccounts } from '../../accounts/temporary-accounts.ts'
import { usedOnce } from '../../support/schemas-used-once.ts'
import { canMount, smallDisk } from '../../support/small-disk.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

interface Circumstances {
  readonly admins?: 'enterprise' | 'operators'
  readonly folder?: string
  /** Answers of status 500 and above are what the test is about. */
  readonly expectsFailures?: boolean
}

/** The admin routes over fresh accounts, with a user and a key on every plan. */
async function administration({ admins = 'enterprise', folder, expectsFailures = false }: Circumstances = {}) {
  const { accounts, database, clock } = await temporaryAccounts(undefined, folder)
  const quota = new StoredQuota(database, { now: clock.now, onError: (error) => expect.unreachable(String(error)) })
  onTestFinished(() => quota.close())
  const people = {} as Record<PlanId, { readonly user: User; readonly key: string }>
  for (const plan of planIds) {
    const user = await accounts.users.create({ email: `${plan}@example.com`, plan }, 'test')
    people[plan] = { user, key: (await accounts.keys.create(user, 'first', 'test')).key }
  }
  const app = Fastify({ bodyLimit: 1_000_000 })
  const failures: unknown[] = []
  app.setErrorHandler((error, request, reply) => {
    const refusal = asApiError(error)
    if (refusal.status >= 500) failures.push(error)
    return sendRefusal(reply, refusal, request.id)
  })
  const { authenticate, usesSession } = createAccess(accounts, defaultPlans)
  const doubts: DoubtControl['doubts'][number][] = []
  const doubtControl: DoubtControl = { doubts, accept: (symbol) => doubts.find((doubt) => doubt.symbol === symbol) }
  const stores = {
    accounts,
    database,
    quota,
    plans: defaultPlans,
    doubtControl,
    reload: async () => ['plan growth: added']
  }
  mountAdmin(app, { ...stores, authenticate, usesSession, wallNow: clock.now, admins })
  onTestFinished(() => app.close())

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    more: InjectOptions = {}
  ) {
    const sent =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }
    const headers = { 'x-api-key': people.enterprise.key, ...sent.headers, ...more.headers }
    const response = await app.inject({ method, url, ...sent, ...more, headers })
    if (!expectsFailures) expect(failures).toEqual([])
    const json = response.body === '' ? undefined : response.json()
    return { status: response.statusCode, json, headers: response.headers, text: response.body }
  }
  const trail = () => auditTrail(database, 1000)
  return { send, people, accounts, database, quota, clock, doubts, trail, app }
}

const ajv = new Ajv2020({ ...usedOnce, allErrors: true })
addFormats.default(ajv)

/** Lists the differences between an answer and its documented shape. */
function faults(method: string, path: string, json: unknown) {
  const route = adminRoutes.find((each) => each.method === method && each.path === path)!
  const validate = ajv.compile(JSON.parse(JSON.stringify(route.response)))
  return validate(json) ? [] : validate.errors
}

const everyRoute = adminRoutes.map(({ method, path, body }) => ({
  method,
  url: path.replace('{id}', unknownId).replace('{symbol}', 'SPY'),
  name: `${method} ${path}`,
  example: body?.example
}))

describe('who may administer', () => {
  test.each(everyRoute)('$name answers 401 without a valid key', async ({ method, url, example }) => {
    const { send, trail } = await administration()
    const before = (await trail()).length
    for (const key of ['', 'not-a-key', newKey()]) {
      const { status, json } = await send(method, url, example, { headers: { 'x-api-key': key } })
      expect(status).toBe(401)
      expect(json).toEqual({ title: 'Unauthorized', status: 401, detail: expect.any(String) })
    }
    expect(await trail()).toHaveLength(before)
  })

  test.each(everyRoute)('$name answers 403 to every plan below Enterprise', async ({ method, url, example }) => {
    const { send, people, trail } = await administration()
    const before = (await trail()).length
    for (const plan of ['free', 'basic', 'growth', 'alpha'] as const) {
      const { status, json } = await send(method, url, example, { headers: { 'x-api-key': people[plan].key } })
      expect(status).toBe(403)
      expect(json).toEqual({
        status: 'ERROR',
        error: 'tier_restricted',
        message: expect.stringContaining('Enterprise'),
        current_plan: defaultPlans.byId(plan).name,
        required_plan: 'Enterprise'
      })
    }
    expect(await trail()).toHaveLength(before)
  })

  test('an Enterprise key opens it, and a key of an operator on any plan', async () => {
    const { send, people, accounts } = await administration()
    const { key } = await accounts.keys.create(people.free.user, 'desk', 'test', { role: 'operator' })
    expect((await send('GET', '/v1/admin/plans')).status).toBe(200)
    expect((await send('GET', '/v1/admin/plans', undefined, { headers: { 'x-api-key': key } })).status).toBe(200)
  })

  test('with --admin operators Enterprise is sold without it: operators alone may', async () => {
    const { send, people, accounts } = await administration({ admins: 'operators' })
    const refused = await send('GET', '/v1/admin/plans')
    expect([refused.status, refused.json.error, refused.json.current_plan]).toEqual([
      403,
      'tier_restricted',
      'Enterprise'
    ])
    expect(refused.json.message).toContain('keys of the role operator')
    for (const { user } of [people.free, people.enterprise]) {
      const { key } = await accounts.keys.create(user, 'desk', 'test', { role: 'operator' })
      expect((await send('GET', '/v1/admin/plans', undefined, { headers: { 'x-api-key': key } })).status).toBe(200)
    }
  })

  test('nobody comes by the role of an operator over HTTP', async () => {
    const { send, people, accounts, trail } = await administration()
    const desk = await accounts.keys.create(people.enterprise.user, 'desk', 'test', { role: 'operator' })
    const before = (await trail()).length
    const path = `/v1/admin/users/${people.free.user.id}/keys`
    for (const [url, body] of [
      [path, { role: 'operator' }],
      [`/v1/admin/keys/${desk.id}/rotate`, {}]
    ] as const) {
      const { status, json } = await send('POST', url, body)
      expect([status, json.error]).toEqual([400, 'invalid_body'])
    }
    expect(await trail()).toHaveLength(before)
  })

  test('a body is not read before the key is known', async () => {
    const { send } = await administration()
    const payload = 'x'.repeat(900_000)
    const headers = { 'x-api-key': newKey(), 'content-type': 'application/json' }
    expect((await send('POST', '/v1/admin/users', undefined, { payload, headers })).status).toBe(401)
    const known = { 'content-type': 'application/json' }
    expect((await send('POST', '/v1/admin/users', undefined, { payload, headers: known })).status).toBe(413)
  })

  test('the key may not come in the query', async () => {
    const { app, people } = await administration()
    const { key } = people.enterprise
    for (const headers of [{}, { 'x-api-key': key }]) {
      const response = await app.inject({ url: `/v1/admin/plans?apiKey=${key}`, headers })
      expect([response.statusCode, response.json().detail]).toEqual([401, expect.stringContaining('X-Api-Key header')])
    }
  })

  test('a key that ends itself opens nothing further', async () => {
    const { send, people, accounts, clock } = await administration()
    const [key] = (await accounts.keys.list()).filter(({ userId }) => userId === people.enterprise.user.id)
    expect((await send('DELETE', `/v1/admin/keys/${key.id}`)).status).toBe(200)
    clock.at += 500
    expect((await send('GET', '/v1/admin/plans')).status).toBe(401)
  })

  test('a move to a lower plan closes administration', async () => {
    const { send, people, clock } = await administration()
    expect((await send('PATCH', `/v1/admin/users/${people.enterprise.user.id}`, { plan: 'alpha' })).status).toBe(200)
    clock.at += 500
    expect((await send('GET', '/v1/admin/plans')).status).toBe(403)
  })

  test('administration uses no quota and is not kept by anybody on the way', async () => {
    const { send, people, quota, accounts } = await administration()
    for (let i = 0; i < 5; i++) expect((await send('GET', '/v1/admin/users')).headers['cache-control']).toBe('no-store')
    await quota.flush()
    expect((await accounts.users.usageToday()).get(people.enterprise.user.id)).toBeUndefined()
  })
})

describe('users', () => {
  test('are listed by email, a page at a time', async () => {
    const { send } = await administration()
    const first = await send('GET', '/v1/admin/users?limit=2')
    expect(first.json).toMatchObject({ total: 5, limit: 2, offset: 0 })
    expect(first.json.users.map((user: { email: string }) => user.email)).toEqual([
      'alpha@example.com',
      'basic@example.com'
    ])
    expect(faults('GET', '/v1/admin/users', first.json)).toEqual([])
    const last = await send('GET', '/v1/admin/users?limit=2&offset=4')
    expect(last.json.users.map((user: { email: string }) => user.email)).toEqual(['growth@example.com'])
    expect((await send('GET', '/v1/admin/users?offset=5')).json.users).toEqual([])
  })

  test('are listed to the last of them, however many', async () => {
    const { send, database } = await administration()
    const many = sql.raw(`
        WITH RECURSIVE counted(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM counted WHERE k < 20000)
        INSERT INTO users (id, email, plan, subscribed_on, created_at)
        SELECT 'user-' || k, printf('many-%05d@example.com', k), 'free', '2026-07-01', '2026-07-01T00:00:00.000Z' FROM counted
      `)
    await database.durably((tx) => many.execute(tx))
    const { json } = await send('GET', '/v1/admin/users?limit=2&offset=20003')
    expect(json.total).toBe(20_005)
    expect(json.users.map((user: { email: string }) => user.email)).toEqual([
      'many-19999@example.com',
      'many-20000@example.com'
    ])
  })

  test.each([
    'limit=0',
    'limit=501',
    'limit=abc',
    'limit=1.5',
    'limit=',
    'limit=1&limit=2',
    'offset=-1',
    'offset=1e3',
    'offset=1000001'
  ])('a page asked for with %s is refused', async (query) => {
    const { send } = await administration()
    for (const path of ['users', 'audit']) {
      const { status, json } = await send('GET', `/v1/admin/${path}?${query}`)
      expect([status, json.error]).toEqual([400, 'invalid_parameter'])
    }
  })

  test('show what they asked for today, on metered and on unlimited plans', async () => {
    const { send, people, quota } = await administration()
    const { free, alpha } = people
    for (let i = 0; i < 3; i++) {
      quota.take({ userId: free.user.id, plan: defaultPlans.byId('free') })
      quota.take({ userId: alpha.user.id, plan: defaultPlans.byId('alpha') })
    }
    const metered = await send('GET', `/v1/admin/users/${free.user.id}`)
    expect(metered.json).toMatchObject({ email: 'free@example.com', usage_today: 3, daily_limit: 5 })
    await quota.flush()
    const unlimited = await send('GET', `/v1/admin/users/${alpha.user.id}`)
    expect(unlimited.json).toMatchObject({ email: 'alpha@example.com', usage_today: 3, daily_limit: null })
    expect(faults('GET', '/v1/admin/users/{id}', unlimited.json)).toEqual([])
  })

  test('are made, changed and removed, each step audited under the acting account', async () => {
    const { send, trail, accounts } = await administration()
    const made = await send('POST', '/v1/admin/users', {
      email: ' New@Example.com ',
      plan: 'basic',
      subscribed_on: '2026-01-05'
    })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      email: 'new@example.com',
      plan: 'basic',
      subscribed_on: '2026-01-05',
      usage_today: 0
    })
    expect(faults('POST', '/v1/admin/users', made.json)).toEqual([])
    const path = `/v1/admin/users/${made.json.id}`

    const moved = await send('PATCH', path, { plan: 'growth', subscribed_on: '2025-12-31' })
    expect([moved.status, moved.json.plan, moved.json.subscribed_on]).toEqual([200, 'growth', '2025-12-31'])
    expect(await accounts.users.get(made.json.id)).toMatchObject({ plan: 'growth', subscribedOn: '2025-12-31' })

    const removed = await send('DELETE', path)
    expect([removed.status, removed.json.email]).toEqual([200, 'new@example.com'])
    expect((await send('GET', path)).status).toBe(404)

    const mine = (await trail()).filter(({ actor }) => actor === 'enterprise@example.com')
    expect(mine.map(({ action, target }) => `${action} ${target}`).sort()).toEqual([
      'user.create new@example.com',
      'user.remove new@example.com',
      'user.set_plan new@example.com',
      'user.set_plan new@example.com'
    ])
    expect(mine.map(({ detail }) => detail)).toContainEqual({ from: 'basic', to: 'growth' })
    expect(mine.map(({ detail }) => detail)).toContainEqual({
      plan: 'growth',
      subscribedFrom: '2026-01-05',
      subscribedTo: '2025-12-31'
    })
  })

  test('a change of the subscription day decides over same-day expirations', async () => {
    const { send, people, accounts, clock } = await administration()
    expect(accounts.find(people.free.key)?.grandfathered).toBe(false)
    await send('PATCH', `/v1/admin/users/${people.free.user.id}`, { subscribed_on: '2026-03-19' })
    clock.at += 500
    expect(accounts.find(people.free.key)?.grandfathered).toBe(true)
  })

  test('a change that changes nothing is not audited', async () => {
    const { send, people, trail } = await administration()
    const before = (await trail()).length
    const { user } = people.free
    const same = await send('PATCH', `/v1/admin/users/${user.id}`, { plan: 'free', subscribed_on: user.subscribedOn })
    expect(same.status).toBe(200)
    expect(await trail()).toHaveLength(before)
  })

  test('half of a change is no change', async () => {
    const { send, people, accounts, trail } = await administration()
    const before = (await trail()).length
    const path = `/v1/admin/users/${people.free.user.id}`
    for (const change of [
      { plan: 'alpha', subscribed_on: '2026-02-30' },
      { plan: 'gold', subscribed_on: '2026-02-03' }
    ]) {
      const { status, json } = await send('PATCH', path, change)
      expect([status, json.error]).toEqual([400, 'invalid_body'])
    }
    expect(await accounts.users.get(people.free.user.id)).toEqual(people.free.user)
    expect(await trail()).toHaveLength(before)
  })

  test('an email that is taken is a conflict, however it is written', async () => {
    const { send } = await administration()
    const { status, json } = await send('POST', '/v1/admin/users', { email: 'FREE@example.com ', plan: 'basic' })
    expect([status, json.error]).toEqual([409, 'user_exists'])
  })

  test.each([
    unknownId,
    'free@example.com',
    'x',
    '%00',
    "' OR 1=1 --",
    'a'.repeat(60),
    '..%2fplans',
    '__proto__'
  ])('the id %s names nobody', async (id) => {
    const { send, trail } = await administration()
    const before = (await trail()).length
    const path = `/v1/admin/users/${encodeURI(id)}`
    expect((await send('GET', path)).status).toBeGreaterThanOrEqual(400)
    expect((await send('PATCH', path, { plan: 'alpha' })).status).toBeGreaterThanOrEqual(400)
    expect((await send('DELETE', path)).status).toBeGreaterThanOrEqual(400)
    expect((await send('POST', `${path}/keys`, {})).status).toBeGreaterThanOrEqual(400)
    expect((await send('DELETE', `/v1/admin/keys/${encodeURI(id)}`)).status).toBeGreaterThanOrEqual(400)
    expect(await trail()).toHaveLength(before)
  })
})

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('hostile bodies', () => {
  const bodies = [
    ['nothing', ''],
    ['no JSON', '{email'],
    ['null', 'null'],
    ['a number', '1'],
    ['an array', '[]'],
    ['no fields', '{}'],
    ['a field of another type', '{"email":1,"plan":"free"}'],
    ['an array for text', '{"email":["a@b.c"],"plan":"free"}'],
    ['an object for text', '{"email":{"$ne":null},"plan":"free"}'],
    ['an unknown field', '{"email":"a@b.c","plan":"free","admin":true}'],
    ['a poisoned prototype', '{"email":"a@b.c","plan":"free","__proto__":{"admin":true}}'],
    ['a poisoned constructor', '{"email":"a@b.c","plan":"free","constructor":{"prototype":{"admin":true}}}'],
    ['no email', '{"plan":"free"}'],
    ['no host', '{"email":"somebody","plan":"free"}'],
    ['a long email', `{"email":"${'a'.repeat(250)}@b.cd","plan":"free"}`],
    ['control characters', '{"email":"a\\u0000@b.c","plan":"free"}'],
    ['a line feed for the log', '{"email":"a@b.c\\ninfo: admin","plan":"free"}'],
    ['no plan', '{"email":"a@b.c"}'],
    ['a plan nobody sells', '{"email":"a@b.c","plan":"gold"}'],
    ['a plan of the prototype', '{"email":"a@b.c","plan":"constructor"}'],
    ['a date that does not exist', '{"email":"a@b.c","plan":"free","subscribed_on":"2026-02-30"}'],
    ['a date with a time', '{"email":"a@b.c","plan":"free","subscribed_on":"2026-02-03T00:00:00Z"}'],
    ['deep nesting', `{"email":${deep(500)},"plan":"free"}`]
  ] as const

  test.each(bodies)('%s makes no user', async (_name, payload) => {
    const { send, accounts, trail } = await administration()
    const before = (await trail()).length
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await send('POST', '/v1/admin/users', undefined, { payload, headers })
    expect([status, json.error]).toEqual([400, 'invalid_body'])
    expect(json.message).toMatch(/^[\x20-\x7e]+$/)
    expect(json.message.length).toBeLessThan(250)
    expect(await accounts.users.list()).toHaveLength(5)
    expect(await trail()).toHaveLength(before)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    ''
  ])('a body of content type "%s" is refused', async (type) => {
    const { send } = await administration()
    const payload = '{"email":"a@b.c","plan":"free"}'
    const { status } = await send('POST', '/v1/admin/users', undefined, { payload, headers: { 'content-type': type } })
    expect([400, 415]).toContain(status)
  })

  test('a body of more than a few kilobytes is refused', async () => {
    const { send } = await administration()
    const { status, json } = await send('POST', '/v1/admin/users', {
      email: 'a@b.c',
      plan: 'free',
      pad: 'x'.repeat(5000)
    })
    expect([status, json.error]).toEqual([413, 'payload_too_large'])
  })

  test.each([
    ['{}'],
    ['{"plan":null}'],
    ['{"email":"a@b.c"}'],
    ['{"id":"x","plan":"alpha"}'],
    ['{"plan":"alpha","created_at":"x"}']
  ])('a change of %s is refused', async (payload) => {
    const { send, people, accounts } = await administration()
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await send('PATCH', `/v1/admin/users/${people.free.user.id}`, undefined, {
      payload,
      headers
    })
    expect([status, json.error]).toEqual([400, 'invalid_body'])
    expect(await accounts.users.get(people.free.user.id)).toEqual(people.free.user)
  })
})

describe('keys', () => {
  test('a new key is shown once, works, and is listed by its last four characters', async () => {
    const { send, people, accounts } = await administration()
    const path = `/v1/admin/users/${people.growth.user.id}/keys`
    const made = await send('POST', path, { name: 'notebook' })
    expect(made.status).toBe(201)
    expect(faults('POST', '/v1/admin/users/{id}/keys', made.json)).toEqual([])
    const { key, id, hint } = made.json
    expect(accounts.find(key)?.userId).toBe(people.growth.user.id)
    expect(key.endsWith(hint)).toBe(true)
    const listed = await send('GET', path)
    expect(faults('GET', '/v1/admin/users/{id}/keys', listed.json)).toEqual([])
    expect(listed.json.keys.map((each: { name: string }) => each.name).sort()).toEqual(['first', 'notebook'])
    expect(listed.text).not.toContain(key)
    expect(listed.text).not.toContain('hash')

    const ended = await send('DELETE', `/v1/admin/keys/${id}`)
    expect([ended.status, ended.json.id, typeof ended.json.revoked_at]).toEqual([200, id, 'string'])
    expect(faults('DELETE', '/v1/admin/keys/{id}', ended.json)).toEqual([])
  })

  test('ends within half a second of its revocation', async () => {
    const { send, people, accounts, clock } = await administration()
    const { key, id } = (await send('POST', `/v1/admin/users/${people.free.user.id}/keys`, {})).json
    expect(accounts.find(key)).toBeDefined()
    await send('DELETE', `/v1/admin/keys/${id}`)
    clock.at += 500
    expect(accounts.find(key)).toBeUndefined()
  })

  test('with an end are answered 401 from then on', async () => {
    const { send, people, clock } = await administration()
    const made = await send('POST', `/v1/admin/users/${people.enterprise.user.id}/keys`, { until: '2026-07-29' })
    expect([made.status, made.json.ends_at, made.json.role]).toEqual([201, '2026-07-30T00:00:00.000Z', 'user'])
    const ask = () => send('GET', '/v1/admin/plans', undefined, { headers: { 'x-api-key': made.json.key } })
    expect((await ask()).status).toBe(200)
    clock.at = Date.parse('2026-07-30T00:00:00Z')
    const over = await ask()
    expect([over.status, over.json.title]).toEqual([401, 'Unauthorized'])
    const late = await send('POST', `/v1/admin/users/${people.free.user.id}/keys`, { until: '2026-07-29' })
    expect([late.status, late.json.error]).toEqual([400, 'invalid_body'])
  })

  test('are rotated, the old one going on for a day or ending at once', async () => {
    const { send, people, accounts } = await administration()
    const [{ id }] = (await accounts.keys.list()).filter(({ userId }) => userId === people.free.user.id)
    const first = await send('POST', `/v1/admin/keys/${id}/rotate`, {})
    expect(first.status).toBe(201)
    expect(faults('POST', '/v1/admin/keys/{id}/rotate', first.json)).toEqual([])
    expect(first.json.replaced).toMatchObject({ id, ends_at: '2026-07-30T14:30:00.000Z', revoked_at: null })
    const second = await send('POST', `/v1/admin/keys/${first.json.id}/rotate`, { now: true })
    expect(second.json.replaced.revoked_at).toBe('2026-07-29T14:30:00.000Z')
    expect((await send('POST', `/v1/admin/keys/${id}/rotate`, { when: 'now' })).json.error).toBe('invalid_body')
  })

  test('to end a key twice changes and audits nothing the second time', async () => {
    const { send, people, trail } = await administration()
    const { id } = (await send('POST', `/v1/admin/users/${people.free.user.id}/keys`, {})).json
    const first = await send('DELETE', `/v1/admin/keys/${id}`)
    const audited = (await trail()).length
    const second = await send('DELETE', `/v1/admin/keys/${id}`)
    expect([second.status, second.json]).toEqual([200, first.json])
    expect(await trail()).toHaveLength(audited)
  })

  test('a key is not ended by its hint, which others may share', async () => {
    const { send, accounts } = await administration()
    const [{ hint }] = await accounts.keys.list()
    expect((await send('DELETE', `/v1/admin/keys/${hint}`)).json.error).toBe('key_not_found')
  })

  test.each([
    ['of 101 characters', 'n'.repeat(101)],
    ['with a bell', 'a\u0007b'],
    ['with a tab', 'tab\tb']
  ])('a name %s is refused', async (_name, name) => {
    const { send, people } = await administration()
    const { status, json } = await send('POST', `/v1/admin/users/${people.free.user.id}/keys`, { name })
    expect([status, json.error]).toEqual([400, 'invalid_body'])
  })

  test('go with their user', async () => {
    const { send, people, accounts, clock } = await administration()
    await send('DELETE', `/v1/admin/users/${people.basic.user.id}`)
    clock.at += 500
    expect(accounts.find(people.basic.key)).toBeUndefined()
    expect((await accounts.keys.list()).some(({ userId }) => userId === people.basic.user.id)).toBe(false)
  })
})

describe('streaming bundles', () => {
  test('are granted, changed, listed and revoked, each step audited under the acting account', async () => {
    const { send, people, accounts, clock, trail } = await administration()
    const { user, key } = people.free
    const path = `/v1/admin/users/${user.id}/bundle`
    const granted = await send('PUT', path, { blocks: 2, until: '2027-01-31' })
    expect(granted.status).toBe(200)
    expect(granted.json).toMatchObject({ email: 'free@example.com', blocks: 2, ends_at: '2027-02-01T00:00:00.000Z' })
    expect(faults('PUT', '/v1/admin/users/{id}/bundle', granted.json)).toEqual([])
    clock.at += 500
    expect(accounts.bundles.of(accounts.find(key)!)?.blocks).toBe(2)

    const changed = await send('PUT', path, { blocks: 1 })
    expect(changed.json).toEqual({ ...granted.json, blocks: 1, ends_at: null })
    const listed = await send('GET', '/v1/admin/bundles')
    expect(faults('GET', '/v1/admin/bundles', listed.json)).toEqual([])
    expect(listed.json).toMatchObject({ bundles: [changed.json], total: 1 })

    expect((await send('DELETE', path)).json).toEqual(changed.json)
    const again = await send('DELETE', path)
    expect([again.status, again.json.error]).toEqual([404, 'bundle_not_found'])
    const mine = (await trail()).filter(({ actor }) => actor === 'enterprise@example.com')
    expect(mine.map(({ action }) => action).sort()).toEqual(['bundle.grant', 'bundle.grant', 'bundle.revoke'])
  })

  test.each([
    [{}],
    [{ blocks: 0 }],
    [{ blocks: '2' }],
    [{ blocks: 1, until: '2027-02-30' }],
    [{ blocks: 1, ends_at: null }]
  ])('a grant of %j is refused', async (body) => {
    const { send, people, accounts } = await administration()
    const { status, json } = await send('PUT', `/v1/admin/users/${people.free.user.id}/bundle`, body)
    expect([status, json.error]).toEqual([400, 'invalid_body'])
    expect(await accounts.bundles.list()).toEqual([])
  })
})

describe('the audit trail', () => {
  test('is read newest first, a page at a time', async () => {
    const { send, clock } = await administration()
    for (const name of ['one', 'two', 'three']) {
      clock.at += 1000
      await send('POST', '/v1/admin/users', { email: `${name}@example.com`, plan: 'free' })
    }
    const page = await send('GET', '/v1/admin/audit?limit=2')
    expect(faults('GET', '/v1/admin/audit', page.json)).toEqual([])
    expect(page.json.entries.map((entry: { target: string }) => entry.target)).toEqual([
      'three@example.com',
      'two@example.com'
    ])
    expect(page.json.entries[0]).toMatchObject({
      actor: 'enterprise@example.com',
      action: 'user.create',
      detail: { plan: 'free' }
    })
    expect(page.json).toMatchObject({ more: true, limit: 2, offset: 0 })
    const next = await send('GET', '/v1/admin/audit?limit=2&offset=2')
    expect(next.json.entries[0].target).toBe('one@example.com')
    const end = await send('GET', '/v1/admin/audit?limit=500')
    expect([end.json.more, end.json.entries.length]).toEqual([false, 13])
  })

  test('never holds a key, not even one that somebody writes as a name', async () => {
    const { send, people, trail, database } = await administration()
    const stray = newKey()
    const path = `/v1/admin/users/${people.free.user.id}/keys`
    for (const name of [stray, `for ${stray}`, stray.toUpperCase()]) {
      const { status, json } = await send('POST', path, { name })
      expect([status, json.error]).toEqual([400, 'invalid_body'])
      expect(json.message).not.toContain(stray)
    }
    expect((await send('POST', '/v1/admin/users', { email: `${stray}@b.c`, plan: 'free' })).status).toBe(400)
    const made = await send('POST', path, { name: 'sound' })
    await send('DELETE', `/v1/admin/keys/${made.json.id}`)
    await send('DELETE', `/v1/admin/users/${people.free.user.id}`)
    const kept = JSON.stringify([await trail(), await database.read.selectFrom('keys').selectAll().execute()])
    for (const key of [stray, made.json.key, ...Object.values(people).map((person) => person.key)]) {
      expect(kept.toLowerCase()).not.toContain(key.toLowerCase())
    }
  })

  test('names a long actor by the id of the account', async () => {
    const { send, accounts, trail } = await administration()
    const long = await accounts.users.create({ email: `${'a'.repeat(120)}@example.com`, plan: 'enterprise' }, 'test')
    const { key } = await accounts.keys.create(long, '', 'test')
    await send(
      'POST',
      '/v1/admin/users',
      { email: 'x@example.com', plan: 'free' },
      { headers: { 'x-api-key': key, 'content-type': 'application/json' } }
    )
    expect((await trail()).find(({ target }) => target === 'x@example.com')?.actor).toBe(long.id)
  })
})

describe.runIf(canMount)('on a full disk', () => {
  test('a change is answered 503 storage_unavailable with the reason, kept whole, and works once there is room', async () => {
    const disk = smallDisk(2)!
    onTestFinished(() => disk.remove())
    const { send, accounts, trail } = await administration({ folder: disk.folder, expectsFailures: true })
    disk.fill()
    let refused = { status: 0, json: {} as Record<string, string>, headers: {} as Record<string, unknown>, text: '' }
    for (let k = 0; k < 2000 && refused.status !== 503; k++) {
      refused = await send('POST', '/v1/admin/users', { email: `${k}@example.com`, plan: 'free' })
    }
    const users = (await accounts.users.list()).length
    const audited = (await trail()).length
    expect(refused.json).toMatchObject({ status: 'ERROR', error: 'storage_unavailable' })
    expect(refused.json.message).toBe('the accounts cannot be written: the disk is full; nothing was changed')
    expect(refused.headers['retry-after']).toBe('2')
    expect((await send('GET', '/v1/admin/users')).json.total).toBe(users)
    disk.free()
    expect((await send('POST', '/v1/admin/users', { email: 'room@example.com', plan: 'free' })).status).toBe(201)
    expect([(await accounts.users.list()).length, (await trail()).length]).toEqual([users + 1, audited + 1])
  })
})

test('every administration answer may be 503 storage_unavailable, and says so', () => {
  for (const operations of Object.values(adminPaths)) {
    for (const operation of Object.values(operations)) {
      const codes = { responses: { 503: { 'x-error-codes': expect.arrayContaining(['storage_unavailable']) } } }
      expect(operation).toMatchObject(codes)
    }
  }
})

test('the plans are listed as they are sold', async () => {
  const { send } = await administration()
  const { json } = await send('GET', '/v1/admin/plans')
  expect(faults('GET', '/v1/admin/plans', json)).toEqual([])
  expect(json.plans.map((plan: { id: string }) => plan.id)).toEqual(planIds)
  expect(json.plans[0]).toEqual({
    id: 'free',
    name: 'Free',
    rank: 0,
    daily_limit: 5,
    freshness: 900_000,
    entitlements: []
  })
  expect(json.plans[4]).toMatchObject({ daily_limit: null, entitlements: expect.arrayContaining(['admin']) })
})

describe('doubts about the source', () => {
  test('are listed, and accepted once, audited under the acting account', async () => {
    const { send, doubts, trail } = await administration()
    const none = await send('POST', '/v1/admin/symbols/SPY/accept')
    expect([none.status, none.json.error]).toEqual([404, 'doubt_not_found'])
    const reason = 'open_interest'
    const message = 'its open interest fell from 900 contracts to nothing'
    const settledBy = 'open interest as it was, or the next settlement'
    doubts.push({ symbol: 'SPY' as Ticker, reason, message, settledBy, since: Date.parse('2026-07-29T15:00:00Z') })
    const shown = {
      symbol: 'SPY',
      kind: reason,
      reason: message,
      until: settledBy,
      since: '2026-07-29T15:00:00.000Z'
    }
    const listed = await send('GET', '/v1/admin/doubts')
    expect(listed.json).toEqual({ doubts: [shown] })
    expect(faults('GET', '/v1/admin/doubts', listed.json)).toEqual([])
    const accepted = await send('POST', '/v1/admin/symbols/SPY/accept')
    expect([accepted.status, accepted.json]).toEqual([201, shown])
    expect(faults('POST', '/v1/admin/symbols/{symbol}/accept', accepted.json)).toEqual([])
    const mine = (await trail()).filter(({ action }) => action === 'doubt.accept')
    expect(mine).toMatchObject([{ actor: 'enterprise@example.com', target: 'SPY', detail: { kind: reason, message } }])
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { documentKinds, MAX_DOCUMENTS, UserDocuments } from '../../src/accounts/documents.ts'
import { mountDocuments } from '../../src/server/documents/mount-documents.ts'
import { type Service, service } from '../support/service.ts'

let running: Service
let key: string

beforeEach(() => {
  running = service()
  const { app, access, http, database, clock } = running
  mountDocuments(app, new UserDocuments(database, clock.now), { authenticate: access.authenticate, counting: http })
  key = running.keyOn('growth')
})
afterEach(() => running.close())

const ask = (
  method: 'GET' | 'PUT' | 'DELETE',
  url: string,
  payload?: unknown,
  { as = key, headers = {} }: { readonly as?: string; readonly headers?: Record<string, string> } = {}
) => running.ask(`/v1/me/${url}`, as, { method, headers, ...(payload !== undefined && { payload: payload as object }) })

const stars = { symbols: ['SPY', 'QQQ'] }

describe('what a user keeps', () => {
  test('is written, read, listed and removed', async () => {
    const made = await ask('PUT', 'watchlists/stars', stars)
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'no-store'])
    const [read, list] = [await ask('GET', 'watchlists/stars'), await ask('GET', 'watchlists')]
    expect(read.json()).toEqual({ id: 'stars', changed_at: made.json().changed_at, value: stars })
    expect(read.headers['etag']).toBe(made.headers['etag'])
    expect(list.json()).toEqual({ documents: [read.json()], total: 1 })
    expect((await ask('GET', 'settings')).json()).toEqual({ documents: [], total: 0 })
    expect((await ask('DELETE', 'watchlists/stars')).json().value).toEqual(stars)
    const gone = await ask('GET', 'watchlists/stars')
    expect([gone.statusCode, gone.json().error]).toEqual([404, 'document_not_found'])
    expect((await ask('DELETE', 'watchlists/stars')).statusCode).toBe(404)
  })

  test('is read by every key of the user and by nobody else', async () => {
    await ask('PUT', 'settings/page', { theme: 'light' })
    const other = running.keyOn('alpha')
    expect((await ask('GET', 'settings', undefined, { as: other })).json().total).toBe(0)
    expect((await ask('GET', 'settings/page', undefined, { as: other })).statusCode).toBe(404)
    expect((await ask('GET', 'settings', undefined, { as: '' })).statusCode).toBe(401)
    const refused = await ask('PUT', 'settings/page', {}, { as: '' })
    expect([refused.statusCode, (await ask('GET', 'settings/page')).json().value]).toEqual([401, { theme: 'light' }])
  })

  test.each(documentKinds)('is changed only from the state that If-Match names: %s', async (kind) => {
    const name = `${kind}/stars`
    const { headers } = await ask('PUT', name, stars)
    running.clock.pass(1000)
    const ifMatch = { headers: { 'if-match': headers['etag'] as string } }
    expect((await ask('PUT', name, { symbols: ['IWM'] }, ifMatch)).statusCode).toBe(200)
    for (const method of ['PUT', 'DELETE'] as const) {
      const late = await ask(method, name, method === 'PUT' ? stars : undefined, ifMatch)
      expect([late.statusCode, late.json().error]).toEqual([409, 'document_changed'])
    }
    const none = await ask('PUT', `${kind}/new`, stars, { headers: { 'if-match': '*' } })
    expect(none.statusCode).toBe(409)
    expect((await ask('GET', name)).json().value).toEqual({ symbols: ['IWM'] })
    const others = documentKinds.filter((each) => each !== kind)
    for (const other of others) expect((await ask('GET', `${other}/stars`)).statusCode).toBe(404)
  })

  test('is bounded in kind, name, size, shape and number', async () => {
    const codes: (readonly [string, unknown, number, string])[] = [
      ['drawings/a', {}, 404, 'not_found'],
      ['watchlists/UP', {}, 404, 'document_not_found'],
      [`watchlists/${'a'.repeat(41)}`, {}, 404, 'document_not_found'],
      ['watchlists/a', [1], 400, 'invalid_body'],
      ['watchlists/a', { deep: { key: 'gw_live_abc' } }, 400, 'invalid_body'],
      ['watchlists/a', { text: 'x'.repeat(66_000) }, 413, 'payload_too_large']
    ]
    for (const [url, payload, status, error] of codes) {
      const refused = await ask('PUT', url, payload)
      expect([url, refused.statusCode, refused.json().error]).toEqual([url, status, error])
    }
    expect((await ask('PUT', 'watchlists/a', { text: 'x'.repeat(65_000) })).statusCode).toBe(200)
    const documents = new UserDocuments(running.database, running.clock.now)
    const { userId } = running.accounts.find(key)!
    for (let i = 1; i < MAX_DOCUMENTS; i++) await documents.put({ userId, kind: 'watchlists', id: `list-${i}` }, {})
    const full = await ask('PUT', 'watchlists/one-more', {})
    expect([full.statusCode, full.json().error]).toEqual([409, 'document_limit'])
  })

  test('costs a request each time, and nothing where it was refused for lack of one', async () => {
    const free = running.keyOn('free')
    const left = async (...given: Parameters<typeof ask>) =>
      (await ask(given[0], given[1], given[2], { as: free })).headers['x-ratelimit-remaining']
    expect(await left('PUT', 'watchlists/stars', stars)).toBe('4')
    expect(await left('GET', 'watchlists')).toBe('3')
    for (let i = 0; i < 3; i++) await left('GET', 'watchlists')
    expect((await ask('GET', 'watchlists', undefined, { as: free })).statusCode).toBe(429)
  })

  test('is written at a pace', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 70; i++) statuses.push((await ask('PUT', 'settings/page', { i })).statusCode)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
    expect((await ask('GET', 'settings')).statusCode).toBe(200)
  })
})

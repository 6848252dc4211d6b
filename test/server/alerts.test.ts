import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Alerts } from '../../src/alerts/alerts.ts'
import { alertsOver } from '../support/alerts-over.ts'
import { pushService } from '../support/push-service.ts'
import { type Service, service } from '../support/service.ts'

let running: Service & { readonly alerts: Alerts; readonly registry: Registry }
let key: string

beforeEach(() => {
  const base = service()
  running = { ...base, ...alertsOver(base) }
  key = running.keyOn('alpha')
})
afterEach(async () => {
  await running.alerts.stop()
  await running.close()
})

const ask = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  sent: string | undefined = key
) => running.ask(`/v1/alerts${url}`, sent, { method, ...(payload !== undefined && { payload }) })
const price = { symbol: 'SPY', metric: 'stockquote.current.mid', condition: 'above', value: 1 }

const host = '127.0.0.1:8080'
const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }

describe('the alerts of a user', () => {
  test('are made, listed, changed and removed', async () => {
    const made = await ask('POST', '', { ...price, note: 'up', webhook: { url: 'http://127.0.0.1:1/a?b=c' } })
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'no-store'])
    const { webhook_secret, ...rule } = made.json()
    expect(webhook_secret).toMatch(/^whsec_/)
    expect(rule).toMatchObject({ ...price, repeat: 'once', state: 'armed', note: 'up', fired_count: 0 })
    await expect.poll(async () => (await ask('GET', `/${rule.id}`)).json().state).toBe('done')
    const { alerts, total } = (await ask('GET', '')).json()
    expect([total, alerts[0].fired_count, alerts[0].webhook]).toEqual([1, 1, { url: 'http://127.0.0.1:1/a?b=c' }])
    expect(alerts[0].last_value).toBeGreaterThan(1)
    expect(JSON.stringify(alerts)).not.toContain(webhook_secret)
    const { events } = (await ask('GET', `/events?alert=${rule.id}&limit=5`)).json()
    expect(events).toMatchObject([
      { alert: rule.id, symbol: 'SPY', metric: price.metric, target: 1, source: 'scripted' }
    ])
    expect(events[0].value).toBe(alerts[0].last_value)
    const changed = await ask('PATCH', `/${rule.id}`, { state: 'paused', note: null, webhook: null, value: 2 })
    expect(changed.json()).toMatchObject({ state: 'paused', note: null, webhook: null, value: 2 })
    expect((await ask('DELETE', `/${rule.id}`)).statusCode).toBe(200)
    expect((await ask('GET', `/${rule.id}`)).json().error).toBe('alert_not_found')
    expect((await ask('GET', '/events')).json().events).toEqual([])
  })

  test('are seen by nobody else', async () => {
    const { id } = (await ask('POST', '', price)).json()
    const free = running.keyOn('free')
    expect((await ask('GET', '', undefined, free)).json().total).toBe(0)
    expect((await ask('DELETE', `/${id}`, undefined, free)).statusCode).toBe(404)
    expect((await ask('GET', '', undefined, '')).statusCode).toBe(401)
  })

  test('cost requests: to make, to read, to remove, and each time they fire', async () => {
    const free = running.keyOn('free')
    const left = ({ headers }: { readonly headers: object }) => Number((headers as never)['x-ratelimit-remaining'])
    const made = await ask('POST', '', { ...price, symbol: 'AAPL' }, free)
    expect(left(made)).toBe(4)
    const { id } = made.json()
    await expect.poll(() => running.registry.metrics()).toContain('gammawall_alert_firings_total 1')
    expect(left(await ask('GET', `/${id}`, undefined, free))).toBe(2)
    expect((await ask('POST', '', { ...price, metric: 'exposure.summary.gamma_flip' }, free)).statusCode).toBe(403)
    expect(left(await ask('GET', '/events', undefined, free))).toBe(1)
    expect(left(await ask('DELETE', `/${id}`, undefined, free))).toBe(0)
    const refused = await ask('GET', '', undefined, free)
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'Quota exceeded'])
  })

  test('are not sent twice to who has them, and that is free for a page', async () => {
    const free = running.keyOn('free')
    const { headers } = await ask('GET', '', undefined, free)
    expect(headers['cache-control']).toBe('private, no-cache')
    const held = { 'if-none-match': headers.etag as string }
    const again = await running.ask('/v1/alerts', free, { headers: held })
    expect([again.statusCode, again.headers['x-ratelimit-remaining']]).toEqual([304, '3'])
    const signed = await running.ask('/session', undefined, { method: 'POST', payload: { key: free }, headers: own })
    const cookie = String(signed.headers['set-cookie']).split(';')[0]
    for (let k = 0; k < 10; k++) {
      const polled = await running.ask('/v1/alerts', undefined, { headers: { ...own, cookie, ...held } })
      expect(polled.statusCode).toBe(304)
    }
    expect((await ask('GET', '', undefined, free)).headers['x-ratelimit-remaining']).toBe('2')
  })

  test('see a value as a client of the stream and of REST does', async () => {
    const { id } = (await ask('POST', '', { ...price, condition: 'changes_by', value: 1e9 })).json()
    await expect.poll(async () => (await ask('GET', `/${id}`)).json().last_value).not.toBeNull()
    const quote = (await running.ask('/stockquote/SPY', key)).json()
    expect((await ask('GET', `/${id}`)).json().last_value).toBe(quote.mid)
  })

  test.each([
    ['a field too many', { ...price, colour: 'red' }, 400, 'invalid_body'],
    ['no condition', { ...price, condition: 'equals' }, 400, 'invalid_body'],
    ['a metric that is no number', { ...price, metric: 'stockquote.current.ticker' }, 400, 'invalid_metric'],
    ['a symbol that nobody knows', { ...price, symbol: 'N O' }, 404, 'symbol_not_found'],
    ['an address without a scheme', { ...price, webhook: { url: 'example.com' } }, 400, 'invalid_webhook']
  ])('are refused with %s', async (_what, body, status, error) => {
    const answer = await ask('POST', '', body)
    expect([answer.statusCode, answer.json().error]).toEqual([status, error])
  })

  test('are as many as the plan says, on what it opens', async () => {
    const free = running.keyOn('free')
    const onEtf = await ask('POST', '', price, free)
    expect(onEtf.json()).toMatchObject({ error: 'tier_restricted', required_plan: 'Basic' })
    const stock = { ...price, symbol: 'AAPL', value: 1e9 }
    for (let k = 0; k < 3; k++) expect((await ask('POST', '', stock, free)).statusCode).toBe(200)
    expect((await ask('POST', '', stock, free)).json()).toMatchObject({ error: 'alert_limit', limit: 3 })
    const full = await ask('POST', '', { ...stock, metric: 'exposure.levels.levels.call_wall' }, running.keyOn('basic'))
    expect(full.json()).toMatchObject({ error: 'tier_restricted', required_plan: 'Growth' })
  })

  test('take no change that a lowered plan does not open', async () => {
    const { id } = (await ask('POST', '', { ...price, value: 1e9 })).json()
    await running.accounts.users.setPlan('user-1@example.com', 'free', 'test')
    const refused = await ask('PATCH', `/${id}`, { value: 1 })
    expect(refused.json().error).toBe('tier_restricted')
  })

  test('are written at a pace', async () => {
    const codes = []
    for (let k = 0; k < 40; k++) codes.push((await ask('DELETE', '/3f2c8b1e-5d94-4a6f-9c07-2e1b8d4f6a53')).statusCode)
    expect(codes).toEqual([...Array(30).fill(404), ...Array(10).fill(429)])
    expect((await ask('GET', '')).statusCode).toBe(200)
  })
})

describe('the session of a browser', () => {
  test('makes alerts from pages of its own origin alone', async () => {
    const signed = await running.ask('/session', undefined, { method: 'POST', payload: { key }, headers: own })
    const cookie = String(signed.headers['set-cookie']).split(';')[0]
    const from = (headers: Record<string, string>) =>
      running.ask('/v1/alerts', undefined, { method: 'POST', payload: price, headers: { cookie, ...headers } })
    expect((await from(own)).statusCode).toBe(200)
    expect((await from({ host, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' })).statusCode).toBe(401)
  })
})

test('a test of a webhook says what came back, and is limited', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      response.writeHead(bodies.length === 1 ? 204 : 503).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { id } = (await ask('POST', '', { ...price, value: 1e9, webhook: { url } })).json()
  expect((await ask('POST', `/${id}/test`)).json()).toEqual({ delivered: true, status: 204, failure: null })
  expect((await ask('POST', `/${id}/test`)).json()).toEqual({
    delivered: false,
    status: 503,
    failure: 'it answered 503'
  })
  expect(JSON.parse(bodies[0])).toMatchObject({ type: 'alert.test', data: { alert: { id } } })
  for (let k = 0; k < 3; k++) await ask('POST', `/${id}/test`)
  expect((await ask('POST', `/${id}/test`)).statusCode).toBe(429)
  const { webhook_secret } = (await ask('POST', `/${id}/secret`)).json()
  expect(webhook_secret).toMatch(/^whsec_/)
})

test('the operator sees rules by state, firings and deliveries', async () => {
  await ask('POST', '', price)
  const text = async () => running.registry.metrics()
  await expect.poll(text).toContain('gammawall_alert_firings_total 1')
  expect(await text()).toContain('gammawall_alerts{state="done"} 1')
})

describe('browsers', () => {
  /** A push service on this machine, whose messages its browsers decrypt. */
  async function listening() {
    const push = pushService()
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const url = `http://${request.headers.host}${request.url}`
        const { status } = push.take(url, request.headers as Record<string, string>, Buffer.concat(parts))
        response.writeHead(status!).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return { ...push, at: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}` }
  }

  test('subscribe with the key of the service and read what fires', async () => {
    const { subscribe, received, at } = await listening()
    const { public_key, ...none } = (await ask('GET', '/browsers')).json()
    expect(none).toEqual({ browsers: [], total: 0 })
    const added = (await ask('POST', '/browsers', subscribe(at('a?token=s3cret')))).json()
    expect(added).toMatchObject({ host: new URL(at('')).host })
    expect(JSON.stringify((await ask('GET', '/browsers')).json())).not.toContain('s3cret')
    await ask('POST', '', { ...price, note: 'up' })
    await expect.poll(() => received.length).toBe(1)
    expect(JSON.parse(received[0]!.text)).toMatchObject({
      symbol: 'SPY',
      text: expect.stringMatching(/^SPY stockquote\.current\.mid is above 1: now [\d.]+\. up$/)
    })
    expect(received[0]!.headers['authorization']).toContain(`k=${public_key}`)
    const [event] = (await ask('GET', '/events')).json().events
    expect(event).toMatchObject({ id: JSON.parse(received[0]!.text).id, delivery: 'none' })
    expect((await ask('POST', `/browsers/${added.id}/test`)).json()).toEqual({
      delivered: true,
      status: 201,
      failure: null
    })
    expect((await ask('DELETE', `/browsers/${added.id}`)).statusCode).toBe(200)
    expect((await ask('GET', '/browsers')).json().total).toBe(0)
  })

  test('are of their user alone', async () => {
    const { subscribe, at } = await listening()
    const { id } = (await ask('POST', '/browsers', subscribe(at('a')))).json()
    const free = running.keyOn('free')
    expect((await ask('GET', '/browsers', undefined, free)).json().total).toBe(0)
    expect((await ask('DELETE', `/browsers/${id}`, undefined, free)).statusCode).toBe(404)
    expect((await ask('POST', `/browsers/${id}/test`, undefined, free)).statusCode).toBe(404)
    expect((await ask('GET', '/browsers', undefined, '')).statusCode).toBe(401)
  })

  test.each([
    ['no keys', { endpoint: 'https://push.example/1' }],
    ['keys of another length', { endpoint: 'https://push.example/1', keys: { p256dh: 'A', auth: 'B' } }],
    ['an address without a scheme', { endpoint: 'push.example', keys: pushService().subscribe('x').keys }]
  ])('are refused with %s', async (_, body) => {
    expect((await ask('POST', '/browsers', body)).statusCode).toBe(400)
  })
})

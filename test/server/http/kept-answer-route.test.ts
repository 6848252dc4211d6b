import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { useRenames } from '../../../src/market/renames.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { type Service, service } from '../../support/service.ts'

/** Headers that differ from one request to the next whatever way it takes. */
const passing = ['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit', 'connection', 'keep-alive']

describe('a request that was asked before', () => {
  let running: Service
  let base: string
  let throughFramework = 0

  beforeEach(async () => {
    running = service()
    throughFramework = 0
    running.app.addHook('onRequest', async () => {
      throughFramework++
    })
    await running.app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`
  })
  afterEach(() => running.close())

  const get = (path: string, key?: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { headers: { 'accept-encoding': 'identity', ...(key && { 'x-api-key': key }), ...headers } })
  const headersOf = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => !passing.includes(name)))

  test.each([
    '/v1/exposure/levels/SPY',
    '/v1/exposure/gex/SPY?min_oi=10',
    '/stockquote/AAPL',
    '/optionquote/AAPL'
  ])('%s is answered without the framework, with the same bytes and headers', async (path) => {
    const key = running.keyOn('alpha')
    const first = await get(path, key)
    const body = await first.text()
    const second = await get(path, key)
    expect(await second.text()).toBe(body)
    expect(second.status).toBe(first.status)
    expect(headersOf(second)).toEqual(headersOf(first))
    expect(throughFramework).toBe(1)
    const [before, after] = running.records
    expect({ ...after, id: '', seconds: 0 }).toEqual({ ...before, id: '', seconds: 0 })
    expect(after.id).not.toBe(before.id)
  })

  test('is read anew once a rename of its symbol was added', async () => {
    const key = running.keyOn('alpha')
    const symbolOf = async () => {
      const body = (await (await get('/v1/exposure/levels/AAPL', key)).json()) as { readonly symbol: string }
      return body.symbol
    }
    expect([await symbolOf(), await symbolOf()]).toEqual(['AAPL', 'AAPL'])
    onTestFinished(() => useRenames([]))
    useRenames([{ from: 'AAPL' as Ticker, to: 'SPY' as Ticker, date: '2026-03-02' as IsoDate }])
    expect([await symbolOf(), await symbolOf()]).toEqual(['SPY', 'SPY'])
    expect(throughFramework).toBe(2)
  })

  test('counts against the quota, and the last one is refused as ever', async () => {
    const key = running.keyOn('free')
    const left: (string | null)[] = []
    for (let k = 0; k < 5; k++)
      left.push((await get('/v1/exposure/levels/AAPL', key)).headers.get('x-ratelimit-remaining'))
    expect(left).toEqual(['4', '3', '2', '1', '0'])
    const refused = await get('/v1/exposure/levels/AAPL', key)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ status: 'ERROR', error: 'Quota exceeded', limit: 5 })
  })

  test('is refused to a key that is unknown, missing, on too low a plan, or not entitled to the symbol', async () => {
    const alpha = running.keyOn('alpha')
    const free = running.keyOn('free')
    for (const path of ['/v1/exposure/levels/SPY', '/v1/exposure/summary/AAPL', '/v1/exposure/gex/AAPL'])
      await get(path, alpha)
    expect((await get('/v1/exposure/levels/SPY', 'not-a-key')).status).toBe(401)
    expect((await get('/v1/exposure/levels/SPY')).status).toBe(401)
    expect((await get('/v1/exposure/levels/SPY', free)).status).toBe(403)
    expect((await get('/v1/exposure/summary/AAPL', free)).status).toBe(403)
    expect((await get('/v1/exposure/gex/AAPL', free)).status).toBe(403)
  })

  test('by a session is answered likewise, and refused to the page of another origin', async () => {
    const path = '/v1/exposure/levels/SPY'
    const { token } = running.sessions.open(running.accounts.find(running.keyOn('alpha'))!.keyId)
    const cookie = `gw_session=${token}`
    const first = await get(path, undefined, { cookie })
    const second = await get(path, undefined, { cookie, origin: base })
    expect([second.status, throughFramework]).toEqual([200, 1])
    expect(await second.text()).toBe(await first.text())
    expect((await get(path, undefined, { cookie, origin: 'https://evil.example' })).status).toBe(401)
    expect((await get(path)).status).toBe(401)
  })

  test('is computed anew once its data is older than the plan allows', async () => {
    const key = running.keyOn('alpha')
    const asOf = async () => ((await (await get('/v1/exposure/levels/SPY', key)).json()) as { as_of: string }).as_of
    const first = await asOf()
    running.clock.pass(2000)
    expect((await asOf()) > first).toBe(true)
  })

  test('is told that nothing changed when it holds the bytes', async () => {
    const key = running.keyOn('alpha')
    const { headers } = await get('/v1/exposure/levels/SPY', key)
    const again = await get('/v1/exposure/levels/SPY', key, { 'if-none-match': headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(throughFramework).toBe(1)
  })

  test('gets compressed bytes once they are made', async () => {
    const key = running.keyOn('alpha')
    const plain = await (await get('/v1/exposure/sheet/SPY', key)).text()
    for (let k = 0; k < 3; k++) {
      const packed = await get('/v1/exposure/sheet/SPY', key, { 'accept-encoding': 'gzip' })
      expect(packed.headers.get('content-encoding')).toBe('gzip')
      expect(await packed.text()).toBe(plain)
    }
    expect(throughFramework).toBe(2)
  })

  test.each([
    ['account', (from: Service) => vi.spyOn(from.accounts, 'find')],
    ['count', (from: Service) => vi.spyOn(from.quota, 'take')]
  ])('is left to the framework while its %s cannot be read', async (_what, spyOn) => {
    const key = running.keyOn('alpha')
    const path = '/v1/exposure/levels/SPY'
    await get(path, key)
    const failing = spyOn(running).mockImplementation(() => {
      throw new Error('file is not a database')
    })
    const refused = await get(path, key)
    expect([refused.status, await refused.json()]).toMatchObject([500, { error: 'internal_error' }])
    failing.mockRestore()
    expect((await get(path, key)).status).toBe(200)
    expect(throughFramework).toBe(2)
  })

  test('is answered with or without a body, and its connection goes on', async () => {
    const key = running.keyOn('alpha')
    const path = '/v1/exposure/levels/SPY'
    await get(path, key)
    const head = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n`
    const body = 'b'.repeat(100_000)
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    const response = text(socket)
    socket.write(`${head}\r\n`)
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`)
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
    for (let k = 0; k < 50; k++) {
      socket.write(`${head}\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    socket.write(`${head}connection: close\r\n\r\n`)
    expect((await response).split('HTTP/1.1 200 OK').length - 1).toBe(54)
    expect(throughFramework).toBe(1)
  })

  test('is the same with the key in its query, and counts once for the account of that key', async () => {
    const [key, other] = [running.keyOn('alpha'), running.keyOn('free')]
    const path = '/v1/stockquote/AAPL' // the same answer for every plan
    const first = await get(`${path}?apiKey=${key}`)
    const again = await get(`${path}?apiKey=${key}`)
    expect(await again.text()).toBe(await first.text())
    expect(headersOf(again)).toEqual(headersOf(first))
    expect((await get(path, key)).status).toBe(200)
    expect(throughFramework).toBe(1)
    const left = async (sent: string) => (await get(sent)).headers.get('x-ratelimit-remaining')
    expect([await left(`${path}?apiKey=${other}`), await left(`${path}?apiKey=${other}`)]).toEqual(['4', '3'])
    expect(throughFramework).toBe(1)
    expect((await get(`${path}?apiKey=${key}`, 'not-a-key')).status).toBe(401)
    expect((await get(`${path}?apiKey=not-a-key`)).status).toBe(401)
    expect((await get(`${path}?apiKey=${key}&apiKey=${key}`)).status).toBe(401)
    expect(JSON.stringify(running.records)).not.toContain(key.slice('gw_live_'.length))
  })

  test('sees at once that the plan of the account that asked last is another, and that its key is revoked', async () => {
    const key = running.keyOn('alpha')
    const account = () => running.accounts.find(key)!
    const path = '/v1/exposure/gex/SPY' // an ETF and the full chain
    const change = async (plan: 'free' | 'alpha') => {
      await running.accounts.users.setPlan(account().email, plan, 'test')
      running.clock.pass(500)
    }
    for (let k = 0; k < 3; k++) expect((await get(path, key)).status).toBe(200)
    await change('free')
    expect((await get(path, key)).status).toBe(403)
    await change('alpha')
    for (let k = 0; k < 2; k++) expect((await get(path, key)).status).toBe(200)
    await running.accounts.keys.revoke(account().keyId, 'test')
    running.clock.pass(500)
    expect((await get(path, key)).status).toBe(401)
  })

  test('keeps two accounts apart that ask in turn, in what they are told and in the log', async () => {
    const keys = [running.keyOn('alpha'), running.keyOn('free')]
    const path = '/v1/stockquote/AAPL'
    for (let k = 0; k < 3; k++) for (const key of keys) expect((await get(path, key)).status).toBe(200)
    expect((await get(path, keys[1])).headers.get('x-ratelimit-remaining')).toBe('1')
    expect(running.records.slice(1, 6).map(({ plan }) => plan)).toEqual(['free', 'alpha', 'free', 'alpha', 'free'])
  })

  test('is answered by the same rules where a header that matters came twice', async () => {
    const key = running.keyOn('alpha')
    const path = '/v1/exposure/levels/SPY'
    for (let k = 0; k < 2; k++) await get(path, key)
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nX-API-Key: ${key}\r\n\r\n`)
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nX-Api-Key: ${key}\r\nconnection: close\r\n\r\n`
    )
    const statuses = (await text(socket)).match(/HTTP\/1\.1 \d+/g)
    expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401'])
  })

  test('means the new day after midnight when it says 0dte', async () => {
    const key = running.keyOn('alpha')
    await get('/v1/exposure/levels/SPY?expiration=0dte', key)
    running.clock.pass(24 * 3_600_000)
    await get('/v1/exposure/levels/SPY?expiration=0dte', key)
    expect(throughFramework).toBe(2)
  })
})

describe('the connection of a request that was asked before', () => {
  let running: Service
  let port: number
  const path = '/v1/exposure/levels/SPY'
  const large = '/optionquote/SPY'
  let throughFramework = 0
  let line: (asked: string, ...headers: string[]) => string

  beforeEach(async () => {
    running = service()
    const key = running.keyOn('alpha')
    port = Number(new URL(await listen(running.app, '127.0.0.1', 0)).port)
    for (const asked of [path, large]) await running.ask(asked, key)
    throughFramework = 0
    running.app.server.on('request', (_request, response) => {
      if (!response.writableEnded) throughFramework++
    })
    line = (asked, ...headers) =>
      [`GET ${asked} HTTP/1.1`, 'host: x', `x-api-key: ${key}`, ...headers, '', ''].join('\r\n')
  })
  afterEach(() => running.close())

  test('is kept for 72 s, and says so', async () => {
    const response = text(connect(port, '127.0.0.1').end(line(path)))
    const head = (await response).split('\r\n\r\n')[0]!
    expect(head).toMatch(/^connection: keep-alive$/im)
    expect(head).toMatch(/^keep-alive: timeout=72$/im)
    const date = /^date: (.*)$/im.exec(head)![1]!
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(2000)
    expect(throughFramework).toBe(0)
  })

  test('keeps the order of requests that came in one packet, and ends when it is asked to', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(line(path) + line(large) + line(path, 'connection: close'))
    const answers = (await text(socket)).split('HTTP/1.1 200 OK\r\n').slice(1)
    const bodies = answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(bodies[1]!.length).toBeGreaterThan(bodies[0]!.length)
    expect(bodies[2]).toBe(bodies[0])
    expect(answers[2]).toMatch(/^connection: close/im)
    expect(throughFramework).toBe(0)
  })

  const answersTo = async (requests: readonly string[]) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(requests.join('')) // one packet, so all of them come in one turn of the loop
    return (await text(socket)).split('HTTP/1.1 200 OK\r\n').slice(1)
  }
  const fieldIn = (answer: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(answer)?.[1]
  const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

  test('that came with others in one packet counts by itself', async () => {
    const lookups = vi.spyOn(running.answers, 'countHit')
    const answers = await answersTo([line(path), line(path), line(path, 'connection: close')])
    expect(lookups).toHaveBeenCalledTimes(3)
    expect(new Set(answers.map(bodyOf)).size).toBe(1)
    expect(new Set(answers.map((answer) => fieldIn(answer, 'x-request-id'))).size).toBe(3)
    const left = answers.map((answer) => Number(fieldIn(answer, 'x-ratelimit-remaining')))
    expect(left).toEqual([left[0], left[0]! - 1, left[0]! - 2])
    expect(throughFramework).toBe(0)
  })

  test('ends after the answer where the client speaks HTTP/1.0', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(line(path).replace('HTTP/1.1', 'HTTP/1.0'))
    expect(await text(socket)).toMatch(/^connection: close/im)
    expect(throughFramework).toBe(0)
  })

  test('is not cut by a stop until a reader that stood still has taken the last byte', async () => {
    const whole = (await running.ask(large, undefined, { headers: { 'x-api-key': keyIn(line(large)) } })).body
    const times = 400
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(line(large).repeat(times))
    await expect.poll(() => running.records.length).toBeGreaterThan(times)
    const closed = running.app.close()
    expect((await text(socket)).split(whole).length - 1).toBe(times)
    await closed
  })
})

const keyIn = (request: string) => /x-api-key: (\S+)/.exec(request)![1]!

describe('a request that was asked before, behind a proxy', () => {
  const forwarded = (addresses: string, protocol = 'https') => ({
    'x-forwarded-for': addresses,
    'x-forwarded-proto': protocol
  })

  test.each([
    [true, 'https', true],
    [true, 'http', false],
    [true, 'https, http', false],
    [false, 'https', false]
  ])('trusted: %s, protocol %s: is answered without the framework, HSTS %s', async (trustProxy, protocol, strict) => {
    const running = service({ trustProxy })
    onTestFinished(running.close)
    let throughFramework = 0
    running.app.addHook('onRequest', async () => {
      throughFramework++
    })
    const base = await listen(running.app, '127.0.0.1', 0)
    const headers = { 'x-api-key': running.keyOn('alpha'), ...forwarded('203.0.113.7', protocol) }
    const ask = () => fetch(`${base}/v1/exposure/levels/SPY`, { headers })
    const [first, second] = [await ask(), await ask()]
    expect(await second.text()).toBe(await first.text())
    for (const { headers } of [first, second]) expect(headers.has('strict-transport-security')).toBe(strict)
    expect(throughFramework).toBe(1)
  })

  test('without a key is limited by the address that the proxy saw, on either way', async () => {
    const found = endpoints.find(({ plan, keys }) => plan === 'public' && keys === 'counted')!
    const path = found.path.replace(/\{\w+\}/, 'AAPL')
    const running = service({ trustProxy: true, rate: { burst: 2, perMinute: 1 } })
    onTestFinished(running.close)
    const base = await listen(running.app, '127.0.0.1', 0)
    const from = async (addresses: string) => (await fetch(`${base}${path}`, { headers: forwarded(addresses) })).status
    expect([await from('10.0.0.7'), await from('1.1.1.1, 10.0.0.7'), await from('2.2.2.2, 10.0.0.7')]).toEqual([
      200, 200, 429
    ])
    expect([await from('10.0.0.7, 10.0.0.8'), await from('10.0.0.8'), await from('10.0.0.8')]).toEqual([200, 200, 429])
  })
})

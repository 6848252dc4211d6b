import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Type from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { endpoint } from '../../../src/api/endpoint.ts'
import { text } from '../../../src/api/params.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { type Service, service } from '../../support/service.ts'

const gex = '/v1/exposure/gex/AAPL?expiration=2026-08-21'
const minute = 60_000

const opened: Service[] = []
function opening(...options: Parameters<typeof service>): Service {
  const made = service(...options)
  opened.push(made)
  return made
}
afterAll(async () => {
  for (const made of opened) await made.close()
})

const shared = opening()

describe('how good the data of an answer is', () => {
  test('is the score of the chain it is made from, and falls with its age', async () => {
    const { ask, keyOn, clock } = opening()
    const scoreOf = async () => (await ask('/v1/quality/AAPL', keyOn('free'))).json().score
    const headerOf = async (path: string) => (await ask(path, keyOn('free'))).headers['x-data-quality']
    const fresh = await scoreOf()
    for (const path of [gex, '/v1/quality/AAPL', '/stockquote/AAPL', '/v1/options/AAPL']) {
      expect(await headerOf(path), path).toBe(`${fresh}`)
    }
    clock.pass(minute)
    expect(await scoreOf()).toBeLessThan(fresh)
    expect(await headerOf(gex)).toBe(`${await scoreOf()}`)
  })

  test('is not stated of several chains, of none, and of refusals', async () => {
    const { ask, keyOn } = opening()
    const key = keyOn('growth')
    for (const path of [
      '/v1/exposure/basket?symbols=KO,AAPL',
      '/v1/tickers',
      '/stockquote/NOOPT',
      '/v1/exposure/gex/NOPE'
    ])
      expect((await ask(path, key)).headers, path).not.toHaveProperty('x-data-quality')
  })

  test('stays with an answer that outlives its chain', async () => {
    const { ask, keyOn, clock } = opening()
    const [slow, quick] = [keyOn('alpha'), keyOn('alpha')]
    const surface = '/v1/surface/AAPL'
    await ask(gex, slow)
    const first = (await ask(surface, slow)).headers['x-data-quality']
    expect(first).toMatch(/^\d+$/)
    clock.pass(2000)
    await ask(gex, quick) // a newer chain
    expect((await ask(surface, slow)).headers).toMatchObject({ 'x-data-age': '2.0', 'x-data-quality': first })
  })
})

describe('how old an answer may be', () => {
  test('depends on the plan, and the source is asked no more often than that', async () => {
    const { ask, keyOn, source, clock } = opening()
    const keys = { free: keyOn('free'), basic: keyOn('basic'), alpha: keyOn('alpha') }
    const asOf = async (plan: keyof typeof keys) => Date.parse((await ask(gex, keys[plan])).json().as_of)
    const first = await asOf('free')
    expect(first).toBe(clock.at)
    clock.pass(15 * minute - 1)
    expect(await asOf('free')).toBe(first)
    expect(source.count('AAPL')).toBe(1)
    const second = await asOf('basic')
    expect(second).toBe(clock.at)
    clock.pass(14_999)
    expect([await asOf('free'), await asOf('basic')]).toEqual([second, second])
    expect(source.count('AAPL')).toBe(2)
    const third = await asOf('alpha')
    expect(third).toBe(clock.at)
    clock.pass(999)
    expect([await asOf('alpha'), await asOf('basic'), await asOf('free')]).toEqual([third, third, third])
    clock.pass(1)
    expect(await asOf('alpha')).toBe(clock.at)
    expect(source.count('AAPL')).toBe(4)
  })

  test('is stated, with where the figures come from', async () => {
    const { ask, keyOn, clock } = opening()
    const key = keyOn('free')
    await ask(gex, key)
    clock.pass(61_200)
    const { headers } = await ask(gex, key)
    expect(headers).toMatchObject({ 'x-data-source': 'scripted', 'x-data-age': '61.2' })
    expect(headers).not.toHaveProperty('x-data-stale')
  })

  test('is shown below zero where the data is ahead of the clock, and is stale then', async () => {
    const { ask, keyOn, clock } = opening()
    const key = keyOn('free')
    await ask(gex, key)
    clock.pass(-90_000)
    const { headers } = await ask(gex, key)
    expect([headers['x-data-age'], headers['x-data-stale']]).toEqual(['-90.0', 'true'])
  })

  test('is marked stale when it is older than its source promises, and counts from the oldest chain of the answer', async () => {
    const { ask, keyOn, source, clock } = opening()
    const key = keyOn('alpha')
    const basket = '/v1/exposure/basket?symbols=KO,AAPL'
    expect((await ask(basket, key)).headers).not.toHaveProperty('x-data-stale')
    source.faults.set('AAPL', new SourceError('unavailable', 'down'))
    clock.pass(5000)
    expect((await ask(basket, key)).headers).not.toHaveProperty('x-data-stale')
    clock.pass(26_000)
    const { statusCode, headers } = await ask(basket, key)
    expect([statusCode, headers['x-data-stale'], headers['x-data-age']]).toEqual([200, 'true', '31.0'])
    source.faults.clear()
    clock.pass(5000)
    expect((await ask(basket, key)).headers).not.toHaveProperty('x-data-stale')
  })

  test('does not hang on the VIX, which is context: an answer without it is better than none', async () => {
    const { ask, keyOn, source } = opening()
    const key = keyOn('growth')
    source.faults.set('VIX', new SourceError('unavailable', 'down'))
    for (let k = 0; k < 2; k++) {
      const answer = await ask('/v1/exposure/zero-dte/AAPL', key)
      expect([answer.statusCode, answer.json().vol_context.vix]).toEqual([200, null])
    }
  })
})

describe('an answer', () => {
  test('is computed once for requests that come together, and kept until an input changes', async () => {
    const { ask, keyOn, computed, clock } = opening()
    const key = keyOn('alpha')
    const together = await Promise.all(Array.from({ length: 50 }, () => ask(gex, key)))
    expect(new Set(together.map(({ body }) => body)).size).toBe(1)
    expect(computed).toEqual(['exposure.gex'])
    clock.pass(999)
    await ask(gex, key)
    expect(computed).toHaveLength(1)
    clock.pass(1)
    await ask(gex, key)
    expect(computed).toHaveLength(2)
  })

  test('changes when the prior close is known at last', async () => {
    const { ask, keyOn, source, clock } = opening()
    const key = keyOn('free')
    const change = async () => (await ask(gex, key)).json().strikes[0].call_oi_change
    source.faults.set('AAPL close', new SourceError('timeout', 'too slow'))
    expect(await change()).toBeNull()
    source.faults.clear()
    clock.pass(minute)
    expect(await change()).toBe(0)
    expect(source.count('AAPL')).toBe(1)
  })

  test('is kept apart by every parameter, and shared by spellings of the same one', async () => {
    const { ask, keyOn, computed } = opening()
    const key = keyOn('alpha')
    await ask('/v1/exposure/gex/AAPL', key)
    await ask('/v1/exposure/gex/aapl?min_oi=0', key)
    await ask('/v1/exposure/gex/%20AAPL%20/?other=1', key)
    expect(computed).toHaveLength(1)
    await ask('/v1/exposure/gex/AAPL?min_oi=1', key)
    await ask('/v1/exposure/gex/MSFT', key)
    await ask(gex, key)
    expect(computed).toHaveLength(4)
  })

  test('stays within the memory it is given, whatever is asked', async () => {
    const { ask, keyOn, answers } = opening({ cacheBytes: 20_000 })
    const key = keyOn('alpha')
    for (let k = 0; k < 60; k++) await ask(`/v1/exposure/gex/AAPL?min_oi=${k}`, key)
    expect(answers.bytes).toBeGreaterThan(0)
    expect(answers.bytes).toBeLessThanOrEqual(20_000)
  })

  test('has the same body under every alias', async () => {
    const key = shared.keyOn('growth')
    for (const path of ['/stockquote/AAPL', '/optionquote/AAPL?expiry=2026-08-21', '/v1/maxpain/AAPL']) {
      const [one, other] = await Promise.all(
        [path, path.startsWith('/v1') ? `${path}/` : `/v1${path}`].map((url) => shared.ask(url, key))
      )
      expect(one.statusCode).toBe(200)
      expect(other.body).toBe(one.body)
    }
  })

  test('is never kept by a shared cache, and a refusal by none', async () => {
    const key = shared.keyOn('alpha')
    for (const url of [gex, '/v1/account', '/v1/tickers', '/v1/universe']) {
      expect((await shared.ask(url, key)).headers['cache-control']).toBe('private, no-cache')
      expect((await shared.ask(url)).headers['cache-control']).toBe('no-store')
    }
  })

  test('names its source wherever it comes from', async () => {
    const key = shared.keyOn('alpha')
    for (const url of [gex, '/v1/tickers', '/v1/universe', '/stockquote/AAPL']) {
      expect((await shared.ask(url, key)).headers['x-data-source']).toBe('scripted')
    }
  })
})

describe('a client that has the answer', () => {
  test('is told so, without the bytes, until the answer changes', async () => {
    const { ask, keyOn, clock, records } = opening()
    const key = keyOn('alpha')
    const first = await ask(gex, key)
    const etag = first.headers.etag as string
    for (const held of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await ask(gex, key, { headers: { 'if-none-match': held } })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: 'accept, accept-encoding, origin'
      })
      expect(again.headers['x-request-id']).toBeDefined()
    }
    expect(records.at(-1)).toMatchObject({ status: 304, bytes: 0 })
    for (const other of ['"other"', 'W/""', '', etag.slice(0, -3)]) {
      expect((await ask(gex, key, { headers: { 'if-none-match': other } })).statusCode).toBe(200)
    }
    clock.pass(1000)
    const changed = await ask(gex, key, { headers: { 'if-none-match': etag } })
    expect([changed.statusCode, changed.headers.etag === etag]).toEqual([200, false])
  })
})

describe('compression', () => {
  const quotes = '/optionquote/AAPL'

  test('changes nothing but the bytes on the way', async () => {
    const key = shared.keyOn('growth')
    const plain = await shared.ask(quotes, key)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const forms = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [encoding, decode] of Object.entries(forms)) {
      const packed = await shared.ask(quotes, key, { headers: { 'accept-encoding': encoding } })
      expect(packed.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag })
      expect(packed.headers['content-length']).toBe(`${packed.rawPayload.length}`)
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(decode(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    }
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0,gzip;q=0', undefined],
    ['BR', 'br'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0.5', 'gzip']
  ])('of a client that sends accept-encoding %s is %s', async (accepted, encoding) => {
    const answer = await shared.ask(quotes, shared.keyOn('growth'), { headers: { 'accept-encoding': accepted } })
    expect(answer.headers['content-encoding']).toBe(encoding)
  })

  test('spares small answers', async () => {
    const answer = await shared.ask('/stockquote/AAPL', shared.keyOn('growth'), {
      headers: { 'accept-encoding': 'br' }
    })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })
})

describe('HEAD', () => {
  test.each([gex, '/v1/tickers', '/stockquote/NOPE'])('%s has the headers of GET and no body', async (url) => {
    const key = shared.keyOn('alpha')
    const [head, get] = [await shared.ask(url, key, { method: 'HEAD' }), await shared.ask(url, key)]
    expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
    for (const name of ['content-length', 'content-type', 'etag', 'x-data-source']) {
      expect(head.headers[name]).toBe(get.headers[name])
    }
  })
})

describe('a page of another origin', () => {
  const asking = (origin: string) => ({ headers: { origin } })
  const preflight = (origin: string) =>
    ({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } }) as const

  test('may call from anywhere unless the operator says otherwise, and read the headers that matter', async () => {
    const key = shared.keyOn('alpha')
    for (const url of [gex, '/v1/tickers', '/stockquote/NOPE', '/v1/nothing']) {
      const { headers } = await shared.ask(url, key, asking('https://desk.example'))
      expect(headers['access-control-allow-origin']).toBe('*')
      const exposed = (headers['access-control-expose-headers'] as string).toLowerCase().split(', ')
      const own = Object.keys(headers).filter((name) => /^(x-(rate|data|request)|ratelimit|etag|retry)/.test(name))
      expect(own.length).toBeGreaterThan(2)
      for (const name of own) expect(exposed).toContain(name)
      expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'x-data-stale']))
    }
  })

  test('gets leave to send the key in a header before it does', async () => {
    const { statusCode, headers, body } = await shared.ask(gex, undefined, preflight('https://desk.example'))
    expect([statusCode, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, X-Api-Key, Content-Type, Idempotency-Key, If-None-Match'
    })
  })

  test.each([
    ['an origin that the operator lists', ['https://desk.example'], 'true'],
    ['any origin where none is listed', '*', undefined]
  ] as const)('asks for an address of a private network: %s', async (_, corsOrigin, allowed) => {
    const { ask } = opening({ corsOrigin })
    const { method, headers: sent } = preflight('https://desk.example')
    const headers = { ...sent, 'access-control-request-private-network': 'true' }
    const answer = await ask(gex, undefined, { method, headers })
    expect(answer.headers['access-control-allow-private-network']).toBe(allowed)
  })

  test('is told apart where the operator lists origins, also to caches', async () => {
    const { ask, keyOn } = opening({ corsOrigin: ['https://desk.example'] })
    const key = keyOn('alpha')
    const listed = await ask(gex, key, asking('https://desk.example'))
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': 'https://desk.example',
      vary: 'accept, accept-encoding, origin'
    })
    for (const origin of ['https://other.example', 'https://desk.example.evil.com', 'null']) {
      expect((await ask(gex, key, asking(origin))).headers).not.toHaveProperty('access-control-allow-origin')
      const refused = await ask(gex, undefined, preflight(origin))
      expect(refused.headers).not.toHaveProperty('access-control-allow-headers')
    }
  })

  test('never gets leave to send cookies', async () => {
    const { headers } = await shared.ask(gex, undefined, preflight('https://desk.example'))
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

describe('the way to the service', () => {
  test.each([
    [true, 'https', true],
    [true, 'http', false],
    [true, undefined, false],
    [false, 'https', false]
  ])('trusts a proxy: %s, proxy says %s: HSTS %s', async (trustProxy, protocol, strict) => {
    const { ask, keyOn } = opening({ trustProxy })
    const headers = protocol === undefined ? {} : { 'x-forwarded-proto': protocol }
    for (const key of [keyOn('alpha'), undefined]) {
      const answer = await ask(gex, key, { headers })
      expect('strict-transport-security' in answer.headers).toBe(strict)
    }
  })

  test('marks every answer with an id of its own, which the client cannot choose', async () => {
    const key = shared.keyOn('alpha')
    const ids = await Promise.all(
      [gex, '/v1/tickers', '/stockquote/NOPE', '/v1/nothing'].map(
        async (url) => (await shared.ask(url, key, { headers: { 'x-request-id': 'mine' } })).headers['x-request-id']
      )
    )
    expect(new Set(ids).size).toBe(4)
    expect(ids.every((id) => /^[a-z0-9]+-[a-z0-9]+$/.test(id as string))).toBe(true)
  })

  test('answers in no type but the one it states', async () => {
    for (const url of [gex, '/v1/tickers', '/stockquote/NOPE', '/v1/nothing']) {
      const { headers } = await shared.ask(url, shared.keyOn('alpha'))
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })
})

describe('what is recorded of a request', () => {
  test('tells who asked for what, how it ended and how large it was, once for each request', async () => {
    const { ask, keyOn, records, accounts } = opening()
    const key = keyOn('growth')
    const answer = await ask(gex, key)
    await ask('/v1/exposure/gex/NOPE', key)
    await ask('/v1/nothing')
    const { userId } = accounts.find(key)!
    const of = { method: 'GET', plan: 'growth', userId, route: '/v1/exposure/gex/:symbol', error: undefined }
    expect(records).toEqual([
      expect.objectContaining({
        ...of,
        id: answer.headers['x-request-id'],
        path: '/v1/exposure/gex/AAPL',
        status: 200,
        bytes: answer.rawPayload.length
      }),
      expect.objectContaining({ ...of, path: '/v1/exposure/gex/NOPE', status: 404 }),
      expect.objectContaining({ route: 'none', path: '/v1/nothing', status: 404, plan: undefined, userId: undefined })
    ])
    expect(records.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true)
  })

  test('keeps the cause of a fault of ours', async () => {
    const { ask, keyOn, records, source } = opening()
    source.faults.set('AAPL', new TypeError('secret of the inside'))
    await ask(gex, keyOn('growth'))
    expect(records[0].error).toEqual(new TypeError('secret of the inside'))
  })

  test('never holds a key, wherever the client wrote it', async () => {
    const { ask, keyOn, records } = opening()
    const key = keyOn('growth')
    const urls = [
      `${gex}&apiKey=${key}`,
      `/v1/account?apiKey=${key}`,
      `/v1/account%3FapiKey=${key}`,
      `/v1/account;apiKey=${key}`,
      `/v1/exposure/gex/${key}`,
      `/v1/nothing/${key}?apiKey=${key}`,
      `/v1/exposure/gex/${key}%ff`
    ]
    for (const url of urls) await ask(url, key)
    await ask(gex, key, { method: 'OPTIONS' })
    expect(records).toHaveLength(urls.length + 1)
    expect(JSON.stringify(records)).not.toContain(key.slice('gw_live_'.length))
  })
})

describe('on a real connection', () => {
  /** Sends bytes and collects what comes back until the server closes. */
  const exchange = (port: number, bytes: string) =>
    new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => (received += chunk.toString('latin1')))
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })

  test('what is no HTTP is refused in the words of any other refusal', async () => {
    const { app, ask, keyOn } = opening()
    const port = Number(new URL(await listen(app, '127.0.0.1', 0)).port)
    const long = `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`
    for (const [bytes, status, code] of [
      ['nonsense\r\n\r\n', 400, 'bad_address'],
      [long, 414, 'uri_too_long']
    ] as const) {
      const [head, body] = (await exchange(port, bytes)).split('\r\n\r\n')
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\ncontent-type: application/json; charset=utf-8\r\n`))
      expect(JSON.parse(body)).toMatchObject({ status: 'ERROR', error: code })
    }
    expect((await ask('/v1/account', keyOn('free'))).statusCode).toBe(200)
  })

  test('answers written past the framework arrive whole, with their headers', async () => {
    const { app, keyOn } = opening()
    const address = await listen(app, '127.0.0.1', 0)
    const headers = { 'x-api-key': keyOn('growth') }
    for (const path of ['/stockquote/AAPL', '/optionquote/AAPL', '/v1/tickers', '/stockquote/NOPE']) {
      const answer = await fetch(`${address}${path}`, { headers })
      expect(answer.headers.get('x-ratelimit-limit')).toBe('2500')
      expect(typeof (await answer.json())).toBe('object')
    }
  })

  test('a client without a key is refused before its body is read', async () => {
    const { app } = opening()
    const port = Number(new URL(await listen(app, '127.0.0.1', 0)).port)
    const head =
      'POST /v1/structures/pnl HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n'
    const received = await exchange(port, `${head}content-length: 200000\r\n\r\n{`)
    expect(received).toMatch(/^HTTP\/1.1 401 /)
  })
})

test('a text that no header can carry does not reach one', async () => {
  const echo = endpoint({
    id: 'test.echo',
    path: '/v1/echo',
    tag: 'test',
    summary: 'Says what was said',
    plan: 'free',
    needs: [],
    params: { words: text({ description: 'words', example: 'hello' }) },
    replay: false,
    stream: false,
    response: Type.Object({ words: Type.String() }),
    answer: (_, { words = '' }) => ({ words })
  })
  const { ask, keyOn } = opening({ endpoints: [echo] })
  const words = 'Ünïcödé\r\nx-injected: 1 \u{1F600}'
  const answer = await ask(`/v1/echo?words=${encodeURIComponent(words)}`, keyOn('free'))
  expect(answer.json()).toEqual({ words })
  expect(answer.headers).not.toHaveProperty('x-injected')
  expect(answer.headers['content-length']).toBe(`${answer.rawPayload.length}`)
})

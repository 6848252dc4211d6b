import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/server/http/listen.ts'
import { service } from '../../support/service.ts'

const { app, keyOn, ask, records, close } = service()
let port = 0
beforeAll(async () => {
  port = Number(new URL(await listen(app, '127.0.0.1', 0)).port)
})
afterAll(close)

/** Sends bytes and collects what comes back until the connection ends or enough answers are there. */
const exchange = (bytes: string, answers = Number.POSITIVE_INFINITY, at = port) =>
  new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(at, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (received.split('HTTP/1.1 ').length > answers) socket.end()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
const refusedAs = (status: number, code: string) =>
  new RegExp(`^HTTP/1.1 ${status} .*\r\n\r\n\\{"status":"ERROR","error":"${code}","message":"[^"]{15,}"\\}$`, 's')

describe('undeclared answers', () => {
  const path = '/v1/exposure/levels/AAPL'

  test('a request with no Host or two is refused in the own shape, also where the address is remembered', async () => {
    const key = keyOn('alpha')
    const line = `GET ${path} HTTP/1.1\r\nx-api-key: ${key}\r\n`
    await ask(path, key)
    for (const hosts of ['', 'host: a\r\nHost: b\r\n', 'host: a\r\nhost: a\r\n']) {
      const response = await exchange(`${line}${hosts}\r\n`)
      expect(response).toMatch(refusedAs(400, 'bad_address'))
      expect(response).toMatch(/\r\nx-request-id: /i)
      expect(response).toMatch(/\r\nconnection: close\r\n/i)
    }
    expect(await exchange(`${line}host: a\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /)
    expect(await exchange(`${line.replace('1.1', '1.0')}\r\n`)).toMatch(/^HTTP\/1.1 200 /)
  })

  test('an expectation that nobody knows is refused in the own shape', async () => {
    const head = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${keyOn('alpha')}\r\n`
    expect(await exchange(`${head}expect: a-miracle\r\n\r\n`)).toMatch(refusedAs(417, 'expectation_failed'))
    const known = await exchange(`${head}expect: 100-continue\r\nconnection: close\r\n\r\n`)
    expect(known).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
  })

  test('400 to HEAD has no body', async () => {
    for (const head of ['HEAD /v1/account HTTP/1.1\r\nbad header: x\r\n', 'HEAD /v1/account HTTP/1.1\r\n']) {
      expect(await exchange(`${head}\r\n`)).toMatch(/^HTTP\/1.1 400 .*\r\n\r\n$/s)
    }
  })

  test('a request that does not arrive is 408, a second after the time that is documented', async () => {
    const own = service()
    onTestFinished(own.close)
    const at = Number(new URL(await listen(own.app, '127.0.0.1', 0)).port)
    const { server } = own.app
    expect([server.requestTimeout, server.headersTimeout]).toEqual([30_000, 30_000])
    server.requestTimeout = server.headersTimeout = 100
    expect(await exchange('GET /v1/acc', 1, at)).toMatch(refusedAs(408, 'request_timeout'))
  })
})

describe('an upgrade that is not taken up', () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n'
  const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
  const statuses = (response: string) => [...response.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => status)

  test('is ignored, and the request behind it in the same packet is answered', async () => {
    const response = await exchange(request('/v1/nothing', upgrade) + request('/v1/account', 'connection: close\r\n'))
    expect(statuses(response)).toEqual(['404', '401'])
  })

  test('waits for the answers before it', async () => {
    const key = `x-api-key: ${keyOn('alpha')}\r\n`
    const response = await exchange(
      request('/optionquote/KO', key) +
        request('/v1/nothing', upgrade) +
        request('/v1/account', 'connection: close\r\n')
    )
    expect(statuses(response)).toEqual(['200', '404', '401'])
  })

  test('leaves the other options of its connection as they are', async () => {
    const closing = upgrade.replace('Upgrade,', 'close, Upgrade,')
    expect(await exchange(request('/v1/nothing', closing))).toMatch(/\r\nconnection: close\r\n/i)
  })

  test('brings its body', async () => {
    const body = JSON.stringify({ legs: [{ action: 'buy', type: 'call', strike: 100, premium: 3 }] })
    const head = `POST /v1/structures/pnl HTTP/1.1\r\nhost: x\r\nx-api-key: ${keyOn('alpha')}\r\n${upgrade}`
    const typed = `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const response = await exchange(typed + request('/v1/account', 'connection: close\r\n'))
    expect(statuses(response)).toEqual(['200', '401'])
  })
})

describe('a key in the wrong place', () => {
  test('is masked in a path with percent escapes, and no error repeats it', async () => {
    const key = keyOn('alpha')
    const rest = key.slice('gw_live_'.length)
    const escaped = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    const written = [`gw%5Flive%5f${rest}`, `%67w_live_${rest}`, `%2567w_live_${rest}`, `GW_LIVE_${rest}`, escaped]
    const seen = records.length
    for (const text of written) {
      const quoted = text.replace('%2567', '%67')
      for (const url of [
        `/v1/nothing/${text}`,
        `/v1/exposure/gex/${text}`,
        `/v1/exposure/gex/AAPL?min_oi=${quoted}`,
        `/v1/exposure/gex/AAPL?expiration=${quoted}`,
        `/v1/dispersion?index=AAPL&symbols=KO&weights=${quoted}`,
        `/v1/exposure/levels/AAPL?${quoted}=1`
      ]) {
        const { body, headers } = await ask(url, key)
        expect(body + headers['x-ignored-parameters'], url).not.toContain(rest.slice(0, 12))
      }
    }
    const json = { 'content-type': 'application/json' }
    for (const payload of [`{"a":"x\n${key}`, `{"${key}`, `{"legs":"${key}"}`, key]) {
      const { body, statusCode } = await ask('/v1/structures/pnl', key, { method: 'POST', payload, headers: json })
      expect([statusCode, body.includes(rest.slice(2, 9))]).toEqual([400, false])
    }
    const logged = JSON.stringify(records.slice(seen))
    for (const part of [rest, escaped.slice(24)]) expect(logged).not.toContain(part)
  })
})

describe('what other clients send', () => {
  test('null for an optional field of a body means that it is absent', async () => {
    const key = keyOn('alpha')
    const post = async (path: string, body: object) =>
      ask(path, key, { method: 'POST', payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    const leg = { action: 'buy', type: 'call', strike: 100, premium: 3 }
    const without = await post('/v1/structures/pnl', { legs: [leg] })
    const nulls = { legs: [{ ...leg, expiry: null, impliedVol: null, quantity: null }], points: null, scenarios: null }
    const sent = await post('/v1/structures/pnl', nulls)
    expect([sent.statusCode, sent.body]).toEqual([200, without.body])
    const required = await post('/v1/structures/pnl', { legs: [{ ...leg, strike: null }] })
    expect([required.statusCode, required.json().parameter]).toEqual([400, 'legs[0].strike'])
  })

  test.each(['^SPX', '.SPX', '$SPX', 'I:SPX', 'i:spx'])('%s reads as SPX', async (written) => {
    const key = keyOn('alpha')
    for (const path of ['/v1/exposure/levels/', '/stockquote/']) {
      const plain = await ask(`${path}SPX`, key)
      const other = await ask(path + encodeURIComponent(written), key)
      expect([other.statusCode, other.body]).toEqual([200, plain.body])
    }
    const basket = await ask(`/v1/exposure/basket?symbols=AAPL,${encodeURIComponent(written)}`, key)
    expect(basket.json().constituents.map(({ symbol }: { symbol: string }) => symbol)).toContain('SPX')
  })

  const key = keyOn('alpha')

  test('a key is read from Authorization: Bearer too, with the scheme in any case', async () => {
    for (const authorization of [`Bearer ${key}`, `bearer  ${key}`]) {
      const answer = await ask('/v1/account', undefined, { headers: { authorization } })
      expect([answer.statusCode, answer.json().plan]).toEqual([200, (await ask('/v1/account', key)).json().plan])
      expect((await ask('/v1/account', key, { headers: { authorization } })).statusCode).toBe(200)
    }
  })

  test.each([
    ['a wrong key', 'Bearer gw_live_abc', 'the API key is invalid or revoked'],
    [
      'another scheme',
      'Basic YTpi',
      'no API key: the Authorization header holds none; it is read as Bearer and the key, X-Api-Key takes the key as it is'
    ]
  ])('Authorization with %s says what is wrong', async (_, authorization, detail) => {
    const answer = await ask('/v1/account', undefined, { headers: { authorization } })
    expect([answer.statusCode, answer.json().detail]).toEqual([401, detail])
  })

  test('two different keys in the headers of a request are refused, also where one is valid and where none is needed', async () => {
    for (const path of ['/v1/account', '/v1/stock/AAPL/summary']) {
      const answer = await ask(path, key, { headers: { authorization: 'Bearer gw_live_another' } })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        401,
        'the request has different API keys: send one of them'
      ])
    }
  })

  test.each([
    'Basic YTpi',
    'Bearer eyJhbGciOiJub25lIn0.e30.'
  ])('%s of a proxy does not hide the key of X-Api-Key', async (authorization) => {
    expect((await ask('/v1/account', key, { headers: { authorization } })).statusCode).toBe(200)
  })
})

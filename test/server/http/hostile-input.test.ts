import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import type { InputName } from '../../../src/api/inputs/inputs.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { heapInUse } from '../../support/garbage.ts'
import { service } from '../../support/service.ts'

const { ask, keyOn, records, close } = service()
const key = keyOn('enterprise')
afterAll(close)

type Answer = Awaited<ReturnType<typeof ask>>

const ignoresKeys = (endpoint?: Endpoint) => endpoint?.plan === 'public' && endpoint.keys === 'ignored'

/** A refusal as the contract has it: its shape, and a message a person can act on. */
function expectContract({ statusCode, headers, body }: Answer, what: string, endpoint?: Endpoint): void {
  expect(statusCode, what).toBeLessThan(500)
  expect(headers['content-type'], what).toBe('application/json; charset=utf-8')
  expect(headers['x-ratelimit-limit'], what).toBe(ignoresKeys(endpoint) ? undefined : 'unlimited')
  const answer = JSON.parse(body)
  if (statusCode === 200) return
  expect(answer, what).toMatchObject({ status: 'ERROR', error: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/) })
  expect(answer.message, what).toMatch(/^[\x20-\x7e…]{15,400}$/)
  const own = answer.message.replace(/it reads '.*'$/, '')
  expect(own, what).not.toMatch(/undefined|NaN|\[object|Error:|\bat .*:\d+/)
}

const gets = endpoints.filter(({ body }) => body === undefined)
const posts = endpoints.filter(({ body }) => body !== undefined)

/** Values as they stand in an address, already encoded. */
const rubbish = [
  ...['', '%20', 'x', '-1', '0', '-0', '1.5', '1e400', '-1e400', '1e-400', 'NaN', 'Infinity', '0x10', '1_000', '١٢'],
  ...[
    'true',
    'null',
    'undefined',
    '[object%20Object]',
    '%ff',
    '%c0%80',
    '%00',
    '%zz',
    '%',
    '%F0%9F%98%80',
    '%EF%BC%91'
  ],
  ...[
    '2026-02-30',
    '2026-13-45',
    '9999-12-31',
    '0000-00-00',
    '2026-7-9',
    "'%20OR%201=1%20--",
    '..%2F..%2Fetc%2Fpasswd'
  ],
  ...['__proto__', 'constructor', '%3Cscript%3E', ',', ',,,', 'A,,B', '0,0', '-0,-0', '1e308,1e308', 'A'.repeat(5000)],
  ...['9'.repeat(400), '%E2%80%AE', '%0d%0aset-cookie:%20a=b', '{}', '[]', '%22', '\\', '1;2', '+1', '1+1']
]

/** The service of these tests keeps no history: what is read of it is answered in test/replay/series.test.ts. */
const readsHistory = ({ needs }: Endpoint) => needs.includes('figures')

/** Sound values of the parameters that endpoints require, so that one other parameter can be tested. */
const sound: Readonly<Record<string, string>> = {
  symbols: 'AAPL,KO',
  index: 'AAPL',
  spot: '100',
  strike: '100',
  dte: '30',
  sigma: '0.2',
  price: '3',
  premium: '3',
  mu: '0.1',
  resolution: '1m'
}

const required = ({ params }: Endpoint) =>
  Object.entries(params).flatMap(([name, { required, in: place }]) =>
    required && place === 'query' ? [[name, sound[name]] as const] : []
  )
const addressOf = ({ path }: Endpoint, symbol = 'AAPL') => path.replace(/\{\w+\}/, symbol)
const queryWith = (pairs: readonly (readonly [string, string])[]) => pairs.map((pair) => pair.join('=')).join('&')

describe.each(gets)('$id', (endpoint) => {
  const others = (name: string) => required(endpoint).filter(([other]) => other !== name)
  const names = Object.keys(endpoint.params).filter((name) => endpoint.params[name].in === 'query')

  test('answers what is sound', async () => {
    const answer = await ask(`${addressOf(endpoint)}?${queryWith(required(endpoint))}`, key)
    expect(answer.statusCode).toBe(endpoint.id === 'exposure.history' ? 503 : readsHistory(endpoint) ? 404 : 200)
  })

  if (endpoint.id === 'exposure.history') return

  test('refuses or answers whatever its parameters say', async () => {
    for (const name of names) {
      for (const value of rubbish) {
        const url = `${addressOf(endpoint)}?${queryWith([...others(name), [name, value]])}`
        const answer = await ask(url, key)
        expectContract(answer, url.slice(0, 200), endpoint)
        if (answer.statusCode === 400) {
          expect(answer.json().message, url.slice(0, 200)).toContain(answer.json().parameter ?? name)
        }
      }
    }
  })

  test.each(names)('refuses %s twice, and takes it neither from an array nor from a prototype', async (name) => {
    const value = sound[name] ?? '1'
    const pairs = others(name)
    const twice = await ask(`${addressOf(endpoint)}?${queryWith([...pairs, [name, value], [name, value]])}`, key)
    expectContract(twice, name, endpoint)
    expect([twice.statusCode, twice.json().message]).toEqual([400, expect.stringContaining('given more than once')])
    const without = await ask(`${addressOf(endpoint)}?${queryWith(pairs)}`, key)
    for (const other of ['__proto__', `__proto__[${name}]`, 'constructor']) {
      const answer = await ask(`${addressOf(endpoint)}?${queryWith([...pairs, [other, value]])}`, key)
      expect([answer.statusCode, answer.body]).toEqual([without.statusCode, without.body])
      expect(answer.headers['x-ignored-parameters']).toBe(other)
    }
    // A typo in a short name leaves too little for a guess.
    for (const other of [`${name}[]`, ...(name.length > 2 ? [`${name}[0]`, `${name}.x`] : [])]) {
      const answer = await ask(`${addressOf(endpoint)}?${queryWith([...pairs, [other, value]])}`, key)
      expectContract(answer, other, endpoint)
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'unknown_parameter', parameter: other }])
      expect(answer.json().message).toContain(`did you mean ${name}?`)
    }
  })
})

describe('a symbol in the path', () => {
  const soundFor = (endpoint: Endpoint, symbol?: string) =>
    `${addressOf(endpoint, symbol)}?${queryWith(required(endpoint))}`
  const ofSymbols = gets.filter(
    (endpoint) => endpoint.path.includes('{') && endpoint.id !== 'exposure.history' && !readsHistory(endpoint)
  )

  test.each(ofSymbols)('of $id may be written in any case, with spaces around', async (endpoint) => {
    const plain = await ask(soundFor(endpoint), key)
    expect(plain.statusCode).toBe(200)
    for (const symbol of ['aapl', 'aApL', '%20AAPL%20', '%41APL', '%09aapl']) {
      expect((await ask(soundFor(endpoint, symbol), key)).body).toBe(plain.body)
    }
  })

  const strange = [
    'ELEVENCHARS',
    'AB%20CD',
    'AB%2FCD',
    '%ff',
    '%',
    '%zz',
    'A%00',
    '%C3%84',
    '%EF%AC%80',
    'A'.repeat(5000)
  ]
  const stranger = [
    '%2e%2e%2f%2e%2e',
    '..%2F..%2Fetc',
    '__proto__',
    '$',
    '%24%7B7*7%7D',
    "A'--",
    '%F0%9F%98%80',
    '%25ff'
  ]

  test.each(ofSymbols)('of $id that cannot be one is answered like one nobody knows', async (endpoint) => {
    const unknown = await ask(soundFor(endpoint, 'NOPE'), key)
    // Tracks of a day and bars show what prints there are of a ticker that nobody else knows; what can be no ticker is refused there as well.
    const isTrack = ['samples', 'strikeMinutes', 'pastPrices'].some((name) =>
      endpoint.needs.includes(name as InputName)
    )
    expect(unknown.statusCode).toBe(isTrack ? 200 : 404)
    const error = isTrack ? 'symbol_not_found' : unknown.json().error
    for (const symbol of [...strange, ...stranger]) {
      const answer = await ask(soundFor(endpoint, symbol), key)
      expectContract(answer, symbol.slice(0, 80), endpoint)
      expect([answer.statusCode, answer.json().error], symbol.slice(0, 80)).toEqual([404, error])
      expect((await ask(soundFor(endpoint, symbol))).statusCode).toBe(endpoint.plan === 'public' ? 404 : 401)
    }
  })
})

describe('a body', () => {
  const json = { 'content-type': 'application/json' }
  const post = (endpoint: Endpoint, payload: string | Buffer, headers: Record<string, string> = json) =>
    ask(endpoint.path, key, { method: 'POST', payload, headers })
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)

  const bodies: readonly (readonly [string, string | Buffer])[] = [
    ['is blank', '  \n'],
    ['is no JSON', '{"legs":'],
    ['is a form', 'legs=1&points=2'],
    ['is XML', '<legs/>'],
    ['is null', 'null'],
    ['is an array', '[]'],
    ['is a number', '1e400'],
    ['is a text', '"legs"'],
    ['begins with a mark of byte order', '\ufeff{}'],
    ['is 100,000 arrays deep', deep('[', ']')],
    ['is 100,000 arrays deep and never closed', deep('[', '')],
    ['is thousands of objects deep', '{"legs":'.repeat(20_000)],
    ['is deep inside a leg', `{"legs":[${'['.repeat(50)}${']'.repeat(50)}]}`],
    ['is all quotes', '"'.repeat(100_000)],
    ['is all backslashes', `"${'\\'.repeat(100_000)}`]
  ]

  /** Refused where legs are needed; where no field is, they say nothing. */
  const withoutLegs: typeof bodies = [
    ['is empty', ''],
    ['has no legs', '{}'],
    ['has legs of another type', '{"legs":"x"}'],
    ['has legs that are null', '{"legs":[null]}'],
    ['has legs that are arrays', '{"legs":[[]]}'],
    ['has a leg of wrong types', '{"legs":[{"strike":"100","premium":null}]}'],
    ['has a leg out of range', '{"legs":[{"strike":1e400,"premium":-1,"quantity":0.5}]}'],
    ['reaches for the prototype', '{"__proto__":{"legs":[{"strike":1,"premium":1}]}}'],
    ['names a constructor', '{"legs":[{"action":"constructor","type":"__proto__","strike":1,"premium":1}]}'],
    ['has 10,000 legs', `{"legs":[${Array.from({ length: 10_000 }, () => '{"strike":1}').join()}]}`],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])]
  ]

  describe.each(posts)('of $id', (endpoint) => {
    test('that is sound is answered', async () => {
      const answer = await post(endpoint, JSON.stringify(endpoint.body!.example))
      expect(answer.statusCode).toBe(200)
      const charset = await post(endpoint, JSON.stringify(endpoint.body!.example), {
        'content-type': 'application/vnd.desk+json; charset=utf-8'
      })
      expect(charset.statusCode).toBe(200)
    })

    test.each(bodies)('that %s is refused', async (_, payload) => {
      const answer = await post(endpoint, payload)
      expectContract(answer, endpoint.id)
      expect(answer.statusCode).toBe(400)
    })

    test.each(withoutLegs)('that %s is refused where legs are needed', async (_, payload) => {
      const answer = await post(endpoint, payload)
      expectContract(answer, endpoint.id)
      expect(answer.statusCode).toBe(endpoint.body!.optional ? 200 : 400)
    })

    test('of 10 MB is refused as too large', async () => {
      const answer = await post(endpoint, Buffer.alloc(10_000_000, 'x'))
      expectContract(answer, endpoint.id)
      expect([answer.statusCode, answer.json().error]).toEqual([413, 'payload_too_large'])
    })

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'json',
      ''
    ])('of content type %j is refused', async (type) => {
      const answer = await post(endpoint, JSON.stringify(endpoint.body!.example), { 'content-type': type })
      expectContract(answer, endpoint.id)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().message).toBe('the body must be sent as content type application/json')
    })

    test('that is packed is refused', async () => {
      const answer = await post(endpoint, Buffer.from([0x1f, 0x8b, 8, 0]), { ...json, 'content-encoding': 'gzip' })
      expectContract(answer, endpoint.id)
      expect(answer.statusCode).toBe(400)
    })
  })

  describe('on a real connection', () => {
    const listening = service()
    let port = 0
    beforeAll(async () => {
      port = Number(new URL(await listen(listening.app, '127.0.0.1', 0)).port)
    })
    afterAll(listening.close)
    const fields = `HTTP/1.1\r\nhost: x\r\nx-api-key: ${listening.keyOn('enterprise')}\r\nconnection: close\r\n`
    const head = `POST ${posts[0].path} ${fields}`
    const exchange = (bytes: string) =>
      new Promise<string>((resolve, reject) => {
        let received = ''
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
        socket.on('data', (chunk) => (received += chunk.toString()))
        socket.on('close', () => resolve(received))
        socket.on('error', reject)
      })

    test('may come in chunks', async () => {
      const body = JSON.stringify(posts[0].body!.example)
      const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('')
      const typed = `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
      expect(await exchange(`${typed}${chunks}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /)
    })

    test('in chunks without end is refused once it is too large', async () => {
      const typed = `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
      const received = await exchange(typed + `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(5))
      expect(received).toMatch(/^HTTP\/1.1 413 /)
      expect(received).toContain('"error":"payload_too_large"')
    })

    test('that is too large is read to its end, so that who sends it meets the refusal and no reset', async () => {
      const typed = `${head}content-type: application/json\r\ncontent-length: 10000000\r\n\r\n`
      const received = await Promise.all(Array.from({ length: 20 }, () => exchange(typed + 'x'.repeat(10_000_000))))
      for (const answer of received) expect(answer).toMatch(/^HTTP\/1.1 413 .*"error":"payload_too_large"/s)
    })

    test('whose length is no number is no HTTP', async () => {
      expect(await exchange(`${head}content-length: ten\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 .*"error":"bad_address"/s)
    })

    test.each([
      '../../account',
      '..',
      '.',
      'AAPL/../../account',
      '//account',
      '%2e%2e/account'
    ])('and an address cannot climb out of its place: %s', async (symbol) => {
      expect(await exchange(`GET /v1/exposure/gex/${symbol} ${fields}\r\n`)).toMatch(/^HTTP\/1.1 404 /)
    })
  })
})

describe('a method nobody serves', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s is 405 and says which are', async (method) => {
    for (const path of ['/v1/account', '/v1/exposure/gex/SPY?expiration=0dte', '/v1/vrp/SPY/history/']) {
      const answer = await ask(path, key, { method })
      expectContract(answer, method)
      expect([answer.statusCode, answer.json().error]).toEqual([405, 'method_not_allowed'])
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS')
    }
  })

  test.each(posts)('GET of $id is 405', async ({ path }) => {
    const answer = await ask(path, key)
    expect([answer.statusCode, answer.json().error]).toEqual([405, 'method_not_allowed'])
    expect(answer.headers['allow']).toBe('OPTIONS, POST')
  })

  test('of a path that is not there is 404', async () => {
    const answer = await ask('/v1/exposure/gex/SPY/more', key, { method: 'POST' })
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found'])
  })
})

test('20,000 hostile requests leave nothing behind', async () => {
  const targets = gets.filter(({ params, id }) => Object.keys(params).length > 0 && id !== 'exposure.history')
  const request = (k: number) => {
    const endpoint = targets[k % targets.length]
    const names = Object.keys(endpoint.params)
    const name = names[k % names.length]
    const value = `${rubbish[k % rubbish.length]}${k % 7 === 0 ? k : ''}`
    const query = queryWith([...required(endpoint).filter(([other]) => other !== name), [name, value]])
    return ask(`${addressOf(endpoint, k % 3 === 0 ? `N${k % 9000}` : 'AAPL')}?${query}`, k % 11 === 0 ? `gw_${k}` : key)
  }
  const run = async (from: number, to: number) => {
    for (let k = from; k < to; k += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => request(k + at)))
      expect(Math.max(...answers.map(({ statusCode }) => statusCode))).toBeLessThan(500)
      records.length = 0
    }
    return heapInUse()
  }
  const before = await run(0, 10_000)
  const after = await run(10_000, 20_000)
  expect(after - before).toBeLessThan(2e6)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpService } from './mcp-service.ts'

type Host = Awaited<ReturnType<typeof mcpService>>
let host: Host
beforeAll(async () => {
  host = await mcpService({ origins: ['https://assistant.example'] })
})
afterAll(() => host.close())

const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const post = (headers: Readonly<Record<string, string>>, url = '/mcp', body: unknown = ping) =>
  host.app.inject({
    method: 'POST',
    url,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body)
  })

describe('assistants', () => {
  test.each(['auto', '2025'] as const)('list and call tools by revision: %s', async (era) => {
    const { client, call } = await host.connect({ era })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['find', 'describe', 'exposure']))
    const { structuredContent, content, isError } = await call('exposure', { view: 'gex', symbol: 'SPY' })
    expect(isError).toBeFalsy()
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
  })

  test('get the figures of REST, with moment, age, source and units', async () => {
    const { call } = await host.connect()
    const rest = (await host.ask('/v1/exposure/levels/SPY', host.key)).json()
    const { structuredContent: said } = await call('exposure', { view: 'levels', symbol: 'SPY' })
    expect(said.data.levels).toEqual(rest.levels)
    expect(said).toMatchObject({ symbol: 'SPY', as_of: rest.as_of, stale: false, source: 'scripted' })
    expect(said.units.price.split(' ')).toContain('gamma_flip')
    expect(said.age_s).toBeTypeOf('number')
    expect(said.quality).toBeTypeOf('number')
  })

  test('ask about a past moment by at, and get what was known then', async () => {
    const { call } = await host.connect()
    const at = '2026-07-29T12:00:00'
    const past = (await host.past(`/v1/exposure/gex/KO?at=${at}`, { with: host.key })).json()
    const { structuredContent: said } = await call('exposure', { view: 'gex', symbol: 'KO', at })
    expect(said.data.net_gex).toBe(past.net_gex)
    expect(said.as_of).toBe(past.as_of)
  })

  test('must name the moment on the host of past data', async () => {
    const { call } = await host.connect({ at: host.pastUrl })
    expect(await call('exposure', { view: 'gex', symbol: 'SPY' })).toMatchObject({
      isError: true,
      structuredContent: { error: 'invalid_at' }
    })
    const { isError } = await call('exposure', { view: 'gex', symbol: 'KO', at: '2026-07-29T12:00:00' })
    expect(isError).toBeFalsy()
  })

  test('pay one request for each answer that is read, and nothing for finding out what there is', async () => {
    const key = host.keyOn('basic')
    const account = host.accounts.find(key)!
    const { client, call } = await host.connect({ with: key })
    await client.listTools()
    await call('find', { words: 'gamma flip' })
    await call('describe', { tool: 'exposure', view: 'gex' })
    await call('exposure', { view: 'gexx' })
    expect(host.quota.used(account)).toBe(0)
    const { _meta } = await call('market', { view: 'stockquote', symbol: 'KO' })
    expect([host.quota.used(account), _meta?.['gammawall/cost']]).toEqual([1, 1])
  })

  test('are refused by plan in a sentence that says which plan would do', async () => {
    const { call } = await host.connect({ with: host.keyOn('free') })
    const { isError, content } = await call('exposure', { view: 'narrative', symbol: 'KO' })
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('Growth plan')])
  })

  test.each([
    [{ view: 'gexx' }, 'gex'],
    [{ view: 'gex' }, 'needs symbol'],
    [{ view: 'gex', symbol: 'SPY', strikes: 3 }, 'does not take strikes'],
    [{ view: 'gex', symbol: 'SPY', bar: '1m' }, 'does not take bar'],
    [{ view: 'gex', symbol: 'SPY', expiration: 'friday' }, 'yyyy-MM-dd'],
    [{ view: 'gex', symbol: 'SPY', part: 'strikez' }, 'strikes'],
    [{ view: 'gex', symbol: 'SPY', part: 'strikes[7]' }, '17 rows'],
    [{ view: 'gex', symbol: 'ZZZZZ' }, 'universe'],
    [{ view: 'gex', symbol: '..' }, 'ticker'],
    [{ view: 'gex', symbol: 'SPY', rows: 0 }, 'from 1 to 500'],
    [{ view: 'gex', symbol: 'SPY', detail: 'all' }, 'brief or full']
  ])('learn what would be taken in place of %j', async (args, advice) => {
    const { call } = await host.connect()
    const { isError, content } = await call('exposure', args)
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining(advice)])
  })

  test('are told which views know the past when one does not', async () => {
    const { call } = await host.connect()
    const { content } = await call('market', { view: 'tickers', at: '2026-07-29' })
    expect(content[0].text).toContain('about the present only')
    expect(content[0].text).toContain('stockquote')
  })
})

describe('the route', () => {
  test('takes a key in either header, and in no address', async () => {
    expect((await post({ authorization: `Bearer ${host.key}` })).statusCode).toBe(200)
    expect((await post({ 'x-api-key': host.key })).statusCode).toBe(200)
    for (const [headers, url] of [
      [{}, '/mcp'],
      [{}, `/mcp?apiKey=${host.key}`],
      [{ 'x-api-key': host.key }, `/mcp?apiKey=${host.key}`],
      [{ 'x-api-key': 'gw_live_wrong' }, '/mcp']
    ] as const) {
      const { statusCode, headers: sent } = await post(headers, url)
      expect([statusCode, sent['www-authenticate']]).toEqual([401, undefined])
    }
  })

  test.each([
    ['https://evil.example', undefined, 403],
    ['null', undefined, 403],
    ['http://evil.example', 'evil.example', 403], // a name that someone pointed at this address
    ['https://assistant.example', undefined, 200],
    ['http://127.0.0.1:8080', '127.0.0.1:8080', 200]
  ])('answers a page of %s under host %s with %i', async (origin, name, status) => {
    const named = name === undefined ? {} : { host: name }
    expect((await post({ 'x-api-key': host.key, origin, ...named })).statusCode).toBe(status)
  })

  test('takes POST alone', async () => {
    const { statusCode, headers } = await host.ask('/mcp', host.key)
    expect([statusCode, headers['allow']]).toEqual([405, 'OPTIONS, POST'])
  })

  test('is also there below /replay', async () => {
    const { statusCode } = await host.replay.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'x-api-key': host.key
      },
      payload: JSON.stringify(ping)
    })
    expect(statusCode).toBe(200)
  })

  test('refuses what is no request of the protocol without a fault', async () => {
    for (const body of [
      null,
      7,
      'x',
      [],
      {},
      { jsonrpc: '2.0' },
      { ...ping, method: 'tools/call' },
      Array(500).fill(ping)
    ]) {
      const { statusCode } = await post({ 'x-api-key': host.key }, '/mcp', body)
      expect([JSON.stringify(body).slice(0, 60), statusCode < 500]).toEqual([JSON.stringify(body).slice(0, 60), true])
    }
    const { statusCode } = await post({ 'x-api-key': host.key }, '/mcp', 'x'.repeat(200_000))
    expect(statusCode).toBe(413)
    expect(host.errors).toEqual([])
  })
})

test('ten questions of a key are under way at most', async () => {
  const { call } = await host.connect()
  // Prepared answers come at once; these have different parameters, so each is made.
  const asked = Array.from({ length: 30 }, (_, k) =>
    call('exposure', { view: 'profile', symbol: 'SPY', points: 21 + k })
  )
  const codes = (await Promise.all(asked)).map(({ isError, structuredContent }) =>
    isError ? structuredContent.error : 'ok'
  )
  expect(codes.filter((code) => code === 'ok').length).toBeGreaterThanOrEqual(10)
  expect(codes.filter((code) => code !== 'ok' && code !== 'too_many_calls')).toEqual([])
  expect((await call('exposure', { view: 'gex', symbol: 'SPY' })).isError).toBeFalsy()
})

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { type ClientOptions, createClient } from '../../src/client/client.ts'
import { RequestError } from '../../src/client/request-error.ts'

type Script = (request: IncomingMessage, response: ServerResponse) => void

/** A client of a server that answers as the test says, and the requests that arrived. */
async function clientOf(script: Script, options: ClientOptions = {}) {
  const requests: { line: string; key: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ line: `${request.method} ${request.url}`, key: request.headers['x-api-key'] as string, body })
    script(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { client: createClient({ url, key: 'the key', ...options }), requests, url, server }
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

describe('a request', () => {
  test('puts parameters in the path and behind it, and the key in a header', async () => {
    const { client, requests } = await clientOf(json(200, { symbol: '^SPX' }))
    const params = { symbol: '^SPX', min_oi: 100, expiration: undefined }
    expect(await client.get('/v1/exposure/gex/{symbol}', params)).toEqual({ symbol: '^SPX' })
    expect(requests).toEqual([{ line: 'GET /v1/exposure/gex/%5ESPX?min_oi=100', key: 'the key', body: '' }])
  })

  test('without a key sends none', async () => {
    const { client, requests } = await clientOf(json(200, {}), { key: undefined })
    await client.get('/v1/tickers')
    expect(requests).toEqual([{ line: 'GET /v1/tickers', key: undefined, body: '' }])
  })

  test('with a body posts it as JSON', async () => {
    const { client, requests } = await clientOf(json(200, {}))
    const legs = [{ action: 'buy', type: 'call', strike: 600, premium: 4.2 }] as const
    await client.post('/v1/structures/pnl', { legs })
    expect(requests).toMatchObject([{ line: 'POST /v1/structures/pnl', body: JSON.stringify({ legs }) }])
  })

  test('about the past goes to the replay host with its moment', async () => {
    const live = await clientOf(json(500, {}))
    const replay = await clientOf(json(200, {}), {})
    const client = createClient({ url: live.url, replayUrl: `${replay.url}/` })
    await client.get('/v1/exposure/levels/{symbol}', { symbol: 'SPY' }, { at: '2026-07-29T11:00:00' })
    expect(live.requests).toEqual([])
    expect(replay.requests[0].line).toBe('GET /v1/exposure/levels/SPY?at=2026-07-29T11%3A00%3A00')
  })

  test('can be given up', async () => {
    const { client } = await clientOf(() => {})
    const asked = client.get('/v1/tickers', {}, { signal: AbortSignal.timeout(50) })
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('a request for more than the answer', () => {
  test('brings what the headers say', async () => {
    const headers = {
      'x-data-age': '12.4',
      'x-data-stale': 'true',
      'x-data-quality': '87',
      'x-data-source': 'cboe',
      'x-replay-as-of': '2026-07-29T11:00:00',
      'x-replay-fidelity': 'imported',
      'x-flow-partial': 'session=0.031, since=2026-07-29T15:58:00.000Z',
      'x-ratelimit-remaining': '41'
    }
    const { client, requests } = await clientOf(json(200, { symbol: 'SPY' }, headers))
    expect(await client.ask('/v1/exposure/gex/{symbol}', { symbol: 'SPY' })).toEqual({
      answer: { symbol: 'SPY' },
      age: 12.4,
      isStale: true,
      quality: 87,
      source: 'cboe',
      replayAsOf: '2026-07-29T11:00:00',
      isImported: true,
      part: { share: 0.031, since: '2026-07-29T15:58:00.000Z' },
      remaining: 41
    })
    expect(requests).toEqual([{ line: 'GET /v1/exposure/gex/SPY', key: 'the key', body: '' }])
  })

  test('leaves open what they do not say, and knows no limit where there is none', async () => {
    const { client } = await clientOf(json(200, {}, { 'x-data-age': 'soon', 'x-ratelimit-remaining': 'unlimited' }))
    expect(await client.ask('/v1/tickers')).toEqual({
      answer: {},
      age: undefined,
      isStale: false,
      quality: undefined,
      source: undefined,
      replayAsOf: undefined,
      isImported: false,
      part: undefined,
      remaining: Number.POSITIVE_INFINITY
    })
    const bare = await clientOf(json(200, {}))
    expect(await bare.client.ask('/v1/tickers')).toMatchObject({ age: undefined, remaining: undefined })
  })

  test('goes to the replay host, is sent again, and is refused as any other', async () => {
    const replay = await clientOf(json(404, { error: 'no_data', message: 'm' }), {})
    const client = createClient({ url: 'http://127.0.0.1:1', replayUrl: replay.url })
    const asked = client.ask('/v1/exposure/levels/{symbol}', { symbol: 'SPY' }, { at: '2026-07-29' })
    await expect(asked).rejects.toMatchObject({ code: 'no_data', status: 404 })
    expect(replay.requests[0].line).toBe('GET /v1/exposure/levels/SPY?at=2026-07-29')
  })
})

describe('a refusal', () => {
  test.each([
    [
      400,
      { status: 'ERROR', error: 'invalid_min_oi', message: 'min_oi must be…', parameter: 'min_oi' },
      'invalid_min_oi'
    ],
    [401, { title: 'Unauthorized', status: 401, detail: 'a valid API key is needed' }, 'unauthorized'],
    [403, { status: 'ERROR', error: 'tier_restricted', message: 'm', required_plan: 'Alpha' }, 'tier_restricted'],
    [429, { status: 'ERROR', error: 'Quota exceeded', message: 'm', upgrade_to: 'Basic' }, 'quota_exceeded'],
    [503, { status: 'coming_soon', error: 'coming_soon', message: 'm' }, 'coming_soon'],
    [502, '<html>', 'unreadable']
  ])('of status %i becomes a RequestError', async (status, body, code) => {
    const { client, requests } = await clientOf(json(status, body))
    const error = await client.get('/v1/tickers').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(RequestError)
    expect(error).toMatchObject({ status, code })
    expect(requests).toHaveLength(1)
  })

  test('keeps its message and its further fields', async () => {
    const body = { status: 'ERROR', error: 'tier_restricted', message: 'a sentence', current_plan: 'Free' }
    const { client } = await clientOf(json(403, body))
    const asked = client.get('/v1/tickers')
    await expect(asked).rejects.toMatchObject({ message: 'a sentence', detail: { current_plan: 'Free' } })
  })

  test('for the moment is asked again when the service says, as often as agreed', async () => {
    let refusals = 2
    const busy = json(503, { error: 'overloaded', message: 'm' }, { 'retry-after': '0' })
    const { client, requests } = await clientOf((...pair) => (refusals-- > 0 ? busy : json(200, { ok: 1 }))(...pair))
    expect(await client.get('/v1/tickers')).toEqual({ ok: 1 })
    expect(requests).toHaveLength(3)
    refusals = 9
    await expect(client.get('/v1/tickers')).rejects.toMatchObject({ code: 'overloaded', retryAfter: 0 })
    expect(requests).toHaveLength(6)
  })

  test('that lasts longer than anybody waits is passed on at once', async () => {
    const { client, requests } = await clientOf(
      json(429, { status: 'ERROR', error: 'Quota exceeded', message: 'm' }, { 'retry-after': '3600' })
    )
    await expect(client.get('/v1/tickers')).rejects.toMatchObject({ status: 429, retryAfter: 3_600_000 })
    expect(requests).toHaveLength(1)
  })

  test('is no answer at all where nothing listens', async () => {
    const { client, server } = await clientOf(json(200, {}))
    server.close().closeAllConnections()
    await expect(client.get('/v1/tickers')).rejects.toMatchObject({ code: 'unreachable', status: 0 })
  })
})

test('the compiler knows paths, parameters and answers', () => {
  const { ask, get, post } = createClient({ fetch: async () => new Response('{}') })
  expectTypeOf(get('/v1/tickers')).resolves.toHaveProperty('tickers').toEqualTypeOf<readonly string[]>()
  const gex = get('/v1/exposure/gex/{symbol}', { symbol: 'SPY', min_oi: 5 }, { at: '2026-07-29' })
  expectTypeOf(gex).resolves.toHaveProperty('gamma_flip').toEqualTypeOf<number | null>()
  expectTypeOf(gex).resolves.toHaveProperty('net_gex_label').toEqualTypeOf<'positive' | 'negative' | 'neutral'>()
  const asked = ask('/v1/exposure/gex/{symbol}', { symbol: 'SPY' })
  expectTypeOf(asked).resolves.toHaveProperty('answer').toHaveProperty('gamma_flip').toEqualTypeOf<number | null>()
  // @ts-expect-error the symbol is missing
  void ask('/v1/exposure/gex/{symbol}')
  // @ts-expect-error no such path
  void get('/v1/exposure/gax/{symbol}', { symbol: 'SPY' })
  // @ts-expect-error the symbol is missing
  void get('/v1/exposure/gex/{symbol}')
  // @ts-expect-error no such parameter
  void get('/v1/exposure/gex/{symbol}', { symbol: 'SPY', minimum: 5 })
  // @ts-expect-error an account has no past
  void get('/v1/account', {}, { at: '2026-07-29' })
  // @ts-expect-error a leg needs its strike
  void post('/v1/structures/pnl', { legs: [{ premium: 1 }] })
})

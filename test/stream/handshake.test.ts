import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Frame, faultOf } from './frames.ts'
import { connectTo, type Running, refusalOf, running } from './running.ts'

let service: Running
beforeAll(async () => {
  service = await running()
})
afterAll(() => service.close())

const get = (address: string, key?: string, init: RequestInit = {}) =>
  fetch(address, { ...init, headers: { ...(key !== undefined && { 'x-api-key': key }), ...init.headers } })

describe('a handshake', () => {
  test('without a key, with a wrong one or with one in the address is 401 and no upgrade', async () => {
    const { key } = await service.newKey()
    const refusals = [
      await refusalOf(service.streamAddress),
      await refusalOf(service.streamAddress, { 'x-api-key': 'gw_live_nonsense' }),
      await refusalOf(service.streamAddress, {}, `/ws?apiKey=${key}`),
      await refusalOf(service.streamAddress, { 'x-api-key': key }, `/ws?apikey=${key}`),
      await refusalOf(service.streamAddress, { 'x-api-key': key }, '/ws?ticket=t_wrong')
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(401)
      expect(body).toEqual({ title: 'Unauthorized', status: 401, detail: expect.any(String) })
    }
  })

  test('without a bundle is 403 and says what is needed, whatever the plan', async () => {
    const { key } = await service.newKey({ blocks: 0, plan: 'alpha' })
    const { status, body } = await refusalOf(service.streamAddress, { 'x-api-key': key })
    expect(status).toBe(403)
    expect(body).toEqual({
      status: 'ERROR',
      error: 'tier_restricted',
      message: expect.any(String),
      current_plan: 'Alpha',
      required_plan: 'Streaming'
    })
  })

  test('that is none is 426', async () => {
    const response = await get(`${service.streamAddress}/ws`)
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect(await response.json()).toMatchObject({ error: 'upgrade_required', message: expect.any(String) })
  })

  test('that the protocol does not allow is 400 in our own words, and counted', async () => {
    const { key } = await service.newKey()
    const wrong = [{ 'sec-websocket-key': 'c2hvcnQ=' }, { 'sec-websocket-version': '12' }]
    for (const headers of wrong) {
      const before = service.handshakes.length
      const refused = await refusalOf(service.streamAddress, { 'x-api-key': key, ...headers })
      expect([refused.status, refused.headers['sec-websocket-version']]).toEqual([400, '13, 8'])
      expect(refused.headers['content-type']).toMatch('application/json')
      const [name] = Object.keys(headers)
      const message = expect.stringMatching(new RegExp(name, 'i'))
      expect(refused.body).toEqual({ status: 'ERROR', error: 'bad_address', message })
      expect(service.handshakes.slice(before).map(({ status }) => status)).toEqual([400])
    }
  })

  test('beyond five open connections, or ten in ten seconds, is 429', async () => {
    const { key, user } = await service.newKey()
    const { key: second } = await service.accounts.keys.create(user, 'second', 'test')
    const clients = [await service.connect(key), await service.connect(key), await service.connect(second)]
    clients.push(await service.connect(second), await service.connect(key))
    const sixth = await refusalOf(service.streamAddress, { 'x-api-key': second })
    expect([sixth.status, sixth.body['error']]).toEqual([429, 'connection_limit'])
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0)
    clients[0].socket.close()
    await clients[0].closed
    const codes: number[] = []
    for (let k = 0; k < 12; k++) codes.push((await refusalOf(service.streamAddress, { 'x-api-key': key })).status)
    expect(codes.slice(0, 7)).toContain(101)
    expect(codes.slice(-3)).toEqual([429, 429, 429])
  })

  test('names the connection, echoes the subprotocol and is silent until it is spoken to', async () => {
    const client = await service.connect((await service.newKey()).key, { protocols: ['exposure-stream.v1'] })
    expect(client.socket.protocol).toBe('exposure-stream.v1')
    const other = await service.connect((await service.newKey()).key)
    expect(other.socket.protocol).toBe('')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(client.frames).toEqual([])
    const status = await client.ask({ action: 'status' })
    expect(client.headers['x-connection-id']).toBe(status['connection_id'])
    expect(other.headers['x-connection-id']).not.toBe(status['connection_id'])
  })

  test('while nothing is held yet is 503', async () => {
    service.ready.is = false
    const { status, body, headers } = await refusalOf(service.streamAddress, {
      'x-api-key': (await service.newKey()).key
    })
    service.ready.is = true
    expect([status, body['error']]).toEqual([503, 'draining'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  test('elsewhere than at /ws is 404', async () => {
    const { status } = await refusalOf(service.streamAddress, { 'x-api-key': (await service.newKey()).key }, '/other')
    expect(status).toBe(404)
  })

  test('with compression gets frames over 1 KiB compressed and whole', async () => {
    const client = await service.connect((await service.newKey()).key, { deflate: true })
    expect(client.headers['sec-websocket-extensions']).toMatch(/permessage-deflate.*server_no_context_takeover/)
    const metric = 'exposure.gex.strikes'
    await client.ask({ action: 'subscribe', symbol: 'SPY', metric })
    await client.ask({ action: 'subscribe', symbol: 'SPY', metric: 'exposure.gex.net_gex', cadence_ms: 0 })
    const rows = await client.next(({ value }) => Array.isArray(value))
    expect((rows['value'] as readonly Frame[]).length).toBeGreaterThan(5)
    const catalog = await client.ask({ action: 'catalog' })
    expect((catalog['metrics'] as readonly Frame[]).length).toBe(500)
  })
})

describe('a ticket', () => {
  test('opens one connection without a header', async () => {
    for (const address of [service.rest, service.streamAddress]) {
      const { key } = await service.newKey()
      const response = await get(`${address}/v1/stream/ticket`, key, { method: 'POST' })
      const body = (await response.json()) as { readonly ticket: string; readonly expires_at: string }
      expect([response.status, faultOf('ticket_document', body)]).toEqual([200, undefined])
      expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 60_000)).toBeLessThan(5000)
      const client = await connectTo(service.streamAddress, {}, { path: `/ws?ticket=${body.ticket}` })
      expect(await client.ask({ action: 'ping' })).toMatchObject({ type: 'pong' })
      client.socket.close()
      expect((await refusalOf(service.streamAddress, {}, `/ws?ticket=${body.ticket}`)).status).toBe(401)
    }
  })

  test('is given for a key in the header that has a bundle, and for nothing else', async () => {
    const { key } = await service.newKey()
    const ask = (query: string, header?: string) =>
      get(`${service.rest}/v1/stream/ticket${query}`, header, { method: 'POST' })
    expect((await ask('')).status).toBe(401)
    expect((await ask(`?apiKey=${key}`)).status).toBe(401)
    const without = await ask('', (await service.newKey({ blocks: 0 })).key)
    expect([without.status, await without.json()]).toEqual([
      403,
      expect.objectContaining({ required_plan: 'Streaming' })
    ])
  })
})

describe('the catalog over HTTP', () => {
  test('has the rows of the socket, for any valid key, with an ETag, and is not counted', async () => {
    const { key } = await service.newKey({ blocks: 0 })
    const client = await service.connect((await service.newKey()).key)
    for (const address of [service.rest, service.streamAddress]) {
      const response = await get(`${address}/v1/stream/catalog?prefix=exposure.gex&value_type=number`, key)
      const body = (await response.json()) as Frame
      expect([response.status, faultOf('catalog_document', body)]).toEqual([200, undefined])
      const frame = await client.ask({ action: 'catalog', prefix: 'exposure.gex', value_type: 'number' })
      expect(body['metrics']).toEqual(frame['metrics'])
      expect(body['version']).toBe(frame['version'])
      const etag = response.headers.get('etag')!
      const again = await get(`${address}/v1/stream/catalog`, key, { headers: { 'if-none-match': etag } })
      expect(again.status).toBe(304)
    }
    const account = (await (await get(`${service.rest}/v1/account`, key)).json()) as Frame
    expect(account['usage_today']).toBe(1)
  })

  test('refuses strangers and wrong filters', async () => {
    const { key } = await service.newKey()
    expect((await get(`${service.rest}/v1/stream/catalog`)).status).toBe(401)
    expect((await get(`${service.rest}/v1/stream/catalog?apiKey=${key}`)).status).toBe(200)
    expect((await get(`${service.streamAddress}/v1/stream/catalog?apiKey=${key}`)).status).toBe(401)
    for (const query of ['page=0', 'page=x', 'value_type=date', `prefix=${'x'.repeat(300)}`]) {
      const response = await get(`${service.rest}/v1/stream/catalog?${query}`, key)
      expect([query, response.status]).toEqual([query, 400])
    }
  })
})

test('the stream is served on the port of REST too, as one with that of its own port', async () => {
  const { key } = await service.newKey()
  const onRest = await connectTo(service.rest, { 'x-api-key': key })
  const onItsOwn = await service.connect(key)
  const subscribe = { action: 'subscribe', symbol: 'SPY', metric: 'exposure.gex.net_gex' }
  for (const client of [onRest, onItsOwn]) expect(await client.ask(subscribe)).toMatchObject({ type: 'ack' })
  const [a, b] = [await onRest.ask({ action: 'status' }), await onItsOwn.ask({ action: 'status' })]
  expect(a['connection_id']).not.toBe(b['connection_id'])
  expect((await refusalOf(service.rest, { 'x-api-key': key }, `/ws?apiKey=${key}`)).status).toBe(401)
  expect((await get(`${service.rest}/ws`)).status).toBe(426)
  onRest.socket.close()
})

describe('the session of a browser', () => {
  const signedIn = async () => {
    const { keyId } = await service.newKey()
    const { token } = service.sessions.open(keyId)
    return { keyId, cookie: `gw_session=${token}` }
  }

  test('opens the stream at the origin of its page, and no other page does so with it', async () => {
    const { cookie } = await signedIn()
    const page = { cookie, origin: service.rest, 'sec-fetch-site': 'same-origin' }
    const client = await connectTo(service.rest, page)
    expect(await client.ask({ action: 'ping' })).toMatchObject({ type: 'pong' })
    client.socket.close()
    const foreign = [
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: service.streamAddress },
      { cookie, origin: 'null' },
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, host: 'evil.example', origin: 'http://evil.example' }
    ]
    for (const headers of foreign) {
      const { status, body } = await refusalOf(service.rest, headers)
      expect([status, body['detail']]).toEqual([401, expect.stringContaining('pages of this service alone')])
    }
    // The page of one port does not speak for another, though browsers send cookies to both.
    expect((await refusalOf(service.streamAddress, page)).status).toBe(401)
  })

  test('is given a ticket for another port, which stands for the session', async () => {
    const { cookie } = await signedIn()
    const ask = (headers: Record<string, string>) =>
      fetch(`${service.rest}/v1/stream/ticket`, { method: 'POST', headers: { cookie, ...headers } })
    expect((await ask({ origin: 'https://evil.example' })).status).toBe(401)
    const [first, second] = await Promise.all([ask({ origin: service.rest }), ask({})])
    const ticketOf = async (answer: Response) => ((await answer.json()) as { ticket: string }).ticket
    const client = await connectTo(service.streamAddress, {}, { path: `/ws?ticket=${await ticketOf(first)}` })
    expect(await client.ask({ action: 'ping' })).toMatchObject({ type: 'pong' })
    client.socket.close()
    await service.sessions.end({ cookie })
    const late = await refusalOf(service.streamAddress, {}, `/ws?ticket=${await ticketOf(second)}`)
    expect([late.status, late.body['detail']]).toEqual([401, 'the ticket is invalid, used or revoked'])
  })

  test('takes its streams with it when its key is revoked', async () => {
    const { keyId, cookie } = await signedIn()
    const client = await connectTo(service.rest, { cookie })
    await client.ask({ action: 'ping' })
    await service.accounts.keys.revoke(keyId, 'test')
    expect(await client.closed).toBe(4401)
    expect((await refusalOf(service.rest, { cookie })).status).toBe(401)
  })
})

test('the stream has no port beside that of REST when it is asked to', async () => {
  const shared = await running({ sharedPort: true })
  const { key } = await shared.newKey()
  const client = await shared.connect(key)
  const ack = await client.ask({ action: 'subscribe', symbol: 'SPY', metric: 'exposure.gex.net_gex' })
  expect(ack).toMatchObject({ type: 'ack' })
  expect((await get(`${shared.rest}/ws`)).status).toBe(426)
  expect((await get(`${shared.rest}/stockquote/SPY`, key)).status).toBe(403) // an ETF, and a free key
  await shared.close()
})

test('a request that offers another protocol, as many clients do by themselves, is answered in this one', async () => {
  const shared = await running({ sharedPort: true })
  const { key } = await shared.newKey({ plan: 'alpha' })
  const socket = connect(Number(new URL(shared.rest).port), '127.0.0.1')
  let answers = ''
  socket.on('data', (bytes) => (answers += bytes))
  const head = `host: x\r\nx-api-key: ${key}\r\n`
  const offer = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQ\r\n'
  const leg = { action: 'buy', type: 'call', strike: 600, premium: 4.2 }
  const body = JSON.stringify({ legs: [leg] })
  const about = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  socket.write(`POST /v1/structures/pnl HTTP/1.1\r\n${head}${offer}${about}\r\n${body.slice(0, 20)}`)
  await pause(50)
  socket.write(body.slice(20))
  await expect.poll(() => answers).toContain('max_loss')
  socket.write(`GET /v1/account HTTP/1.1\r\n${head}${offer}\r\n`)
  await expect.poll(() => answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  socket.destroy()
  await shared.close()
})

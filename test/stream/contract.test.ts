import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { catalogOf } from '../../src/stream/catalog/catalog.ts'
import { heapInUse } from '../support/garbage.ts'
import { wednesday } from '../support/scripted-source.ts'
import type { Frame } from './frames.ts'
import { type Running, running, type SocketClient } from './running.ts'

// The checks of the streaming contract, section 8, against a running service. Those of the handshake are in
// handshake.test.ts; what depends on long times is proven by the clock of a script, in the tests beside this one.

const gex = 'exposure.gex.net_gex'
let service: Running
beforeAll(async () => {
  service = await running()
})
afterAll(() => service.close())

const connect = async (blocks = 1) => service.connect((await service.newKey({ blocks })).key)
const updatesOf = ({ frames }: SocketClient, subId: unknown) =>
  frames.filter(({ type, sub_id }) => type === 'update' && sub_id === subId)
const isUpdate = (subId: unknown) => (frame: Frame) => frame['type'] === 'update' && frame['sub_id'] === subId

test('2: the first frame is the reply, the next of its id an update with whole seq and ts, and a value', async () => {
  const client = await connect()
  client.send({ action: 'subscribe', symbol: 'SPY', metric: gex, req_id: 41 })
  const first = await client.next(() => true, 0)
  expect(first).toMatchObject({ type: 'ack', req_id: 41, sub_id: expect.any(String) })
  const update = await client.next(isUpdate(first['sub_id']), 1)
  expect([update['seq'], update['ts']].every(Number.isInteger)).toBe(true)
  expect(update).toHaveProperty('value')
})

test('3: ts and value are those of the REST answer of that moment', async () => {
  const client = await connect()
  const { key } = await service.newKey({ plan: 'alpha' })
  const metric = 'exposure.summary.exposures.net_gex'
  const ack = await client.ask({ action: 'subscribe', symbol: 'SPY', metric, cadence_ms: 0 })
  const matched = new Set<number>()
  for (let k = 0; k < 200 && matched.size < 5; k++) {
    const response = await fetch(`${service.rest}/v1/exposure/summary/SPY`, { headers: { 'x-api-key': key } })
    const body = (await response.json()) as { readonly as_of: string; readonly exposures: Frame }
    await pause(120)
    const update = updatesOf(client, ack['sub_id']).find(({ ts }) => ts === Date.parse(body.as_of))
    if (update === undefined) continue
    expect(update['value']).toBe(body.exposures['net_gex'])
    matched.add(update['ts'] as number)
  }
  expect(matched.size).toBe(5)
})

test('4: a cadence out of range is refused, and a later subscribe works', async () => {
  const client = await connect()
  for (const cadence_ms of [1, 99, 60_001, -1, 100.5, 'x']) {
    const reply = await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms }, { valid: false })
    expect(reply['code']).toBe('invalid_cadence')
  }
  expect(await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex })).toMatchObject({ type: 'ack' })
})

test('7: subscription 501 of a block is refused, also where two connections share it', async () => {
  const { key } = await service.newKey()
  const [one, other] = [await service.connect(key), await service.connect(key)]
  const requests = (count: number, from: number) =>
    Array.from({ length: count }, (_, k) => {
      return { symbol: 'SPY', metric: gex, cadence_ms: 60_000, params: { min_oi: from + k } }
    })
  for (let k = 0; k < 3; k++) await one.ask({ action: 'subscribe_many', items: requests(100, 100 * k) })
  for (let k = 3; k < 5; k++) await other.ask({ action: 'subscribe_many', items: requests(100, 100 * k) })
  const more = { action: 'subscribe', symbol: 'SPY', metric: gex, params: { min_oi: 777 } }
  expect(await other.ask(more)).toMatchObject({ code: 'subscription_limit', limit: 500, used: 500 })
  const [first] = (await one.ask({ action: 'list' }))['subscriptions'] as readonly Frame[]
  await one.ask({ action: 'unsubscribe', sub_id: first['sub_id'] })
  expect(await other.ask(more)).toMatchObject({ type: 'ack' })
})

describe.concurrent('over several seconds', () => {
  test('5: in ten seconds at most eleven updates at 1000 ms, their seq growing', async () => {
    const client = await connect()
    const acks = [
      await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms: 1000 }),
      await client.ask({ action: 'subscribe', symbol: 'AAPL', metric: gex, cadence_ms: 100 })
    ]
    const from = Date.now()
    await pause(10_000)
    const received = () => acks.map((ack) => updatesOf(client, ack['sub_id']))
    const within = received().map(
      (frames) => frames.filter(({ arrived }) => arrived >= from - 500 && arrived < from + 9500).length
    )
    expect(within[0]).toBeLessThanOrEqual(11)
    expect(within[1]).toBeLessThanOrEqual(101)
    // A busy machine sends fewer, later ones.
    await vi.waitFor(() => expect(received()[0]!.length).toBeGreaterThan(2), 100_000)
    await vi.waitFor(() => expect(received()[1]!.length).toBeGreaterThan(received()[0]!.length), 100_000)
    for (const frames of received()) {
      const seqs = frames.map(({ seq }) => Number(seq))
      expect(seqs.every((seq, k) => k === 0 || seq > seqs[k - 1])).toBe(true)
    }
  })

  test('6: a reader that stops and comes back gets newer values, never older after newer ones', async () => {
    const client = await connect(5)
    const acks = await client.ask({
      action: 'subscribe_many',
      items: ['AAPL', 'MSFT', 'KO', 'SPY'].flatMap((symbol) =>
        ['exposure.sheet.strikes', 'volatility.current.put_call_profile', 'exposure.gex.strikes'].map((metric) => ({
          symbol,
          metric,
          cadence_ms: 1000
        }))
      )
    })
    const ids = (acks['results'] as readonly Frame[]).map(({ sub_id }) => sub_id)
    const quick = await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms: 0 })
    const memory = async () => (await heapInUse()) + process.memoryUsage().external
    const before = await memory()
    client.socket.pause()
    await pause(10_000)
    expect((await memory()) - before).toBeLessThan(80e6)
    client.socket.resume()
    const all = [...ids, quick['sub_id']]
    for (let k = 0; k < 60 && all.some((id) => updatesOf(client, id).length < 2); k++) await pause(250)
    for (const id of all) {
      const frames = updatesOf(client, id)
      const seqs = frames.map(({ seq }) => Number(seq))
      expect(seqs.length).toBeGreaterThan(1)
      expect(seqs.every((seq, k) => k === 0 || seq > seqs[k - 1])).toBe(true)
    }
  })

  test('8: after the reply to unsubscribe there is no frame of that id', async () => {
    const client = await connect()
    const ack = await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms: 100 })
    await client.next(isUpdate(ack['sub_id']))
    await client.ask({ action: 'unsubscribe', sub_id: ack['sub_id'] })
    const { length } = client.frames
    await pause(3000)
    expect(client.frames.slice(length).filter(({ sub_id }) => sub_id === ack['sub_id'])).toEqual([])
  })
})

test('9: garbage, binary, an unknown action and 70 KiB are told apart, and the socket stays', async () => {
  const client = await connect()
  const sent: readonly (readonly [string | Buffer, string])[] = [
    ['garbage', 'bad_json'],
    [Buffer.from([1, 2, 3]), 'unsupported_frame'],
    ['{"action":"dance"}', 'unknown_action'],
    [JSON.stringify({ action: 'ping', padding: 'x'.repeat(70 * 1024) }), 'frame_too_large']
  ]
  for (const [frame, code] of sent) {
    const reply = client.next(({ type }) => type === 'error')
    client.socket.send(frame)
    expect((await reply)['code']).toBe(code)
  }
  expect(await client.ask({ action: 'ping' })).toMatchObject({ type: 'pong' })
  client.socket.send('x'.repeat(1024 * 1024 + 1))
  expect(await client.closed).toBe(1009)
})

describe('10: every metric of the catalog', () => {
  const catalog = catalogOf(endpoints)
  const rows = catalog.rows.filter(({ id }) => !id.includes('[*]'))

  const keys = { alpha: '', growth: '' }
  let client: SocketClient
  beforeAll(async () => {
    client = await connect(20)
    keys.alpha = (await service.newKey({ plan: 'alpha' })).key
    keys.growth = (await service.newKey({ plan: 'growth' })).key
    // The market stands, so that both ways tell of one moment.
    service.source.latest = () => wednesday
    service.stand(true)
  })
  afterAll(() => {
    service.source.latest = (now) => now
    service.stand(false)
  })

  test.each(
    endpoints.filter(({ stream }) => stream).map((endpoint) => [endpoint.id, endpoint] as const)
  )('of %s can be subscribed to, and has the value of the REST answer', async (_, endpoint) => {
    const prefix = endpoint.id
    const { parameters, needsAllParameters, symbolParameter, momentField } = catalog.operation(prefix)!
    const exampleOf = (name: string) => endpoint.params[name].example
    const needed = needsAllParameters ? parameters : []
    const params = Object.fromEntries(needed.map((name) => [name, exampleOf(name)]))
    const symbol = symbolParameter === undefined ? '_MARKET' : exampleOf(symbolParameter)
    const url = new URL(endpoint.path.replace(/\{\w+\}/, symbol), service.rest)
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, `${value}`)
    // The stream serves no entitlements, so it has no smoothed volatility.
    const key = endpoint.varies.length > 0 ? keys.growth : keys.alpha
    const body = (await (await fetch(url, { headers: { 'x-api-key': key } })).json()) as Record<string, unknown>
    const asOf = momentField === undefined ? undefined : body[momentField]
    const moment = asOf === undefined ? undefined : Date.parse(String(asOf))
    const metrics = rows.filter(({ id }) => id.startsWith(`${prefix}.`))
    expect(metrics.length).toBeGreaterThan(2)
    for (let k = 0; k < metrics.length; k += 100) {
      const asked = metrics.slice(k, k + 100)
      const items = asked.map(({ id }) => ({ symbol, metric: id, params }))
      const from = client.frames.length
      const { results } = (await client.ask({ action: 'subscribe_many', items })) as { results: readonly Frame[] }
      for (const [at, result] of results.entries()) {
        expect(result).toMatchObject({ metric: asked[at].id, replaced: false, cost: asked[at].cost })
        if (body['error'] !== undefined) continue
        // The market stands still, so the stream reaches the moment of the REST answer, if it has not yet.
        const mine = isUpdate(result['sub_id'])
        const update = await client.next((frame) => mine(frame) && [undefined, frame['ts']].includes(moment), from)
        const names = asked[at].id.slice(prefix.length + 1).split('.')
        const answered = names.reduce<unknown>((node, name) => (node as Frame | undefined)?.[name], body) ?? null
        expect([asked[at].id, update['value']]).toEqual([asked[at].id, answered])
        const { value } = update
        const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
        expect([asked[at].id, [asked[at].value_type, 'null']]).toEqual([asked[at].id, expect.arrayContaining([type])])
      }
    }
    await client.ask({ action: 'unsubscribe', all: true })
  })
})

test('11: a dropped connection comes back with the same ids, one value each', async () => {
  const { key } = await service.newKey()
  const client = await service.connect(key)
  const ids: unknown[] = []
  let token: unknown
  for (const symbol of ['SPY', 'AAPL', 'KO']) {
    const ack = await client.ask({ action: 'subscribe', symbol, metric: gex, cadence_ms: 60_000 })
    ids.push(ack['sub_id'])
    token = ack['resume_token']
  }
  client.socket.terminate()
  await pause(300)
  const back = await service.connect(key)
  const ack = await back.ask({ action: 'resume', token })
  expect((ack['subscriptions'] as readonly Frame[]).map(({ sub_id }) => sub_id)).toEqual(ids)
  for (const id of ids) await back.next(isUpdate(id), 1)
  for (const id of ids) expect(updatesOf(back, id)).toEqual([expect.objectContaining({ snapshot: true })])
  expect(await back.ask({ action: 'resume', token: 'r_unknown' })).toMatchObject({ type: 'error' })
})

test('12: on two connections an equal seq means an equal value and moment', async () => {
  const clients = [await connect(), await connect()]
  for (const [k, client] of clients.entries()) {
    await client.ask({ action: 'subscribe', symbol: 'MSFT', metric: gex, cadence_ms: k === 0 ? 0 : 250 })
  }
  const sharedUpdates = () => {
    const known = new Map<unknown, unknown>()
    let shared = 0
    for (const { frames } of clients) {
      for (const { type, seq, value, ts } of frames) {
        if (type !== 'update') continue
        if (known.has(seq)) {
          expect(known.get(seq)).toEqual([value, ts])
          shared++
        }
        known.set(seq, [value, ts])
      }
    }
    return shared
  }
  await expect.poll(sharedUpdates, { timeout: 60_000, interval: 200 }).toBeGreaterThan(5)
  expect(service.errors).toEqual([])
})

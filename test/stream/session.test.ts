import { describe, expect, test } from 'vitest'
import type { Frame } from './frames.ts'
import { bundle, netGex, scriptedServer, settle } from './scripted-server.ts'

const subscribe = (more: Frame = {}) => ({ action: 'subscribe', symbol: 'SPY', metric: netGex, ...more })
const many = (count: number, from = 0) => ({
  action: 'subscribe_many',
  items: Array.from({ length: count }, (_, k) => ({
    symbol: 'SPY',
    metric: netGex,
    params: { min_oi: from + k },
    snapshot: false
  }))
})

function ready() {
  const scripted = scriptedServer()
  scripted.publish('SPY', { net_gex: 1, strikes: [{ strike: 100, net_gex: 7 }] })
  return scripted
}

describe('what is refused', () => {
  const cases: readonly (readonly [object, string])[] = [
    ...[1, 99, 60_001, -1, 100.5, 'x', null, true].map((cadence_ms) => [{ cadence_ms }, 'invalid_cadence'] as const),
    [{ metric: 'exposure.gex.foo' }, 'unknown_metric'],
    [{ metric: 'nothing' }, 'unknown_metric'],
    [{ metric: 'exposure.gex.strikes.net_gex' }, 'invalid_selector'],
    [{ metric: 'exposure.gex.strikes[front].net_gex' }, 'invalid_selector'],
    [{ metric: 'exposure.gex.strikes[333].net_gex' }, 'invalid_selector'],
    [{ metric: 'exposure.gex.strikes' }, 'ok'],
    [{ metric: 'exposure.gex.strikes', cadence_ms: 0 }, 'invalid_cadence'],
    [{ metric: 'exposure.gex.strikes', cadence_ms: 999 }, 'invalid_cadence'],
    [{ symbol: '_MARKET' }, 'symbol_not_found'],
    [{ symbol: 'NOT A TICKER' }, 'symbol_not_found'],
    [{ symbol: 5 }, 'invalid_frame'],
    [{ symbol: undefined }, 'missing_field'],
    [{ metric: undefined }, 'missing_field'],
    [{ params: { nonsense: 1 } }, 'invalid_params'],
    [{ params: { min_oi: -1 } }, 'invalid_params'],
    [{ params: { min_oi: 'many' } }, 'invalid_params'],
    [{ params: { min_oi: [1] } }, 'invalid_params'],
    [{ params: 'min_oi=1' }, 'invalid_params'],
    [{ snapshot: 'yes' }, 'invalid_frame'],
    [{ req_id: 1.5 }, 'invalid_frame'],
    [{ params: { min_oi: '\ud800' } }, 'invalid_params'],
    [{ action: 'listen' }, 'unknown_action'],
    [{ action: 7 }, 'invalid_frame'],
    [{ action: undefined }, 'missing_field'],
    [{ action: 'toString' }, 'unknown_action']
  ]
  test.each(cases)('%j is answered with %s, and the next command works', async (change, code) => {
    const client = ready().connect()
    const [reply] = await client.ask(subscribe(change as Frame), { valid: false })
    expect(reply['type'] === 'ack' ? 'ok' : reply['code']).toBe(code)
    const [pong] = await client.ask({ action: 'ping', req_id: 'p' })
    expect(pong).toMatchObject({ type: 'pong', req_id: 'p' })
  })

  test('what is not JSON, not an object, binary or too long is told apart', () => {
    const { wire, session } = ready().connect()
    for (const text of ['{', '', 'null', '[]', '5', '"x"']) session.receive(text, text.length)
    session.receive(undefined, 10)
    session.receive('x'.repeat(70_000), 70_000)
    return settle().then(() => {
      expect(wire.frames.map(({ code }) => code)).toEqual([
        'bad_json',
        'bad_json',
        'invalid_frame',
        'invalid_frame',
        'invalid_frame',
        'invalid_frame',
        'unsupported_frame',
        'frame_too_large'
      ])
      expect(wire.closed).toBeUndefined()
    })
  })

  test('an error repeats what it can of the command', async () => {
    const client = ready().connect()
    const [error] = await client.ask(subscribe({ req_id: 7, metric: 'exposure.gex.foo' }))
    expect(error).toMatchObject({
      type: 'error',
      code: 'unknown_metric',
      req_id: 7,
      action: 'subscribe',
      symbol: 'SPY',
      metric: 'exposure.gex.foo'
    })
  })
})

describe('subscriptions', () => {
  test('the same metric again keeps its id, takes the new settings and is charged once', async () => {
    const { connect, publish, pass } = ready()
    const client = connect()
    await client.ask(subscribe({ cadence_ms: 60_000 }))
    const [ack, snapshot] = await client.ask(subscribe({ symbol: 'spy', cadence_ms: 100, echo: true }))
    expect(ack).toMatchObject({ sub_id: 's_01', replaced: true, cadence_ms: 100 })
    expect(snapshot).toMatchObject({ sub_id: 's_01', symbol: 'SPY', snapshot: true })
    publish('SPY', { net_gex: 2 })
    await pass(200)
    expect(client.wire.taken()).toHaveLength(1)
    const [status] = await client.ask({ action: 'status' })
    expect(status['used']).toEqual({ subscriptions: 1, connections: 1 })
    const [other] = await client.ask(subscribe({ params: { min_oi: 5 } }))
    expect(other).toMatchObject({ sub_id: 's_02', replaced: false, params: { min_oi: 5 } })
  })

  test('items succeed or fail one by one, and their values follow the reply', async () => {
    const client = ready().connect()
    const items = [
      { symbol: 'SPY', metric: netGex },
      { symbol: 'SPY', metric: 'exposure.gex.foo' },
      { symbol: 'SPY' },
      { symbol: 'SPY', metric: 'exposure.gex.strikes[atm].net_gex', cadence_ms: 7 },
      { symbol: 'SPY', metric: 'exposure.gex.strikes[atm].net_gex' },
      { symbol: 'SPY', metric: netGex, echo: true }
    ]
    const [ack, ...values] = await client.ask({ action: 'subscribe_many', items, req_id: 'm' }, { valid: false })
    const results = ack['results'] as readonly { readonly error?: { readonly code: string } }[]
    expect(results.map(({ error }) => error?.code)).toEqual([
      undefined,
      'unknown_metric',
      'missing_field',
      'invalid_cadence',
      undefined,
      undefined
    ])
    expect(results[4]).toMatchObject({ index: 4, sub_id: 's_02', metric: 'exposure.gex.strikes[atm].net_gex' })
    expect(results[5]).toMatchObject({ index: 5, sub_id: 's_01', replaced: true })
    expect(values.map(({ sub_id, value, key }) => [sub_id, value, key])).toEqual([
      ['s_01', 1, undefined],
      ['s_02', 7, 100]
    ])
  })

  test.each([
    [[]],
    [Array.from({ length: 101 }, () => ({ symbol: 'SPY', metric: netGex }))],
    ['SPY']
  ])('items that are none, too many or no list are refused', async (items) => {
    const [reply] = await ready().connect().ask({ action: 'subscribe_many', items }, { valid: false })
    expect(reply['code']).toBe('invalid_frame')
  })

  test('end by id, by name, or all of them, and nothing is sent for them after the reply', async () => {
    const { connect, publish, pass } = ready()
    const client = connect()
    await client.ask(many(5))
    await client.ask(subscribe({ params: { min_oi: 90 } }))
    publish('SPY', { net_gex: 2 })
    await pass(60)
    const [byId] = await client.ask({ action: 'unsubscribe', sub_id: 's_02' })
    expect(byId['removed']).toEqual(['s_02'])
    const byName = { action: 'unsubscribe', symbol: 'spy', metric: netGex, params: { min_oi: 90 } }
    expect((await client.ask(byName))[0]['removed']).toEqual(['s_06'])
    expect((await client.ask(byName))[0]['code']).toBe('unknown_subscription')
    expect((await client.ask({ action: 'unsubscribe', sub_id: 's_02' }))[0]['code']).toBe('unknown_subscription')
    await pass(1500)
    const sent = new Set(client.wire.taken().map(({ sub_id }) => sub_id))
    expect(sent.has('s_01')).toBe(true)
    expect([sent.has('s_02'), sent.has('s_06')]).toEqual([false, false])
    expect((await client.ask({ action: 'unsubscribe', all: true }))[0]['removed']).toHaveLength(4)
    expect((await client.ask({ action: 'unsubscribe', all: true }))[0]['removed']).toEqual([])
    for (const wrong of [{}, { sub_id: 's_01', all: true }, { all: false }, { symbol: 'SPY' }]) {
      const [{ code }] = await client.ask({ action: 'unsubscribe', ...wrong }, { valid: false })
      expect(['missing_field', 'invalid_frame']).toContain(code)
    }
    publish('SPY', { net_gex: 3 })
    await client.ask({ action: 'configure', heartbeat_ms: 0 })
    await pass(3000)
    expect(client.wire.taken()).toEqual([])
  })

  test('are listed in pages of 500 in the order they were made', async () => {
    const client = ready().connect(bundle('b1', 2))
    for (let k = 0; k < 6; k++) await client.ask(many(100, 100 * k))
    const [first] = await client.ask({ action: 'list', req_id: 1 })
    const [second] = await client.ask({ action: 'list', page: 2 })
    const [third] = await client.ask({ action: 'list', page: 3 })
    expect([first, second, third].map(({ count, page, pages }) => [count, page, pages])).toEqual([
      [600, 1, 2],
      [600, 2, 2],
      [600, 3, 2]
    ])
    const rows = [first, second, third].map(({ subscriptions }) => subscriptions as readonly Frame[])
    expect(rows.map(({ length }) => length)).toEqual([500, 100, 0])
    expect(rows.flat().map(({ params }) => (params as { min_oi: number }).min_oi)).toEqual(
      Array.from({ length: 600 }, (_, k) => k)
    )
    expect(rows[0][0]).toMatchObject({ sub_id: 's_01', state: 'active', cost: 1, last_seq: null })
  })
})

describe('limits', () => {
  test('subscription 501 of a block is refused on any connection of the bundle, until one is freed', async () => {
    const { connect } = ready()
    const [one, other, stranger] = [connect(), connect(), connect(bundle('b2'))]
    for (let k = 0; k < 4; k++) await one.ask(many(100, 100 * k))
    await other.ask(many(100))
    const [refused] = await other.ask(subscribe({ params: { min_oi: 500 } }))
    expect(refused).toMatchObject({ code: 'subscription_limit', limit: 500, used: 500 })
    expect((await stranger.ask(subscribe()))[0]['type']).toBe('ack')
    await one.ask({ action: 'unsubscribe', sub_id: 's_01' })
    expect((await other.ask(subscribe({ params: { min_oi: 500 } })))[0]['type']).toBe('ack')
    const [again] = await one.ask(subscribe({ params: { min_oi: 1 } }))
    expect(again).toMatchObject({ replaced: true })
  })

  test('an object or an array counts for ten', async () => {
    const { connect } = ready()
    const client = connect()
    const [ack, update] = await client.ask(subscribe({ metric: 'exposure.gex.strikes' }))
    expect(ack).toMatchObject({ cost: 10 })
    expect(update['value']).toEqual([{ strike: 100, net_gex: 7 }])
    const [status] = await client.ask({ action: 'status', req_id: 3 })
    expect(status).toMatchObject({ req_id: 3, used: { subscriptions: 10, connections: 1 } })
  })

  test('set 9 of expirations is refused on a connection, however the first 8 are written', async () => {
    const { connect, server } = ready()
    const [client, other] = [connect(), connect()]
    const of = (params: Frame) => subscribe({ params })
    for (let days = 1; days <= 8; days++) {
      expect((await client.ask(of({ dte_max: days })))[0]['type']).toBe('ack')
    }
    expect((await client.ask(of({ dte_max: 8, min_oi: 1 })))[0]['type']).toBe('ack')
    expect((await client.ask(of({ min_oi: 2 })))[0]['type']).toBe('ack')
    const [refused] = await client.ask(of({ dte_max: 9 }))
    expect(refused).toMatchObject({ code: 'subscription_limit', limit: 8, used: 8 })
    expect((await other.ask(of({ dte_max: 9 })))[0]['type']).toBe('ack')

    const feeds = server.hub.feeds
    expect((await other.ask(of({ expirations: '2026-08-21,2026-07-31' })))[0]['type']).toBe('ack')
    expect(
      (await client.ask({ action: 'unsubscribe', symbol: 'SPY', metric: netGex, params: { dte_max: 1 } }))[0]
    ).toMatchObject({ type: 'ack' })
    expect((await client.ask(of({ expirations: '2026-07-31,2026-08-21,2026-07-31' })))[0]['type']).toBe('ack')
    expect(server.hub.feeds).toBe(feeds)
  })

  test('more blocks raise the limit of an open connection', async () => {
    const { connect, pass } = ready()
    const authorization = { isKeyValid: true, bundle: bundle() }
    const client = connect(bundle(), () => authorization)
    for (let k = 0; k < 5; k++) await client.ask(many(100, 100 * k))
    expect((await client.ask(subscribe({ params: { min_oi: 900 } })))[0]['code']).toBe('subscription_limit')
    authorization.bundle = bundle('b1', 2)
    await pass(1500)
    expect((await client.ask(subscribe({ params: { min_oi: 900 } })))[0]['type']).toBe('ack')
  })

  test('a bundle has room for five connections', () => {
    const { server, connect } = ready()
    const clients = Array.from({ length: 5 }, () => connect())
    expect(server.hasRoom(bundle())).toBe(false)
    clients[0].drop()
    expect(server.hasRoom(bundle())).toBe(true)
  })

  test('two hundred commands at once are carried out, then fifty a second; others are told to wait', async () => {
    const { connect, pass } = ready()
    const client = connect()
    for (let k = 0; k < 250; k++) client.send({ action: 'ping', req_id: k })
    await settle()
    const replies = client.wire.taken()
    expect(replies.map(({ req_id }) => req_id)).toEqual(Array.from({ length: 250 }, (_, k) => k))
    expect(replies.filter(({ type }) => type === 'pong')).toHaveLength(200)
    expect(replies[249]).toMatchObject({ code: 'rate_limited', retry_after_ms: 20 })
    await pass(1000)
    for (let k = 0; k < 60; k++) client.send({ action: 'ping' })
    await settle()
    expect(client.wire.taken().filter(({ type }) => type === 'pong')).toHaveLength(50)
  })

  test('a command that comes too fast is named in its refusal, however long it is', async () => {
    const client = ready().connect()
    for (let k = 0; k < 200; k++) client.send({ action: 'ping' })
    await settle()
    const [refusal] = await client.ask({ ...many(100), req_id: 'all' })
    expect(refusal).toMatchObject({ code: 'rate_limited', req_id: 'all', action: 'subscribe_many' })
  })

  test('a thousand rejected commands within a minute end the connection', async () => {
    const { connect } = ready()
    const client = connect()
    for (let k = 0; k < 999; k++) client.session.receive('nonsense', 8)
    await settle()
    expect(client.wire.closed).toBeUndefined()
    client.session.receive('nonsense', 8)
    await settle()
    expect(client.wire.closed?.[0]).toBe(4429)
    client.session.receive('nonsense', 8)
  })
})

test('the catalog comes in pages, filtered by prefix and type of value', async () => {
  const client = ready().connect()
  const [all] = await client.ask({ action: 'catalog', req_id: 'c' })
  const rows = all['metrics'] as readonly Frame[]
  expect(all).toMatchObject({ type: 'catalog', req_id: 'c', count: rows.length, page: 1, pages: 1 })
  expect(rows.map(({ id }) => id)).toContain('exposure.gex.strikes[*].net_gex')
  const [numbers] = await client.ask({ action: 'catalog', prefix: 'exposure.gex.str', value_type: 'number' })
  expect((numbers['metrics'] as readonly Frame[]).map(({ id }) => id)).toEqual([
    'exposure.gex.strikes[*].strike',
    'exposure.gex.strikes[*].net_gex'
  ])
})

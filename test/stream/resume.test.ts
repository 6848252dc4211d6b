import { expect, test } from 'vitest'
import type { Frame } from './frames.ts'
import { bundle, netGex, scriptedServer } from './scripted-server.ts'

const subscribe = (symbol: string, more: Frame = {}) => ({ action: 'subscribe', symbol, metric: netGex, ...more })

function ready() {
  const scripted = scriptedServer()
  for (const symbol of ['SPY', 'QQQ', 'IWM']) scripted.publish(symbol, { net_gex: 1 })
  return scripted
}

/** A client with three subscriptions, and its token. */
async function subscribed(scripted: ReturnType<typeof ready>) {
  const client = scripted.connect()
  await client.ask(subscribe('SPY', { cadence_ms: 250, on_change: true }))
  await client.ask(subscribe('QQQ', { echo: true }))
  const [ack] = await client.ask(subscribe('IWM'))
  await client.ask({ action: 'unsubscribe', sub_id: 's_03' })
  const [again] = await client.ask(subscribe('IWM'))
  expect([ack['sub_id'], again['sub_id']]).toEqual(['s_03', 's_04'])
  return { client, token: again['resume_token'] }
}

const settingsOf = (rows: unknown) =>
  (rows as readonly Frame[]).map(({ sub_id, symbol, cadence_ms, on_change }) => [sub_id, symbol, cadence_ms, on_change])

test('a lost connection comes back with the same ids and settings, and one value each', async () => {
  const scripted = ready()
  const { client, token } = await subscribed(scripted)
  client.drop()
  scripted.publish('SPY', { net_gex: 2 })
  await scripted.pass(60_000, 50)
  const back = scripted.connect()
  const [ack, ...values] = await back.ask({ action: 'resume', token, req_id: 'r' })
  expect(ack).toMatchObject({ type: 'ack', action: 'resume', req_id: 'r', epoch: '20260729test' })
  expect(ack['resume_token']).not.toBe(token)
  expect(settingsOf(ack['subscriptions'])).toEqual([
    ['s_01', 'SPY', 250, true],
    ['s_02', 'QQQ', 1000, false],
    ['s_04', 'IWM', 1000, false]
  ])
  expect(values.map(({ sub_id, value, snapshot }) => [sub_id, value, snapshot])).toEqual([
    ['s_01', 2, true],
    ['s_02', 1, true],
    ['s_04', 1, true]
  ])
  expect(values[1]).toMatchObject({ symbol: 'QQQ', metric: netGex })
  expect((await back.ask(subscribe('SPY', { params: { min_oi: 3 } })))[0]['sub_id']).toBe('s_05')
  const [used] = await back.ask({ action: 'status' })
  expect(used['used']).toEqual({ subscriptions: 4, connections: 1 })
})

test('a connection that is still open is replaced', async () => {
  const scripted = ready()
  const { client, token } = await subscribed(scripted)
  const back = scripted.connect()
  const [ack] = await back.ask({ action: 'resume', token })
  expect(ack['subscriptions']).toHaveLength(3)
  expect(client.wire.closed?.[0]).toBe(4410)
  client.drop(4410)
  const [status] = await back.ask({ action: 'status' })
  expect(status['used']).toEqual({ subscriptions: 3, connections: 1 })
  scripted.publish('SPY', { net_gex: 9 })
  await scripted.pass(1000)
  expect(back.wire.taken().map(({ value }) => value)).toContain(9)
})

test('after two minutes, with a wrong token, twice, or by another bundle there is nothing to resume', async () => {
  const scripted = ready()
  const first = await subscribed(scripted)
  first.client.drop()
  const stranger = scripted.connect(bundle('b2'))
  expect((await stranger.ask({ action: 'resume', token: first.token }))[0]['code']).toBe('resume_expired')
  const back = scripted.connect()
  expect((await back.ask({ action: 'resume', token: 'r_wrong' }))[0]['code']).toBe('resume_expired')
  expect((await back.ask({ action: 'resume', token: first.token }))[0]['type']).toBe('ack')
  const twice = scripted.connect()
  expect((await twice.ask({ action: 'resume', token: first.token }))[0]['code']).toBe('resume_expired')
  const second = await subscribed(scripted)
  second.client.drop()
  await scripted.pass(121_000, 500)
  const late = scripted.connect()
  expect((await late.ask({ action: 'resume', token: second.token }))[0]['code']).toBe('resume_expired')
})

test('resume comes before any subscription', async () => {
  const scripted = ready()
  const { client, token } = await subscribed(scripted)
  client.drop()
  const other = scripted.connect()
  await other.ask(subscribe('SPY'))
  expect((await other.ask({ action: 'resume', token }))[0]['code']).toBe('invalid_frame')
})

test.each([
  [1006, 3],
  [1001, 3],
  [1000, 0],
  [1005, 0]
])('a close with %i keeps %i places', async (code, places) => {
  const scripted = ready()
  const { client } = await subscribed(scripted)
  client.drop(code)
  const other = scripted.connect()
  const [status] = await other.ask({ action: 'status' })
  expect(status['used']).toEqual({ subscriptions: places, connections: 1 })
  for (let k = 0; k < 122; k++) {
    other.session.noteAlive()
    await scripted.pass(1000, 500)
  }
  expect((await other.ask({ action: 'status' }))[0]['used']).toEqual({ subscriptions: 0, connections: 1 })
})

test('lost places are given up when the same bundle needs them', async () => {
  const scripted = ready()
  const { client, token } = await subscribed(scripted)
  client.drop()
  const other = scripted.connect()
  for (let k = 0; k < 5; k++) {
    const items = Array.from({ length: 100 }, (_, i) => ({
      symbol: 'SPY',
      metric: netGex,
      params: { min_oi: 100 * k + i }
    }))
    const [ack] = await other.ask({ action: 'subscribe_many', items })
    expect((ack['results'] as readonly Frame[]).every(({ error }) => error === undefined)).toBe(true)
  }
  const back = scripted.connect()
  expect((await back.ask({ action: 'resume', token }))[0]['code']).toBe('resume_expired')
})

test('lost places are not given up for what would have no room even so', async () => {
  const scripted = ready()
  const { client, token } = await subscribed(scripted)
  const other = scripted.connect()
  for (let k = 0; k < 497; k += 71) {
    const items = Array.from({ length: 71 }, (_, i) => ({ symbol: 'SPY', metric: netGex, params: { min_oi: k + i } }))
    await other.ask({ action: 'subscribe_many', items })
  }
  client.drop()
  const [refusal] = await other.ask(subscribe('SPY', { metric: 'exposure.gex.strikes' }))
  expect(refusal).toMatchObject({ code: 'subscription_limit', limit: 500, used: 500 })
  const [ack] = await scripted.connect().ask({ action: 'resume', token })
  expect(ack['subscriptions']).toHaveLength(3)
})

test('nothing is asked for while its listener is away', async () => {
  const scripted = ready()
  const { client } = await subscribed(scripted)
  client.drop()
  expect(scripted.server.hub.feeds).toBe(0)
  expect([scripted.server.connections, scripted.server.subscriptions]).toEqual([0, 0])
})

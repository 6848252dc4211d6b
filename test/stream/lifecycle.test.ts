import { expect, test } from 'vitest'
import { apiError } from '../../src/api/error.ts'
import type { Authorization } from '../../src/stream/session/stream-server.ts'
import type { Frame } from './frames.ts'
import { bundle, netGex, scriptedServer, settle } from './scripted-server.ts'

const subscribe = (more: Frame = {}) => ({ action: 'subscribe', symbol: 'SPY', metric: netGex, ...more })
const ofType = (frames: readonly Frame[], type: string) => frames.filter((frame) => frame['type'] === type)

test('a heartbeat goes out when nothing else did, and none before the first subscription', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  await pass(30_000)
  expect(client.wire.taken()).toEqual([])
  await client.ask(subscribe())
  await pass(5500)
  expect(client.wire.taken()).toEqual([
    expect.objectContaining({ type: 'heartbeat', epoch: '20260729test', market_open: true, subscriptions: 1 })
  ])
  for (let k = 0; k < 10; k++) {
    publish('SPY', { net_gex: k })
    await pass(1000)
  }
  expect(ofType(client.wire.taken(), 'heartbeat')).toEqual([])
  const [configured] = await client.ask({ action: 'configure', heartbeat_ms: 0 })
  expect(configured['config']).toEqual({ heartbeat_ms: 0, batch: false })
  await pass(20_000)
  expect(client.wire.taken()).toEqual([])
})

test('a client that is not heard of for a minute is let go, one that answers pings is not', async () => {
  const { connect, pass } = scriptedServer()
  const [silent, answering] = [connect(), connect()]
  for (let k = 0; k < 7; k++) {
    await pass(10_000, 50)
    answering.session.noteAlive()
  }
  expect(silent.wire.pings).toBe(2)
  expect(silent.wire.closed?.[0]).toBe(4408)
  expect(answering.wire.closed).toBeUndefined()
})

const HOUR = 3_600_000
test.each([
  -HOUR,
  HOUR,
  -36 * 24 * HOUR,
  36 * 24 * HOUR
])('a wall clock that is set by %i ms delays no value, heartbeat or ping, and lets nobody go', async (by) => {
  const { publish, connect, pass, market, clock } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const [client, silent] = [connect(), connect()]
  await client.ask(subscribe({ cadence_ms: 500 }))
  await silent.ask(subscribe())
  await pass(1000)
  market.wallOff = by
  client.wire.taken()
  for (let k = 2; k < 6; k++) {
    publish('SPY', { net_gex: k })
    await pass(1000)
    expect(ofType(client.wire.taken(), 'update').at(-1)).toMatchObject({ value: k })
  }
  await pass(6000)
  const [beat] = ofType(client.wire.taken(), 'heartbeat')
  expect(Math.abs((beat['ts'] as number) - clock.at - by)).toBeLessThan(6000)
  client.session.noteAlive()
  await pass(40_000, 250)
  client.session.noteAlive()
  await pass(15_000, 250)
  expect([client.wire.closed, silent.wire.closed?.[0]]).toEqual([undefined, 4408])
  expect(client.wire.pings).toBeGreaterThan(2)
})

test('a revoked key and an ended bundle end the connection within seconds', async () => {
  const { connect, pass } = scriptedServer()
  const authorization = { isKeyValid: true, bundle: bundle() as ReturnType<typeof bundle> | undefined }
  const [revoked, ended] = [connect(bundle(), () => authorization), connect(bundle('b2'), () => ({ ...authorization }))]
  await pass(3000)
  expect([revoked.wire.closed, ended.wire.closed]).toEqual([undefined, undefined])
  authorization.bundle = undefined
  await pass(1500)
  expect([revoked.wire.closed?.[0], ended.wire.closed?.[0]]).toEqual([4403, 4403])
  const other = connect(bundle(), () => ({ isKeyValid: false, bundle: undefined }))
  await pass(1500)
  expect(other.wire.closed?.[0]).toBe(4401)
})

test('a change of accounts ends the connections that it concerns at once, with the reason', async () => {
  const { server, connect, pass } = scriptedServer()
  const valid = { isKeyValid: true, bundle: bundle() }
  let now: Authorization = valid
  const [revoked, other] = [connect(bundle(), () => now), connect(bundle(), () => valid)]
  await pass(3000)
  now = { isKeyValid: false, bundle: undefined }
  expect(revoked.wire.closed).toBeUndefined()
  server.accountsChanged()
  expect([revoked.wire.closed, other.wire.closed]).toEqual([[4401, 'key revoked'], undefined])
})

test('accounts that cannot be read for a moment end nobody and silence nobody', async () => {
  const { publish, connect, pass, errors } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const unreadable = connect(bundle('b2'), () => {
    throw new Error('the database is locked')
  })
  const other = connect()
  await other.ask(subscribe())
  await pass(6000)
  expect(ofType(other.wire.taken(), 'heartbeat')).toHaveLength(1)
  expect([unreadable.wire.closed, other.wire.closed]).toEqual([undefined, undefined])
  expect(errors.length).toBeGreaterThan(3)
  expect(errors.length).toBeLessThan(8)
})

test('the end of a bundle is announced a day and an hour before', async () => {
  const { publish, connect, pass, clock } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const endsAt = clock.at + 24 * 3_600_000 + 5000
  const client = connect(bundle('b1', 1, endsAt))
  await client.ask({ ...subscribe(), cadence_ms: 60_000 })
  await client.ask({ action: 'configure', heartbeat_ms: 0 })
  await pass(4000)
  expect(client.wire.taken()).toEqual([])
  const hoursLeft: number[] = []
  for (let k = 0; k < 23 * 120 + 10; k++) {
    client.session.noteAlive()
    await pass(30_000, 15_000)
    for (const { code, expires_ts } of client.wire.taken()) {
      if (code !== 'bundle_expiring') continue
      expect(expires_ts).toBe(endsAt)
      hoursLeft.push(Math.round((endsAt - clock.at) / 3_600_000))
    }
  }
  expect(hoursLeft).toEqual([24, 1])
})

test('a symbol that is not computed yet is warming, and its first value follows as snapshot', async () => {
  const { publish, connect, hold, pass } = scriptedServer()
  const open = hold()
  const client = connect()
  client.send(subscribe({ req_id: 1 }))
  client.send({ action: 'ping', req_id: 2 })
  await pass(1900)
  expect(client.wire.taken()).toEqual([])
  await pass(200)
  const replies = client.wire.taken()
  expect(replies.map(({ req_id }) => req_id)).toEqual([1, 2])
  expect(replies[0]).toMatchObject({ type: 'ack', state: 'warming' })
  publish('SPY', { net_gex: 3 })
  open()
  await settle()
  expect(client.wire.taken()).toEqual([expect.objectContaining({ type: 'update', value: 3, snapshot: true })])
})

test('after fifteen seconds without a value one no_data follows, and the subscription stays', async () => {
  const { publish, connect, pass, refusals } = scriptedServer()
  refusals.set('SPY', apiError('no_data', 'nothing expires today'))
  const client = connect()
  const [ack] = await client.ask(subscribe())
  expect(ack).toMatchObject({ state: 'warming' })
  await client.ask({ action: 'configure', heartbeat_ms: 0 })
  await pass(14_500)
  expect(client.wire.taken()).toEqual([])
  await pass(20_000)
  const message = 'nothing expires today'
  expect(client.wire.taken()).toEqual([
    expect.objectContaining({ type: 'error', code: 'no_data', message, sub_id: 's_01', symbol: 'SPY', metric: netGex })
  ])
  refusals.clear()
  publish('SPY', { net_gex: 4 })
  await pass(1100)
  expect(client.wire.taken()).toEqual([expect.objectContaining({ type: 'update', value: 4, snapshot: true })])
})

test('what failed on this side is not told to clients', async () => {
  const { connect, pass, refusals } = scriptedServer()
  refusals.set('SPY', new Error('connect ECONNREFUSED 10.1.2.3:9000'))
  const client = connect()
  await client.ask(subscribe())
  await pass(16_000)
  const [error] = ofType(client.wire.taken(), 'error')
  expect(error).toMatchObject({ code: 'no_data', message: 'there is no value yet' })
})

test('a ticker nobody knows is refused and costs nothing', async () => {
  const { connect, market } = scriptedServer()
  market.unknown.add('NOPE')
  const client = connect()
  const [error] = await client.ask({ ...subscribe(), symbol: 'nope' })
  expect(error).toMatchObject({ code: 'symbol_not_found', symbol: 'nope', action: 'subscribe' })
  const [status] = await client.ask({ action: 'status' })
  expect(status['used']).toEqual({ subscriptions: 0, connections: 1 })
})

test('after the close values are stale, and subscriptions stay', async () => {
  const { publish, connect, market, pass } = scriptedServer()
  market.now += 5 * 3_600_000 - 1000 // one second before the close
  publish('SPY', { net_gex: 1 })
  const client = connect()
  const [, open] = await client.ask(subscribe())
  expect(open).not.toHaveProperty('stale')
  await pass(3000)
  const other = connect()
  const [ack, closed] = await other.ask(subscribe())
  expect(ack).toMatchObject({ state: 'active' })
  expect(closed).toMatchObject({ stale: true, value: 1, snapshot: true })
  const [status] = await other.ask({ action: 'status' })
  expect(status['market_open']).toBe(false)
})

test('inputs that stop for a minute in session are told, and that they move again', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  publish('QQQ', { net_gex: 1 })
  const [client, other] = [connect(), connect()]
  await client.ask(subscribe())
  await other.ask({ ...subscribe(), symbol: 'QQQ' })
  for (let k = 0; k < 70; k++) {
    client.session.noteAlive()
    publish('QQQ', { net_gex: k })
    await pass(1000, 100)
  }
  const [notice, ...more] = ofType(client.wire.taken(), 'notice')
  expect(more).toEqual([])
  expect(notice).toMatchObject({ code: 'feed_stale', symbol: 'SPY' })
  expect(ofType(other.wire.taken(), 'notice')).toEqual([])
  const late = connect()
  const [, snapshot] = await late.ask(subscribe())
  expect(snapshot).toMatchObject({ stale: true })
  publish('SPY', { net_gex: 2 })
  await pass(1100)
  const frames = client.wire.taken()
  expect(ofType(frames, 'notice')).toEqual([expect.objectContaining({ code: 'feed_recovered', symbol: 'SPY' })])
  const [update] = ofType(frames, 'update')
  expect(update).toMatchObject({ value: 2 })
  expect(update).not.toHaveProperty('stale')
})

test('answers that fail for a while lose nothing: the count goes on with the next one', async () => {
  const { publish, connect, pass, refusals, errors } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  await client.ask(subscribe())
  refusals.set('SPY', apiError('overloaded', 'the worker was restarted'))
  await pass(3000)
  refusals.clear()
  publish('SPY', { net_gex: 2 })
  await pass(1100)
  expect(ofType(client.wire.taken(), 'update')).toEqual([expect.objectContaining({ seq: 2, value: 2 })])
  expect(errors).toEqual([])
})

test('a stop is announced with a delay to reconnect after, and ends what is left ten seconds later', async () => {
  const { server, publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  await client.ask(subscribe())
  let stopped = false
  const drained = server.drain().then(() => {
    stopped = true
  })
  await settle()
  expect(client.wire.taken()).toEqual([
    expect.objectContaining({ code: 'draining', reconnect_after_ms: expect.any(Number) })
  ])
  await pass(9900)
  expect(client.wire.closed).toBeUndefined()
  await pass(200)
  expect(client.wire.closed?.[0]).toBe(1001)
  expect(stopped).toBe(false)
  client.drop(1001)
  await drained
})

test('a stop takes no time where nobody is connected', async () => {
  await scriptedServer().server.drain()
})

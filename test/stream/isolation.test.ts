import { once } from 'node:events'
import { get } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiError } from '../../src/api/error.ts'
import { connectTo, type Running, refusalOf, running, type SocketClient } from './running.ts'

const gex = 'exposure.gex.net_gex'
let service: Running
beforeAll(async () => {
  service = await running()
})
afterAll(() => service.close())

/** A client that does as it should, with the quickest cadence. */
async function steadyClient(symbol = 'SPY'): Promise<SocketClient> {
  const client = await service.connect((await service.newKey()).key)
  await client.ask({ action: 'subscribe', symbol, metric: gex, cadence_ms: 100 })
  return client
}

/** Expects the client to receive further updates, in order. */
async function expectServed(client: SocketClient): Promise<void> {
  await client.next(({ type }) => type === 'update')
  const seqs = client.frames.filter(({ type }) => type === 'update').map(({ seq }) => Number(seq))
  expect(seqs.every((seq, k) => k === 0 || seq > seqs[k - 1])).toBe(true)
  expect(client.socket.readyState).toBe(client.socket.OPEN)
}

describe.concurrent('others are served on while', () => {
  test('a key is revoked, whose connections end with 4401', async () => {
    const steady = await steadyClient()
    const { key, keyId, user } = await service.newKey()
    const { key: other } = await service.accounts.keys.create(user, 'other', 'test')
    const [revoked, kept] = [await service.connect(key), await service.connect(other)]
    await revoked.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms: 100 })
    await service.accounts.keys.revoke(keyId, 'test')
    expect(await revoked.closed).toBe(4401)
    expect((await refusalOf(service.streamAddress, { 'x-api-key': key })).status).toBe(401)
    expect(await kept.ask({ action: 'ping' })).toMatchObject({ type: 'pong' })
    await service.accounts.bundles.revoke(user.email, 'test')
    expect(await kept.closed).toBe(4403)
    await expectServed(steady)
  })

  test('a client floods the service with nonsense, which ends it with 4429', async () => {
    const steady = await steadyClient('AAPL')
    const flooding = await connectTo(service.streamAddress, { 'x-api-key': (await service.newKey()).key })
    for (let k = 0; k < 20_000; k++) flooding.socket.send('{"action":"nonsense"}')
    expect(await flooding.closed).toBe(4429)
    await expectServed(steady)
  })

  test('two thousand connections come and go within ten seconds', async () => {
    const steady = await steadyClient('KO')
    const keys = await Promise.all(Array.from({ length: 20 }, () => service.newKey()))
    const outcomes = new Map<string, number>()
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const oneAfterTheOther = async (key: string) => {
      for (let k = 0; k < 100; k++) {
        try {
          const client = await connectTo(service.streamAddress, { 'x-api-key': key })
          client.send({ action: 'subscribe', symbol: 'KO', metric: gex, cadence_ms: 100 })
          if (k % 2 === 0) client.socket.terminate()
          else client.socket.close()
          count('connected')
        } catch (error) {
          count((error as Error).message)
        }
      }
    }
    await Promise.all(keys.map(({ key }) => oneAfterTheOther(key)))
    expect([...outcomes.keys()].sort()).toEqual(['Unexpected server response: 429', 'connected'])
    expect(outcomes.get('connected')).toBeGreaterThanOrEqual(200)
    await expectServed(steady)
  })

  test('the engine is restarted: nothing is lost but time', async () => {
    const other = await running()
    const client = await other.connect((await other.newKey()).key)
    const ack = await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms: 100 })
    const { run } = other.engine
    const restarted = async () => {
      throw apiError('overloaded', 'the worker behind this answer was restarted')
    }
    Object.assign(other.engine, { run: restarted })
    await pause(1000)
    const before = client.frames.length
    Object.assign(other.engine, { run })
    const update = await client.next(({ type }) => type === 'update', before)
    expect(Number(update['seq'])).toBeGreaterThan(1)
    const status = await client.ask({ action: 'status' })
    expect(status['epoch']).toBe(ack['epoch'])
    await other.close()
  })

  test('another service stops: its clients are told, and end ten seconds later with 1001', async () => {
    const other = await running()
    const { key } = await other.newKey()
    const client = await other.connect(key)
    await client.ask({ action: 'subscribe', symbol: 'SPY', metric: gex, cadence_ms: 100 })
    const notice = client.next(({ code }) => code === 'draining')
    const stoppedAt = Date.now()
    const stopped = other.stream.stop()
    expect(Number((await notice)['reconnect_after_ms'])).toBeGreaterThan(0)
    const { status, body } = await refusalOf(other.streamAddress, { 'x-api-key': key })
    expect([status, body['error']]).toEqual([503, 'draining'])
    await client.next(({ type }) => type === 'update') // it is served to the end
    expect(await client.closed).toBe(1001)
    expect(Date.now() - stoppedAt).toBeGreaterThan(9500)
    await stopped
    await other.close()
  })
})

test('a client that does not answer a close frame is cut off after some seconds', async () => {
  const { key, keyId } = await service.newKey()
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'x-api-key': key
  }
  const request = get(`${service.streamAddress}/ws`, { headers: handshake })
  const [, socket] = (await once(request, 'upgrade')) as [unknown, Socket]
  const closed = once(socket.resume(), 'close')
  await service.accounts.keys.revoke(keyId, 'test')
  await closed
})

test('when all have gone nothing is left of them', async () => {
  const gauge = async (name: string) => (await service.registry.getSingleMetric(name)?.get())?.values[0].value
  expect(await gauge('gammawall_stream_frames_total')).toBeGreaterThan(100)
  await service.close()
  expect(await gauge('gammawall_stream_connections')).toBe(0)
  expect(await gauge('gammawall_stream_subscriptions')).toBe(0)
  expect(service.errors).toEqual([])
  service = await running()
})

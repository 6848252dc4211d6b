import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { bundle, netGex, scriptedServer, settle } from './scripted-server.ts'

const rows = (count: number) => Array.from({ length: count }, (_, k) => ({ strike: k, net_gex: 1234567.89 }))
const wide = { symbol: 'SPY', metric: 'exposure.gex.strikes', cadence_ms: 1000 }

test('a reader that stops costs no more than the mark, and gets the newest value first', async () => {
  const { publish, connect, pass, counts } = scriptedServer()
  publish('SPY', { net_gex: 0, strikes: rows(2000) })
  const client = connect()
  await client.ask({ action: 'subscribe', ...wide })
  await client.ask({ action: 'subscribe', symbol: 'SPY', metric: netGex, cadence_ms: 100 })
  client.wire.stopped = true
  let most = 0
  for (let k = 1; k <= 100; k++) {
    publish('SPY', { net_gex: k, strikes: rows(2000) })
    await pass(100)
    most = Math.max(most, client.wire.unsent)
  }
  expect(most).toBeGreaterThan(256 * 1024)
  expect(most).toBeLessThan(2 * 256 * 1024)
  client.wire.taken()
  client.wire.stopped = false
  client.wire.unsent = 0
  client.session.connection.drained()
  await settle()
  const [notice, ...values] = client.wire.taken()
  expect(notice).toMatchObject({ type: 'notice', code: 'slow_consumer' })
  expect(Number(notice['skipped'])).toBeGreaterThan(30)
  expect(counts.skipped).toBe(notice['skipped'])
  expect(values.map(({ seq }) => seq)).toContain(101)
  const seqs = values.map(({ seq }) => Number(seq))
  expect(Math.min(...seqs)).toBeGreaterThanOrEqual(100)
  await pass(2000)
  for (const { seq, type } of client.wire.taken()) if (type === 'update') expect(seq).toBeGreaterThanOrEqual(100)
})

test('thirty seconds without progress end the connection', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 0, strikes: rows(2000) })
  const [stuck, creeping] = [connect(), connect()]
  for (const client of [stuck, creeping]) {
    await client.ask({ action: 'subscribe', ...wide })
    client.wire.stopped = true
  }
  for (let k = 0; k < 45; k++) {
    publish('SPY', { net_gex: k, strikes: rows(2000) })
    for (const { session } of [stuck, creeping]) session.noteAlive()
    if (k % 20 === 0) creeping.wire.unsent -= 1000
    await pass(1000, 100)
  }
  expect(stuck.wire.closed?.[0]).toBe(4409)
  expect(creeping.wire.closed).toBeUndefined()
})

test('a reader that takes a part every few seconds stays, though the room it makes is filled at once', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { strikes: rows(500) })
  const client = connect(undefined, undefined, false)
  for (let k = 0; k < 20; k++) await client.ask({ action: 'subscribe', ...wide, params: { min_oi: k } })
  client.wire.stopped = true
  for (let k = 0; k < 60; k++) {
    publish('SPY', { strikes: rows(500) })
    client.session.noteAlive()
    if (k % 5 === 4) {
      client.wire.unsent = 100_000
      client.session.connection.send() // as for any reply
      expect(client.wire.unsent).toBeGreaterThan(256 * 1024)
    }
    await pass(1000, 250)
  }
  expect(client.wire.closed).toBeUndefined()
})

test('a thousand replies that are not read end the connection', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 0 })
  const client = connect()
  client.wire.unsent = 300 * 1024
  for (let k = 0; k < 30 && client.wire.closed === undefined; k++) {
    for (let i = 0; i < 50; i++) client.send({ action: 'ping' })
    await pass(1000)
  }
  expect(client.wire.closed?.[0]).toBe(4409)
})

test('large replies that are not read end the connection before they are a thousand', async () => {
  const { connect } = scriptedServer()
  const client = connect()
  client.wire.unsent = 300 * 1024
  for (let k = 0; k < 200; k++) {
    const page = { version: 'x'.repeat(100_000), count: 0, page: 1, pages: 1, metrics: [] }
    client.session.connection.reply({ type: 'catalog', ...page, ts: 1 })
  }
  await settle()
  expect(client.wire.closed?.[0]).toBe(4409)
})

test('a value above the size of a frame is told once, and the subscription stays', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { strikes: rows(20_000) })
  const client = connect()
  const [ack, error] = await client.ask({ action: 'subscribe', ...wide })
  expect(ack['type']).toBe('ack')
  expect(error).toMatchObject({ code: 'value_too_large', sub_id: 's_01' })
  publish('SPY', { strikes: rows(20_001) })
  await pass(2000)
  expect(client.wire.taken()).toEqual([])
  publish('SPY', { strikes: rows(2) })
  await pass(2000)
  expect(client.wire.taken()).toEqual([expect.objectContaining({ value: rows(2), snapshot: true })])
})

test('a day of frames leaves nothing behind', async () => {
  const { server, publish, connect, pass, asked, counts } = scriptedServer()
  publish('SPY', { net_gex: 0, label: '' })
  const clients = Array.from({ length: 5 }, () => connect(bundle(), undefined, false))
  for (const client of clients) {
    for (const name of ['net_gex', 'label', 'as_of', 'symbol']) {
      await client.ask({ action: 'subscribe', symbol: 'SPY', metric: `exposure.gex.${name}`, cadence_ms: 1000 })
    }
    client.wire.write = () => {}
  }
  let before = 0
  let noted = 0
  for (let second = 0; second < 6.5 * 3600; second++) {
    for (const { session } of clients) session.noteAlive()
    publish('SPY', { net_gex: second, label: `${second}` })
    asked.length = 0
    await pass(1000, 500)
    if (second !== 2000) continue
    before = usedMemory()
    noted = server.timers.size
  }
  expect(counts.sent).toBeGreaterThan(400_000)
  expect(server.timers.size).toBeLessThanOrEqual(noted + 5)
  expect(usedMemory() - before).toBeLessThan(2e6)
})

/** Bytes of objects that are still referred to. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

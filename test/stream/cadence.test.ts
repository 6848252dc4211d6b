import { expect, test } from 'vitest'
import type { Frame } from './frames.ts'
import { netGex, scriptedServer } from './scripted-server.ts'

const updates = (frames: readonly Frame[], subId?: unknown) =>
  frames.filter(({ type, sub_id }) => type === 'update' && (subId === undefined || sub_id === subId))
const subscribe = (more: Frame = {}) => ({ action: 'subscribe', symbol: 'SPY', metric: netGex, ...more })

test('the reply comes first, then the current value marked as snapshot', async () => {
  const { publish, connect, clock, market } = scriptedServer()
  publish('SPY', { net_gex: 5 })
  const client = connect()
  expect(client.wire.frames).toEqual([])
  const frames = await client.ask(subscribe({ req_id: 'first' }))
  expect(frames).toEqual([
    {
      type: 'ack',
      action: 'subscribe',
      req_id: 'first',
      sub_id: 's_01',
      symbol: 'SPY',
      metric: netGex,
      params: {},
      cadence_ms: 1000,
      state: 'active',
      replaced: false,
      epoch: '20260729test',
      cost: 1,
      resume_token: expect.stringMatching(/^r_/),
      ts: clock.at
    },
    { type: 'update', sub_id: 's_01', seq: 1, ts: market.now, value: 5, snapshot: true }
  ])
  expect(client.wire.writes).toBe(1)
})

test('without snapshot nothing is sent before the next recompute', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 5 })
  const client = connect()
  expect(await client.ask(subscribe({ snapshot: false }))).toHaveLength(1)
  publish('SPY', { net_gex: 6 })
  await pass(1100)
  expect(updates(client.wire.taken())).toEqual([expect.objectContaining({ seq: 2, value: 6 })])
})

test('a window holds one frame with the newest value, at a multiple of the cadence', async () => {
  const { publish, connect, pass, clock } = scriptedServer()
  publish('SPY', { net_gex: 0 })
  const client = connect()
  await client.ask(subscribe({ cadence_ms: 1000, snapshot: false }))
  await client.ask({ action: 'configure', heartbeat_ms: 0 })
  for (let k = 1; k <= 95; k++) {
    publish('SPY', { net_gex: k })
    await pass(100)
    if (k % 10 !== 0) expect(updates(client.wire.taken())).toEqual([])
    else {
      expect(clock.at % 1000).toBe(0)
      const [frame, ...more] = updates(client.wire.taken())
      expect(more).toEqual([])
      // The answer may be asked for once in half a cadence, so the newest may be half of one old.
      expect(frame['value']).toBeGreaterThan(k - 6)
    }
  }
})

test('a recompute counts though the number is the same, and no recompute means no frame', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 7 })
  const client = connect()
  await client.ask(subscribe())
  await client.ask({ action: 'configure', heartbeat_ms: 0 })
  await pass(5000)
  expect(updates(client.wire.taken())).toEqual([])
  publish('SPY', { net_gex: 7 })
  await pass(2000)
  expect(updates(client.wire.taken())).toEqual([expect.objectContaining({ seq: 2, value: 7 })])
})

test('with on_change a frame that would repeat the last value is left out', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 7 })
  const client = connect()
  await client.ask(subscribe({ on_change: true }))
  for (const value of [7, 7, 8, 8, 7]) {
    publish('SPY', { net_gex: value })
    await pass(1000)
  }
  expect(updates(client.wire.taken()).map(({ seq, value }) => [seq, value])).toEqual([
    [4, 8],
    [6, 7]
  ])
})

test('on_change looks at the last value that was sent, also at those from before it was asked for', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  for (const [on_change, value] of [[true, 5] as const, [false, 6] as const, [true, 5] as const]) {
    await client.ask(subscribe({ on_change, snapshot: false, cadence_ms: 100 }))
    publish('SPY', { net_gex: value })
    await pass(300)
    expect(updates(client.wire.taken())).toMatchObject([{ value }])
  }
})

test('a value that waits for the end of a long window is not lost when the cadence is changed', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  await client.ask(subscribe({ cadence_ms: 60_000, snapshot: false }))
  publish('SPY', { net_gex: 2 })
  await pass(2000)
  await client.ask(subscribe({ cadence_ms: 100, snapshot: false }))
  await pass(1000)
  expect(updates(client.wire.taken())).toMatchObject([{ value: 2 }])
})

test('cadence 0 sends each value at once', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 0 })
  const client = connect()
  await client.ask(subscribe({ cadence_ms: 0 }))
  for (let k = 1; k <= 20; k++) {
    publish('SPY', { net_gex: k })
    await pass(60)
    expect(updates(client.wire.taken()).map(({ value }) => value)).toEqual([k])
  }
})

test('what is due at one moment goes out in one write, and in one frame where the client wants batches', async () => {
  const { publish, connect, pass } = scriptedServer()
  const symbols = Array.from({ length: 8 }, (_, k) => `S${k}`)
  for (const symbol of symbols) publish(symbol, { net_gex: 1 })
  const [plain, batching] = [connect(), connect()]
  await batching.ask({ action: 'configure', batch: true })
  for (const client of [plain, batching]) {
    const items = symbols.map((symbol) => ({ symbol, metric: netGex, cadence_ms: 100 }))
    await client.ask({ action: 'subscribe_many', items })
    client.wire.writes = 0
  }
  for (const symbol of symbols) publish(symbol, { net_gex: 2 })
  await pass(200)
  expect([plain.wire.writes, batching.wire.writes]).toEqual([1, 1])
  expect(updates(plain.wire.taken())).toHaveLength(8)
  const [batch, ...more] = batching.wire.taken()
  expect(more).toEqual([])
  expect(batch).toMatchObject({ type: 'batch' })
  expect(batch['updates']).toHaveLength(8)
})

test('the same question is asked once however many listen, at the fastest cadence among them', async () => {
  const { publish, connect, pass, asked, server } = scriptedServer()
  publish('SPY', { net_gex: 1, label: 'a' })
  for (let k = 0; k < 5; k++) {
    const client = connect()
    await client.ask(subscribe({ cadence_ms: 60_000 }))
    await client.ask(subscribe({ metric: 'exposure.gex.label', cadence_ms: k === 0 ? 250 : 5000 }))
  }
  expect(server.hub.feeds).toBe(1)
  asked.length = 0
  await pass(10_000)
  expect(asked.length).toBeGreaterThanOrEqual(39)
  expect(asked.length).toBeLessThanOrEqual(41)
  expect(asked.every(({ maxAge }) => maxAge === 250)).toBe(true)
})

test('only what somebody listens to is asked for', async () => {
  const { publish, connect, pass, asked, server } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  await client.ask(subscribe({ cadence_ms: 100 }))
  await client.ask({ action: 'unsubscribe', all: true })
  expect(server.hub.feeds).toBe(0)
  asked.length = 0
  publish('SPY', { net_gex: 2 })
  await pass(5000)
  expect(asked).toEqual([])
})

test('counts go on where they ended when somebody listens again', async () => {
  const { publish, connect, pass } = scriptedServer()
  publish('SPY', { net_gex: 1 })
  const client = connect()
  await client.ask(subscribe())
  for (let k = 0; k < 5; k++) {
    publish('SPY', { net_gex: k })
    await pass(1000)
  }
  const before = Number(updates(client.wire.taken()).at(-1)?.['seq'])
  await client.ask({ action: 'unsubscribe', all: true })
  const [, snapshot] = await client.ask(subscribe())
  expect(Number(snapshot['seq'])).toBeGreaterThan(before)
})

test('equal counts mean equal values and moments on every connection', async () => {
  const { publish, connect, pass, market } = scriptedServer()
  publish('SPY', { net_gex: 0 })
  const clients = [connect(), connect()]
  await clients[0].ask(subscribe({ cadence_ms: 100 }))
  await clients[1].ask(subscribe({ cadence_ms: 700 }))
  const seen = new Map<unknown, string>()
  for (let k = 0; k < 100; k++) {
    publish('SPY', { net_gex: market.now % 977 })
    await pass(90)
    for (const { wire } of clients) {
      for (const { seq, value, ts } of updates(wire.taken())) {
        const shown = `${value} ${ts}`
        expect(seen.get(seq) ?? shown).toBe(shown)
        seen.set(seq, shown)
      }
    }
  }
  expect(seen.size).toBeGreaterThan(50)
})

test('echo repeats symbol and metric; a null stays null', async () => {
  const { publish, connect } = scriptedServer()
  publish('SPY', { net_gex: null })
  const client = connect()
  const [, update] = await client.ask(subscribe({ echo: true }))
  expect(update).toMatchObject({ symbol: 'SPY', metric: netGex, value: null })
})

test('a text beyond ASCII arrives as it was written', async () => {
  const { publish, connect } = scriptedServer()
  publish('SPY', { label: 'flip at 5 — “near” €' })
  const client = connect()
  const [, update] = await client.ask(subscribe({ metric: 'exposure.gex.label' }))
  expect(update['value']).toBe('flip at 5 — “near” €')
})

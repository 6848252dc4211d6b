import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Update } from '../../src/api/stream-frames.ts'
import { RequestError } from '../../src/client/request-error.ts'
import { joined } from './in-memory.ts'

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-05-12T16:30:00Z') }))
afterEach(() => void vi.useRealTimers())

const gex = { symbol: 'SPY', metric: 'exposure.gex.net_gex' }
const dex = { symbol: 'SPY', metric: 'exposure.dex.net_dex' }
const settled = () => vi.advanceTimersByTimeAsync(0)
const actions = (frames: readonly { readonly action?: string }[]) => frames.map(({ action }) => action)

describe('subscriptions', () => {
  test('made in one turn are asked for in one command', async () => {
    const { server, stream } = joined()
    const made = [stream.subscribe(gex), stream.subscribe(dex)]
    await settled()
    expect(actions(server.last.commands)).toEqual(['subscribe_many'])
    expect(await Promise.all(made.map(({ ready }) => ready))).toMatchObject([{ sub_id: 's_1' }, { sub_id: 's_2' }])
    stream.subscribe({ symbol: 'QQQ', metric: 'exposure.gex.net_gex', cadence_ms: 250, params: { min_oi: 100 } })
    await settled()
    expect(server.last.commands[1]).toMatchObject({ action: 'subscribe', cadence_ms: 250, params: { min_oi: 100 } })
  })

  test('of more than a hundred metrics go in commands of a hundred', async () => {
    const { server, stream } = joined()
    for (let strike = 0; strike < 250; strike++) {
      stream.subscribe({ symbol: 'SPY', metric: `exposure.gex.strikes[${strike}].net_gex` })
    }
    await settled()
    expect(server.last.commands.map((frame) => (frame['items'] as unknown[]).length)).toEqual([100, 100, 50])
    expect(server.last.ids).toHaveLength(250)
  })

  test('hand each update to their listener and keep the newest', async () => {
    const { server, stream } = joined()
    const seen: unknown[] = []
    const subscription = stream.subscribe(gex, ({ value }) => seen.push(value))
    await settled()
    server.last.update(7, 1.5, { snapshot: true })
    server.last.update(9, null)
    expect([seen, subscription.latest?.seq]).toEqual([[1.5, null], 9])
  })

  test('in a batch are told apart', async () => {
    const { server, stream } = joined({ batch: true, heartbeat_ms: 2000 })
    const seen: string[] = []
    for (const item of [gex, dex]) stream.subscribe(item, ({ value }) => seen.push(`${item.metric} ${value}`))
    await settled()
    expect(server.last.commands[0]).toMatchObject({ action: 'configure', batch: true, heartbeat_ms: 2000 })
    const updates = ['s_2', 's_1'].map((sub_id, i) => ({ type: 'update', sub_id, seq: 1, ts: 1, value: i }))
    server.last.send({ type: 'batch', updates })
    expect(seen).toEqual(['exposure.dex.net_dex 0', 'exposure.gex.net_gex 1'])
  })

  test('give a loop that is slow the newest value and none of those in between', async () => {
    const { server, stream } = joined()
    const subscription = stream.subscribe(gex)
    const values: unknown[] = []
    const loop = (async () => {
      for await (const { value } of subscription) {
        values.push(value)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })()
    await settled()
    for (let seq = 1; seq <= 10; seq++) server.last.update(seq, seq)
    await vi.advanceTimersByTimeAsync(100)
    server.last.update(11, 11)
    await vi.advanceTimersByTimeAsync(100)
    stream.close()
    await vi.advanceTimersByTimeAsync(100)
    await loop
    expect(values).toEqual([10, 11])
  })

  test('end when their loop is left', async () => {
    const { server, stream } = joined()
    const loop = (async () => {
      for await (const { value } of stream.subscribe(gex)) return value
      return undefined
    })()
    await settled()
    server.last.update(1, 42)
    expect(await loop).toBe(42)
    await settled()
    expect(actions(server.last.commands)).toEqual(['subscribe', 'unsubscribe'])
    expect(server.last.ids).toEqual([])
  })

  test('of the same metric share one place at the server, until the last of them leaves', async () => {
    const { server, stream } = joined()
    const seen: string[] = []
    const first = stream.subscribe(gex, ({ value }) => seen.push(`first ${value}`))
    await settled()
    server.last.update(1, 1, { snapshot: true })
    const second = stream.subscribe(gex, ({ value }) => seen.push(`second ${value}`))
    await settled()
    server.last.update(1, 1, { snapshot: true })
    server.last.update(2, 2)
    expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'second 2'])
    first.unsubscribe()
    await settled()
    server.last.update(3, 3)
    expect(server.last.ids).toEqual(['s_1'])
    second.unsubscribe()
    await settled()
    expect([seen.at(-1), server.last.ids]).toEqual(['second 3', []])
  })

  test('of a metric whose last other listener leaves just then get a place of their own', async () => {
    const { server, stream } = joined()
    const first = stream.subscribe(gex)
    await settled()
    server.override = ({ action }) => {
      if (action === 'subscribe') first.unsubscribe() // while the reply is on its way
      return undefined
    }
    const seen: unknown[] = []
    stream.subscribe(gex, ({ value }) => seen.push(value))
    await settled()
    expect(actions(server.last.commands)).toEqual(['subscribe', 'subscribe', 'unsubscribe', 'subscribe'])
    server.last.update(1, 42)
    expect(seen).toEqual([42])
  })

  test('that were left before the server knew them are ended there too', async () => {
    const { server, stream } = joined()
    stream.subscribe(gex)
    stream.subscribe(dex).unsubscribe()
    await settled()
    expect(server.last.ids).toEqual(['s_1'])
    const late = stream.subscribe(dex)
    server.override = ({ action }) => {
      if (action === 'subscribe') late.unsubscribe()
      return undefined
    }
    await settled()
    expect(server.last.ids).toEqual(['s_1'])
  })

  test('that are refused reject with what the server says, candidates too, and the others stand', async () => {
    const { server, stream, events } = joined()
    const wrong = stream.subscribe({ symbol: 'SPY', metric: 'exposure.gex.wrong' })
    const right = stream.subscribe(gex)
    const refusal = { name: 'StreamError', code: 'ambiguous_metric', detail: { candidates: expect.any(Array) } }
    await Promise.all([settled(), expect(wrong.ready).rejects.toMatchObject(refusal)])
    expect(actions(server.last.commands)).toEqual(['subscribe_many', 'subscribe'])
    expect(events.at(-1)).toMatchObject({ type: 'refused', subscription: wrong, error: { code: 'ambiguous_metric' } })
    await expect(wrong[Symbol.asyncIterator]().next()).rejects.toMatchObject(refusal)
    expect(await right.ready).toMatchObject({ sub_id: 's_1' })
  })

  test('whose listener throws harm nobody else', async () => {
    const { server, stream } = joined()
    const thrown: unknown[] = []
    const queue = vi.spyOn(globalThis, 'queueMicrotask')
    const seen: unknown[] = []
    stream.subscribe(gex, () => {
      throw new Error('of the listener')
    })
    stream.subscribe(gex, ({ value }) => seen.push(value))
    await settled()
    queue.mockImplementation((task) => {
      try {
        task()
      } catch (error) {
        thrown.push(error)
      }
    })
    server.last.update(1, 1)
    queue.mockRestore()
    expect([seen, thrown]).toEqual([[1], [new Error('of the listener')]])
  })
})

describe('commands', () => {
  test('get the reply that carries their number, whatever arrives before it', async () => {
    const { server, stream } = joined()
    stream.subscribe(gex)
    await settled()
    const pong = stream.ask({ action: 'ping' })
    server.last.update(1, 1)
    expect(await pong).toMatchObject({ type: 'pong' })
  })

  test('that come too fast are sent again when the server says', async () => {
    const { server, stream } = joined()
    let refusals = 2
    server.override = (_, connection) =>
      refusals-- > 0 ? connection.error('rate_limited', 'too fast', { retry_after_ms: 400 }) : undefined
    const { ready } = stream.subscribe(gex)
    await vi.advanceTimersByTimeAsync(399)
    expect(server.last.commands).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(401)
    expect(await ready).toMatchObject({ sub_id: 's_1' })
    expect(server.last.commands).toHaveLength(3)
  })

  test('that are many keep below the pace at which the server ends a connection', async () => {
    const { server, stream } = joined()
    const all = Array.from({ length: 400 }, (_, k) => stream.subscribe({ ...gex, symbol: `S${k}` }))
    await settled()
    const before = server.last.commands.length
    for (const subscription of all) subscription.unsubscribe()
    await settled()
    expect(server.last.commands.length).toBeLessThanOrEqual(before + 150)
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.last.commands.length).toBeLessThanOrEqual(before + 195)
    await vi.advanceTimersByTimeAsync(6000)
    expect(server.last.ids).toEqual([])
    expect(server.last.commands).toHaveLength(before + 400)
    stream.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that a lost connection leaves open are asked again on the next one', async () => {
    const { server, stream } = joined()
    server.override = () => null
    const pong = stream.ask({ action: 'ping' })
    await settled()
    server.override = () => undefined
    server.last.end()
    await vi.advanceTimersByTimeAsync(500)
    expect(await pong).toMatchObject({ type: 'pong' })
  })

  test('fail when the stream was closed before', async () => {
    const { stream } = joined()
    stream.close()
    expect(await stream.ask({ action: 'ping' }).catch(({ code }) => code)).toBe('closed')
  })

  test('fail when the stream is closed', async () => {
    const { server, stream } = joined()
    server.override = () => null
    const pong = stream.ask({ action: 'ping' })
    await settled()
    stream.close()
    await expect(pong).rejects.toMatchObject({ code: 'closed' })
    expect(() => stream.subscribe(gex)).toThrow('the stream was closed')
    expect(await stream.ended).toBeUndefined()
  })
})

describe('a lost connection', () => {
  test('is taken up again with the same subscriptions, and what was seen is not told twice', async () => {
    const { server, stream, events } = joined()
    const seen: Update[] = []
    stream.subscribe(gex, (update) => seen.push(update))
    await settled()
    const [first] = server.connections
    first.update(5, 50, { snapshot: true })
    first.end()
    await vi.advanceTimersByTimeAsync(500)
    expect(server.last.commands).toMatchObject([{ action: 'resume', token: first.token }])
    server.last.update(5, 50, { snapshot: true })
    server.last.update(6, 60)
    expect(seen.map(({ seq }) => seq)).toEqual([5, 6])
    expect(events.map(({ type }) => type)).toEqual(['open', 'lost', 'open'])
    expect(events.at(-1)).toEqual({ type: 'open', resumed: true })
  })

  test('of an engine that has been started anew brings values that are counted from anywhere', async () => {
    const { server, stream } = joined()
    const seen: number[] = []
    stream.subscribe(gex, ({ seq }) => seen.push(seq))
    await settled()
    server.last.update(500, 1, { snapshot: true })
    server.epoch = 'epoch2'
    server.last.end()
    await vi.advanceTimersByTimeAsync(500)
    server.last.update(3, 2, { snapshot: true })
    const notice = { type: 'notice', code: 'epoch_changed', message: 'started anew', ts: 1, epoch: 'epoch3' }
    server.last.send(notice)
    server.last.update(1, 3, { snapshot: true })
    expect(seen).toEqual([500, 3, 1])
  })

  test('that the server has forgotten is followed by new subscriptions', async () => {
    const { server, stream, events } = joined()
    const subscription = stream.subscribe(gex)
    await settled()
    server.last.end()
    server.kept.clear()
    await vi.advanceTimersByTimeAsync(500)
    expect(actions(server.last.commands)).toEqual(['resume', 'subscribe'])
    expect(events.at(-1)).toEqual({ type: 'open', resumed: false })
    server.last.update(1, 1)
    expect(subscription.latest?.value).toBe(1)
  })

  test('is not resumed after two minutes, when the server keeps it no longer', async () => {
    const { server, stream, reach } = joined()
    stream.subscribe(gex)
    await settled()
    reach.answers = false
    server.last.end()
    await vi.advanceTimersByTimeAsync(125_000)
    reach.answers = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(actions(server.connections[1].commands)).toEqual(['subscribe'])
    stream.close()
  })

  test('leaves room for changes of mind: what was ended meanwhile is ended, what is new is asked for', async () => {
    const { server, stream } = joined()
    const left = stream.subscribe(gex)
    stream.subscribe(dex)
    await settled()
    server.last.end()
    left.unsubscribe()
    stream.subscribe({ symbol: 'QQQ', metric: 'exposure.gex.net_gex' })
    await vi.advanceTimersByTimeAsync(500)
    expect(server.last.commands).toMatchObject([
      { action: 'resume' },
      { action: 'unsubscribe', sub_id: 's_1' },
      { action: 'subscribe', symbol: 'QQQ' }
    ])
  })

  test('takes subscriptions along whose acknowledgement was lost with it', async () => {
    const { server, stream } = joined()
    stream.subscribe(gex)
    await settled()
    server.override = ({ action }, connection) => {
      if (action === 'subscribe') connection.end()
      return action === 'subscribe' ? null : undefined
    }
    const late = stream.subscribe(dex)
    await settled()
    server.override = () => undefined
    await vi.advanceTimersByTimeAsync(500)
    expect(await late.ready).toMatchObject({ metric: dex.metric })
  })

  test('is tried again ever more rarely, up to every half minute, at a random share of the time', async () => {
    const { server, stream, events, reach } = joined()
    stream.subscribe(gex)
    await settled()
    reach.answers = false
    server.last.end()
    await vi.advanceTimersByTimeAsync(400_000)
    const waits = events.flatMap((event) => (event.type === 'lost' ? [event.retryIn] : []))
    expect(waits.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    stream.close()
  })

  test('is noticed when three heartbeats are missed', async () => {
    const { server, stream, events } = joined()
    stream.subscribe(gex)
    await settled()
    const beat = { type: 'heartbeat', epoch: 'epoch1', market_open: true, subscriptions: 1 }
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(5000)
      server.last.send({ ...beat, ts: Date.now() })
    }
    expect(server.connections).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(server.connections).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(6000)
    expect(server.connections).toHaveLength(2)
    expect(events.find(({ type }) => type === 'lost')).toMatchObject({ reason: 'silent' })
    stream.close()
  })

  test('is noticed when a command stays without reply, and not while nothing is due', async () => {
    const { server, stream } = joined()
    await stream.ask({ action: 'ping' })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(server.connections).toHaveLength(1)
    server.override = () => null
    stream.ask({ action: 'ping' }).catch(() => {})
    await vi.advanceTimersByTimeAsync(21_000)
    expect(server.connections.length).toBeGreaterThan(1)
    stream.close()
  })

  test('comes back when a server that stops has said, not earlier and not later', async () => {
    const { server, stream, events } = joined()
    stream.subscribe(gex)
    await settled()
    server.last.send({ type: 'notice', code: 'draining', message: 'stopping', ts: 1, reconnect_after_ms: 12_345 })
    server.last.end(1001)
    expect(events.at(-1)).toMatchObject({ type: 'lost', retryIn: 12_345 })
    await vi.advanceTimersByTimeAsync(12_344)
    expect(server.connections).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(server.connections).toHaveLength(2)
  })

  test('that was too slow comes back at half the pace', async () => {
    const { server, stream, events } = joined()
    stream.subscribe({ ...gex, cadence_ms: 0 })
    stream.subscribe({ ...dex, cadence_ms: 5000 })
    await settled()
    server.last.end(4409)
    await vi.advanceTimersByTimeAsync(500)
    expect(server.last.commands).toMatchObject([
      { action: 'subscribe_many', items: [{ cadence_ms: 1000 }, { cadence_ms: 10_000 }] }
    ])
    expect(events.map(({ type }) => type)).toContain('slowed')
  })

  test.each([1001, 1006, 1011, 1013, 4408])('with code %i is followed by another one', async (code) => {
    const { server, stream } = joined()
    stream.subscribe(gex)
    await settled()
    server.last.end(code)
    await vi.advanceTimersByTimeAsync(500)
    expect(server.connections).toHaveLength(2)
  })

  test.each([1009, 4401, 4403, 4410, 4429])('with code %i is the last one', async (code) => {
    const { server, stream, events } = joined()
    const subscription = stream.subscribe(gex)
    await settled()
    server.last.end(code)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.connections).toHaveLength(1)
    const error = await stream.ended
    expect(error).toMatchObject({ name: 'StreamError', code: 'closed', detail: { close_code: code } })
    expect(events.at(-1)).toEqual({ type: 'ended', error })
    await expect(subscription[Symbol.asyncIterator]().next()).rejects.toBe(error)
  })
})

describe('a ticket', () => {
  test.each([401, 403, 404])('refused with %i ends the stream', async (status) => {
    const refusal = new RequestError('unauthorized', 'no', { status })
    const { stream, server } = joined({}, () => Promise.reject(refusal))
    const { ready } = stream.subscribe(gex)
    await settled()
    expect(await stream.ended).toBe(refusal)
    await expect(ready).rejects.toBe(refusal)
    expect(server.connections).toEqual([])
  })

  test.each([
    ['0', 0, undefined, 500],
    ['502', 502, undefined, 500],
    ['503', 503, 7000, 7000],
    ['429', 429, 100, 500]
  ])('refused with %s for the moment is asked for again', async (_, status, retryAfter, wait) => {
    let refusals = 1
    const ticket = async () => {
      if (refusals-- > 0) throw new RequestError('overloaded', 'busy', { status, retryAfter })
      return 'ticket'
    }
    const { stream, server, events } = joined({}, ticket)
    stream.subscribe(gex)
    await settled()
    expect(events).toEqual([{ type: 'lost', reason: 'busy', retryIn: wait }])
    await vi.advanceTimersByTimeAsync(wait)
    expect(server.last.ids).toEqual(['s_1'])
  })

  test('is not waited for once the stream is closed', async () => {
    let give = (_: string) => {}
    const { stream, server } = joined({}, () => new Promise((resolve) => (give = resolve)))
    stream.subscribe(gex)
    stream.close()
    give('late')
    await settled()
    expect(server.connections).toEqual([])
  })
})

test('a stream set up as the server does not allow ends with what the server says', async () => {
  const { server, stream } = joined({ batch: true })
  server.override = ({ action }, connection) =>
    action === 'configure' ? connection.error('invalid_frame', 'heartbeat_ms is 0 or 1000 to 60000') : undefined
  const { ready } = stream.subscribe(gex)
  await settled()
  expect(await stream.ended).toMatchObject({ code: 'invalid_frame', message: 'heartbeat_ms is 0 or 1000 to 60000' })
  await expect(ready).rejects.toMatchObject({ code: 'invalid_frame' })
})

test('what happens is told: notices, and problems of a subscription that stays', async () => {
  const { server, stream, events } = joined()
  const subscription = stream.subscribe(gex)
  await settled()
  server.last.send(server.last.error('no_data', 'nothing computable', { sub_id: 's_1' }))
  server.last.send({ type: 'notice', code: 'feed_stale', message: 'SPY stands', ts: 1, symbol: 'SPY' })
  server.last.update(1, 1)
  expect(events.slice(1)).toMatchObject([
    { type: 'problem', problem: { code: 'no_data', sub_id: 's_1' } },
    { type: 'notice', notice: { code: 'feed_stale' } }
  ])
  expect(subscription.latest?.value).toBe(1)
})

test('a closed stream ends its loops, leaves the server and keeps no timer', async () => {
  const { server, stream } = joined()
  const loop = (async () => {
    for await (const _ of stream.subscribe(gex));
  })()
  await settled()
  stream.close()
  await loop
  await settled()
  expect(vi.getTimerCount()).toBe(0)
  expect(server.connections).toHaveLength(1)
})

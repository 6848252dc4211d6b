import { expect, test } from 'vitest'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { listening, noon, SPY, subscribed } from './listening.ts'
import { KEY, statusFrame, tradeEvent } from './vendor.ts'

const soon = { interval: 5 }
const sizesOf = (messages: readonly object[]) =>
  messages.map((message) => ('print' in message ? (message.print as { size: number }).size : 0))

test('logs in, subscribes once to all trades, and tells those of wanted symbols', async () => {
  const all = await subscribed()
  const { vendor, received, states } = all
  expect(vendor.received).toEqual([
    [
      { action: 'auth', params: KEY },
      { action: 'subscribe', params: 'T.*' }
    ]
  ])
  expect(states).toEqual([{ until: noon, missed: [noon, noon] }])
  vendor.tell([tradeEvent({ s: 1 }), tradeEvent({ sym: 'O:QQQ260731C00500000', s: 2 }), tradeEvent({ s: 3, q: 2 })])
  await expect.poll(() => sizesOf(received), soon).toEqual([1, 3])
  expect(received[0]).toEqual({
    print: {
      symbol: SPY,
      contract: 'SPY260731C00600000',
      time: noon,
      price: 1.5,
      size: 1,
      exchange: 202,
      sequence: undefined,
      flags: 0,
      quote: undefined,
      spot: undefined
    }
  })
  expect(states.at(-1)).toEqual({ until: noon })
  all.wanted.splice(0, 1, 'QQQ' as typeof SPY)
  const other = (s: number, q: number) => tradeEvent({ sym: 'O:QQQ260731C00500000', s, q })
  let number = 2
  // The stream looks now and then for whom it is: trades before it saw the change are rightly left out.
  const tellUntilTaken = () => {
    vendor.tell([other(5, number++)])
    return sizesOf(received)
  }
  await expect.poll(tellUntilTaken, { interval: 50 }).toContain(5)
  vendor.tell([tradeEvent({ s: 4, q: 3 }), other(6, number++)])
  await expect.poll(() => sizesOf(received), soon).toContain(6)
  expect(new Set(sizesOf(received))).toEqual(new Set([1, 3, 5, 6]))
  expect(await all.stop()).toBeUndefined()
})

test('a trade that comes twice is told once; two that are alike but for their number are two', async () => {
  const { vendor, received } = await subscribed()
  const frame = [tradeEvent({ q: 7 }), tradeEvent({ q: 8 })]
  vendor.tell(frame)
  vendor.tell([...frame, tradeEvent({ q: 9, s: 99 })])
  await expect.poll(() => sizesOf(received), soon).toEqual([10, 10, 99])
})

test('a key that is refused ends the run with a sentence for the operator, in which the key is not', async () => {
  const wrong = 'sk-wrong-8080'
  const { ended, interruptions, vendor } = await listening({ key: wrong }, (prepared) => {
    prepared.answer = ({ params }) => statusFrame('auth_failed', `the key ${params} is not known\u001b[31m`)
  })
  const error = (await ended) as SourceError
  expect(error).toBeInstanceOf(SourceError)
  expect(error.fault).toBe('refused')
  expect(error.message).toMatch(/refuses the key of GAMMAWALL_MASSIVE_KEY.*the key \*\*\* is not known.*--massive-feed/)
  expect(`${error.message}${error.stack}${interruptions}`).not.toContain(wrong)
  expect(vendor.received).toHaveLength(1)
})

test('a plan without trades is a refusal, too', async () => {
  const { ended } = await listening({}, (vendor) => {
    vendor.answer = ({ action, params }) =>
      action === 'auth' ? statusFrame('auth_success', '') : statusFrame('error', `not authorized: ${params}`)
  })
  expect(await ended).toMatchObject({ fault: 'refused', message: expect.stringContaining('not authorized: T.*') })
})

test('a line that breaks is connected again, and what was missed is told', async () => {
  const all = await subscribed()
  const { vendor, states, clock, received, interruptions } = all
  clock.now = noon + 1000
  vendor.tell([tradeEvent()])
  await expect.poll(() => received.length, soon).toBe(1)
  clock.now = noon + 9000
  vendor.cut()
  await expect.poll(() => vendor.received.length, soon).toBe(2)
  await expect.poll(() => states.at(-1), soon).toEqual({ until: noon + 9000, missed: [noon + 1000, noon + 9000] })
  expect(interruptions).toEqual(['Massive closed the stream (1006)'])
  vendor.tell([tradeEvent({ s: 2, q: 2 })])
  await expect.poll(() => sizesOf(received), soon).toEqual([10, 2])
})

test('waits longer after each failure, and not after one that was long ago', async () => {
  const times: number[] = []
  await listening({}, (vendor) => {
    vendor.answer = (_, socket) => {
      times.push(performance.now())
      socket.terminate()
    }
  })
  await expect.poll(() => times.length, soon).toBeGreaterThanOrEqual(5)
  // A loaded machine is late, and a timer may be a millisecond early.
  const pauses = [20, 40, 80, 100]
  for (const [k, pause] of pauses.entries()) expect(times[k + 1] - times[k]).toBeGreaterThan(pause - 2)
})

test('a consumer who is too slow is cut off by the vendor, and told so', async () => {
  const { vendor, interruptions, states } = await subscribed()
  vendor.cut(1008, `slow consumer ${KEY}`)
  await expect.poll(() => interruptions, soon).toEqual(['Massive closed the stream (1008, "slow consumer ***")'])
  await expect.poll(() => states.length, soon).toBe(2)
  expect(states[1].missed).toBeDefined()
})

test('a consumer who is slow for a while gets everything, in order', async () => {
  const all = await subscribed()
  const { vendor, received } = all
  const push = received.push.bind(received)
  received.push = (...batch) => {
    for (const until = performance.now() + 2; performance.now() < until; );
    return push(...batch)
  }
  const frames = 300
  for (let f = 0; f < frames; f++) vendor.tell([0, 1, 2].map((k) => tradeEvent({ s: 3 * f + k + 1, q: 3 * f + k })))
  await expect.poll(() => received.length, soon).toBe(3 * frames)
  expect(sizesOf(received)).toEqual(Array.from({ length: 3 * frames }, (_, k) => k + 1))
  expect(all.interruptions).toEqual([])
})

test('what the consumer throws ends the run as it is, and crashes nothing', async () => {
  const { vendor, received, ended } = await subscribed()
  received.push = () => {
    throw new RangeError('no room')
  }
  vendor.tell([tradeEvent()])
  expect(await ended).toEqual(new RangeError('no room'))
})

test.each([
  ['max_connections', 'Maximum number of connections exceeded.', /too many connections.*another program uses the key/],
  ['auth_timeout', 'too late', /ended the stream \(auth_timeout\)/],
  ['force_disconnect', 'restart', /ended the stream \(force_disconnect\): "restart"/]
])('%s interrupts and does not end', async (status, message, sentence) => {
  const { vendor, interruptions, states } = await subscribed()
  vendor.tell(statusFrame(status, message))
  await expect.poll(() => interruptions.length, soon).toBe(1)
  expect(interruptions[0]).toMatch(sentence)
  await expect.poll(() => states.length, soon).toBe(2)
})

test('a stream that does not open, does not answer or tells nothing of an open market is left', async () => {
  const mute = await listening({ limits: { opening: 30 } as never }, (vendor) => {
    vendor.greeting = '[]'
  })
  await expect.poll(() => mute.interruptions[0], soon).toBe('the stream of Massive was not open within 0.03 s')
  const quiet = await subscribed({ limits: { silence: 40 } })
  await expect.poll(() => quiet.interruptions[0], soon).toBe('the stream of Massive sent no market data for 0.04 s')
  const deaf = await subscribed({ limits: { ping: 20, pong: 40 } as never }, () => {})
  for (const client of deaf.vendor.clients) client.pause()
  await expect.poll(() => deaf.interruptions[0], soon).toBe('the stream of Massive did not answer for 0.04 s')
})

test('at night nothing is expected, and what is missed is counted from the last answer', async () => {
  const limits = { silence: 20, ping: 20 }
  const night = { now: Date.parse('2026-07-30T03:00:00Z') }
  const { clock, interruptions, vendor, states } = await subscribed({ limits }, undefined, night)
  let pings = 0
  vendor.clients[0].on('ping', () => pings++)
  const answered = (count: number) => expect.poll(() => pings, soon).toBeGreaterThan(pings + count)
  await answered(10)
  clock.now += 60_000
  await answered(2)
  expect([interruptions, states.length]).toEqual([[], 1])
  vendor.cut()
  await expect.poll(() => states.length, soon).toBe(2)
  expect(states.at(-1)!.missed![0]).toBe(clock.now)
})

test('a delayed plan is behind: so is everything that is told of times', async () => {
  const { states, vendor, clock } = await subscribed({ delay: 900 })
  expect(states[0]).toEqual({ until: noon - 900_000, missed: [noon - 900_000, noon - 900_000] })
  clock.now += 60_000
  vendor.tell([tradeEvent()])
  await expect.poll(() => states.at(-1), soon).toEqual({ until: noon - 840_000 })
})

test('quotes are streamed of contracts that trade, as many as the plan has', async () => {
  const { vendor, received } = await subscribed({ quotes: 2 })
  const of = (strike: number) => `O:SPY260731C00${strike}000`
  vendor.tell([600, 601, 602].map((strike, q) => tradeEvent({ sym: of(strike), q })))
  await expect
    .poll(() => vendor.received[0].at(-1), soon)
    .toEqual({ action: 'subscribe', params: `Q.${of(600)},Q.${of(601)}` })
  vendor.tell([{ ev: 'Q', sym: of(600), bp: 1.4, ap: 1.6, bs: 1, as: 2, bx: 302, ax: 303, t: noon + 5, q: 4 }])
  await expect
    .poll(() => received.at(-1), soon)
    .toEqual({ quote: { symbol: SPY, contract: 'SPY260731C00600000', bid: 1.4, ask: 1.6, time: noon + 5 } })
})

test('no answer of a server that is none is a crash', async () => {
  const { interruptions, ended } = await listening({ stream: 'ws://127.0.0.1:1' })
  await expect.poll(() => interruptions.length, soon).toBeGreaterThan(1)
  expect(interruptions[0]).toMatch(/^the stream of Massive cannot be reached: /)
  const other = await listening({}, (vendor) => {
    vendor.greeting = 'hello'
  })
  await expect.poll(() => other.refused, soon).toEqual(['a frame that is no list'])
  expect(await Promise.race([ended, Promise.resolve('runs')])).toBe('runs')
})

test('every frame is told as it came', async () => {
  const frames: (string | Uint8Array)[] = []
  const all = await subscribed({ onFrame: (frame) => frames.push(frame) })
  expect(frames.length).toBeGreaterThanOrEqual(2)
  expect(frames.map((frame) => JSON.parse(String(frame))[0].status)).toEqual(
    expect.arrayContaining(['connected', 'auth_success'])
  )
  await all.stop()
})

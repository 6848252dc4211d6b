import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { encode } from '@msgpack/msgpack'
import { describe, expect, test } from 'vitest'
import { type AlpacaSettings, createAlpaca } from '../../../src/connectors/alpaca/alpaca-connector.ts'
import { readAlpacaFrame } from '../../../src/connectors/alpaca/prints/alpaca-frame.ts'
import { decodeMessagePack } from '../../../src/connectors/alpaca/prints/alpaca-message-pack.ts'
import type { TapeMessage } from '../../../src/connectors/port/prints/print-feed.ts'
import type { SourceError } from '../../../src/connectors/port/source-error.ts'
import { CROSS, MULTI_LEG } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { RestVendor } from '../../support/rest-vendor.ts'
import { runFeed } from '../run-feed.ts'
import {
  errorFrame,
  frameOf,
  KEYS,
  market,
  noon,
  option,
  quoteMessage,
  StreamVendor,
  tradeMessage,
  tradeRow,
  usualNames,
  written
} from './vendor.ts'

const SPY = 'SPY' as Ticker
const soon = { interval: 5 }
const quick = { opening: 10_000, ping: 5000, pong: 5000, silence: 5000, firstPause: 20, longestPause: 100, past: 5000 }

/** A feed that listens to a vendor of the test. */
async function listening(more: Partial<AlpacaSettings> = {}, prepare: (vendor: StreamVendor) => void = () => {}) {
  const vendor = await new StreamVendor().start()
  const rest = await RestVendor.start(market())
  prepare(vendor)
  const settings = {
    ...KEYS,
    url: rest.url,
    tradingUrl: rest.url,
    stream: vendor.url,
    requestsPerMinute: 1000,
    quotes: 0
  }
  const feed = createAlpaca({ ...settings, feed: 'opra', stocks: 'iex', ...more, limits: { ...quick, ...more.limits } })
    .prints!
  return { vendor, ...runFeed(feed, { now: noon }) }
}

async function subscribed(...args: Parameters<typeof listening>) {
  const all = await listening(...args)
  await expect.poll(() => all.states.length, soon).toBeGreaterThan(0)
  return all
}

const sizesOf = (messages: readonly TapeMessage[]) =>
  messages.map((message) => ('print' in message ? message.print.size : 0))

test('logs in, subscribes to every trade, and tells those of wanted symbols', async () => {
  const { vendor, received, states, wanted, stop } = await subscribed()
  expect(vendor.paths).toEqual(['/v1beta1/opra'])
  expect(vendor.received).toEqual([
    [
      { action: 'auth', ...KEYS },
      { action: 'subscribe', trades: ['*'] }
    ]
  ])
  expect(states).toEqual([{ until: noon, missed: [noon, noon] }])
  vendor.tell(
    tradeMessage({ time: noon + 0.125, s: 1 }),
    tradeMessage({ S: 'QQQ260731C00500000', s: 2 }),
    tradeMessage({ s: 3 })
  )
  await expect.poll(() => sizesOf(received), soon).toEqual([1, 3])
  expect(received[0]).toEqual({
    print: {
      ...{ symbol: SPY, contract: usualNames[0], time: noon + 0.125, price: 1.5, size: 1, exchange: 67 },
      ...{ sequence: undefined, flags: 0, quote: undefined, spot: undefined }
    }
  })
  wanted.splice(0, 1, 'QQQ' as Ticker)
  await new Promise((go) => setTimeout(go, 300))
  vendor.tell(tradeMessage({ s: 4 }), tradeMessage({ S: 'QQQ260731C00500000', s: 5 }))
  await expect.poll(() => sizesOf(received), soon).toEqual([1, 3, 5])
  expect(await stop()).toBeUndefined()
})

test('a condition says what a print is, takes one back, or refuses it', async () => {
  const { vendor, received, refused } = await subscribed()
  vendor.tell(...[' ', 'f', 'c', 'A', 'u', '%', '7'].map((c) => tradeMessage({ c })))
  await expect.poll(() => received.length, soon).toBe(4)
  expect(received.map((message) => ('print' in message ? message.print.flags : Object.keys(message)[0]))).toEqual([
    0,
    MULTI_LEG,
    CROSS,
    'cancel'
  ])
  const reasons = ['a compression at closing prices', 'an unknown sale condition', 'an unknown sale condition']
  expect(refused).toEqual(reasons.map((reason) => `SPY: ${reason}`))
})

test('quotes are streamed of contracts that trade, and one that is not firm is none', async () => {
  const { vendor, received } = await subscribed({ quotes: 2 })
  vendor.tell(...usualNames.map((S) => tradeMessage({ S })))
  await expect
    .poll(() => vendor.received[0].at(-1), soon)
    .toEqual({ action: 'subscribe', quotes: usualNames.slice(0, 2) })
  vendor.tell(quoteMessage(), quoteMessage({ c: 'X' }))
  await expect.poll(() => received.length, soon).toBe(5)
  const quote = { symbol: SPY, contract: usualNames[0], time: noon }
  expect(received.slice(3)).toEqual([
    { quote: { ...quote, bid: 1.4, ask: 1.6 } },
    { quote: { ...quote, bid: 0, ask: 0 } }
  ])
})

test('a line that breaks is connected again, and what was missed is told', async () => {
  const { vendor, states, clock, received, interruptions } = await subscribed()
  clock.now = noon + 1000
  vendor.tell(tradeMessage())
  await expect.poll(() => received.length, soon).toBe(1)
  clock.now = noon + 9000
  vendor.cut()
  await expect.poll(() => states.at(-1), soon).toEqual({ until: noon + 9000, missed: [noon + 1000, noon + 9000] })
  expect(interruptions).toEqual(['Alpaca closed the stream (1006)'])
})

test('the free feed is behind: so is everything that is told of times', async () => {
  const { states, vendor, clock } = await subscribed({ feed: 'indicative' })
  expect(vendor.paths).toEqual(['/v1beta1/indicative'])
  expect(states[0]).toEqual({ until: noon - 900_000, missed: [noon - 900_000, noon - 900_000] })
  clock.now += 60_000
  vendor.tell(tradeMessage())
  await expect.poll(() => states.at(-1), soon).toEqual({ until: noon - 840_000 })
})

test.each([
  [402, 'auth failed', /refuses the keys of GAMMAWALL_ALPACA_KEY and GAMMAWALL_ALPACA_SECRET/],
  [409, 'insufficient subscription', /plan of the keys.*--alpaca-feed/],
  [410, 'invalid subscribe action for this feed', /refuses all trades/],
  [411, 'insufficient scope', /ended the stream: "insufficient scope" \(411\)/],
  [413, 'no star', /refuses all trades \(\*\)/]
])('the error %d ends the run with a sentence in which no key is', async (code, msg, sentence) => {
  const { ended, interruptions } = await listening({}, (vendor) => {
    vendor.answer = () => errorFrame(code, `${msg}`)
  })
  const error = (await ended) as SourceError
  expect(error).toMatchObject({ fault: 'refused', message: expect.stringMatching(sentence) })
  const { ended: other } = await listening({}, (vendor) => {
    vendor.answer = () => errorFrame(code, `${msg} ${KEYS.key} ${KEYS.secret}\u001b[31m`)
  })
  const { message } = (await other) as SourceError
  expect(`${message}${interruptions}`).not.toMatch(new RegExp(`${KEYS.key}|${KEYS.secret}|\u001b`))
})

test.each([
  [404, 'auth timeout', /ended the stream/],
  [405, 'symbol limit exceeded', /ended the stream/],
  [406, 'connection limit exceeded', /another program has it/],
  [407, 'slow client', /ended the stream/],
  [412, 'option messages are only available in MsgPack format', /MsgPack/],
  [500, 'internal error', /ended the stream/]
])('the error %d interrupts and does not end', async (code, msg, sentence) => {
  const { interruptions, states } = await listening({}, (vendor) => {
    let answers = 0
    const { answer } = vendor
    vendor.answer = (command, socket) => (++answers === 2 ? errorFrame(code, msg) : answer(command, socket))
  })
  await expect.poll(() => interruptions[0], soon).toMatch(sentence)
  await expect.poll(() => states.length, soon).toBeGreaterThan(0)
})

test('an error of quotes is counted, and the stream goes on', async () => {
  const { vendor, refused, received, interruptions } = await subscribed({ quotes: 1 })
  for (const client of vendor.clients) client.send(errorFrame(405, 'symbol limit exceeded'))
  vendor.tell(tradeMessage())
  await expect.poll(() => received.length, soon).toBe(1)
  expect(refused).toEqual(['the error 405, of quotes that are not told'])
  expect(interruptions).toEqual([])
})

test('a stream that does not open, does not answer or tells nothing of an open market is left', async () => {
  const mute = await listening({ limits: { opening: 30 } }, (vendor) => {
    vendor.greeting = frameOf([])
  })
  await expect.poll(() => mute.interruptions[0], soon).toBe('the stream of Alpaca was not open within 0.03 s')
  const quiet = await subscribed({ limits: { silence: 40 } })
  await expect.poll(() => quiet.interruptions[0], soon).toBe('the stream of Alpaca sent no market data for 0.04 s')
  const deaf = await subscribed({ limits: { ping: 20, pong: 40 } })
  for (const client of deaf.vendor.clients) client.pause()
  await expect.poll(() => deaf.interruptions[0], soon).toBe('the stream of Alpaca did not answer for 0.04 s')
})

test('a frame of lists that say they are longer than it takes no memory for them', () => {
  // Lists of 32 million elements, one within the other: each would be given its room before it is read.
  const frame = Buffer.concat(Array(2000).fill(Buffer.from([0xdd, 0x01, 0xff, 0xff, 0xff])))
  const before = process.memoryUsage().rss
  expect(decodeMessagePack(frame)).toBeUndefined()
  expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28)
})

test('what is no frame of the vendor is refused by its reason, and crashes nothing', async () => {
  const { vendor, refused, received } = await subscribed()
  for (const client of vendor.clients) {
    for (const bytes of [Buffer.from([0xc1]), encode({ T: 't' }), frameOf([tradeMessage()]).subarray(0, 20)])
      client.send(bytes)
    client.send('text')
  }
  vendor.tell(
    7,
    { T: 'z' },
    tradeMessage({ S: 1 }),
    tradeMessage({ p: 0 }),
    tradeMessage({ s: 1.5 }),
    tradeMessage({ t: 'soon' })
  )
  vendor.tell(quoteMessage({ bp: '1' }), quoteMessage({ t: null }), tradeMessage({ t: written(noon, 1000), s: 77 }))
  await expect.poll(() => sizesOf(received), soon).toEqual([77])
  const none = 'a frame that is no list in MessagePack'
  expect(refused).toEqual([
    ...[none, none, none, none, 'an unknown message (T)', 'an unknown message (T)', 'a message of no option (S)'],
    ...['a trade without a price (p)', 'a trade without a size (s)', 'a trade without its time (t)'],
    ...['a quote without prices (bp, ap)', 'a quote without its time (t)']
  ])
})

describe('the past', () => {
  const { signal } = new AbortController()

  async function pastOf(trades: Readonly<Record<string, readonly object[]>>, from: number, to: number, delay = false) {
    const snapshots = Object.fromEntries(Object.keys(trades).map((name) => [name, option()]))
    snapshots['SPY260731C00900000'] = option({ latestTrade: { p: 1, t: written(noon - 700_000) } })
    snapshots['SPY260731C00910000'] = option({ latestTrade: undefined })
    const rest = await RestVendor.start(
      market({
        'snapshots/SPY': () => ({ body: { snapshots, next_page_token: null } }),
        'options/trades': ({ query }) => {
          const asked = query['symbols'].split(',')
          const at = Number(query['page_token'] ?? 0)
          const rows = asked.flatMap((name) => (trades[name] ?? []).map((row) => [name, row] as const))
          const shown = rows.slice(at, at + 2)
          const grouped: Record<string, object[]> = {}
          for (const [name, row] of shown) (grouped[name] ??= []).push(row)
          return { body: { trades: grouped, next_page_token: at + 2 < rows.length ? String(at + 2) : null } }
        }
      })
    )
    const settings = {
      ...KEYS,
      url: rest.url,
      tradingUrl: rest.url,
      stream: 'ws://127.0.0.1:9',
      requestsPerMinute: 1000
    }
    const feed = createAlpaca({ ...settings, feed: delay ? 'indicative' : 'opra', stocks: 'iex', quotes: 0 }).prints!
    const received: TapeMessage[] = []
    for await (const batch of feed.past!(SPY, from, to, signal)) received.push(...batch)
    return { received, asked: rest.asked.filter(({ path }) => path === '/v1beta1/options/trades') }
  }

  test('is read of the contracts that traded, page by page, by time', async () => {
    const trades = {
      [usualNames[0]]: [
        tradeRow(noon - 500_000, { s: 1 }),
        tradeRow(noon - 300_000, { s: 2 }),
        tradeRow(noon, { s: 9 })
      ],
      [usualNames[1]]: [tradeRow(noon - 400_000, { s: 3 }), tradeRow(noon - 400_000, { s: 4, c: 'A' })]
    }
    const { received, asked } = await pastOf(trades, noon - 600_000, noon)
    expect(received.map((message) => ('print' in message ? message.print.size : `${Object.keys(message)[0]}`))).toEqual(
      [1, 3, 'cancel', 2]
    )
    expect(asked.map(({ query }) => query['symbols'])).toEqual(Array(3).fill(usualNames.slice(0, 2).join()))
    expect(asked[0].query).toMatchObject({
      start: new Date(noon - 600_000).toISOString(),
      end: new Date(noon).toISOString()
    })
  })

  test('of the free feed ends a quarter of an hour ago', async () => {
    const trades = { [usualNames[0]]: [tradeRow(noon - 1_000_000, { s: 1 }), tradeRow(noon - 800_000, { s: 2 })] }
    const { received, asked } = await pastOf(trades, noon - 1_100_000, noon, true)
    expect(sizesOf(received)).toEqual([1])
    expect(Date.parse(asked[0].query['end'])).toBe(noon - 900_000)
    expect((await pastOf(trades, noon - 800_000, noon, true)).asked).toEqual([])
  })
})

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/alpaca')
const isThere = existsSync(folder)

describe.skipIf(!isThere)('frames of the vendor', () => {
  const hex = isThere ? readFileSync(resolve(folder, 'stream-trade.msgpack.hex'), 'utf8').trim() : ''
  const lines = isThere ? readFileSync(resolve(folder, 'stream-as-json.ndjson'), 'utf8').trim().split('\n') : []

  const read = (bytes: Uint8Array) => {
    const found: unknown[] = []
    const note =
      (kind: string) =>
      (...of: unknown[]) =>
        void found.push([kind, ...of])
    const [success, error, subscribed, trade, quote, refused] = [
      'success',
      'error',
      'subscribed',
      'trade',
      'quote',
      'refused'
    ].map(note)
    readAlpacaFrame(bytes, () => true, { success, error, subscribed, trade, quote, refused } as never)
    return found
  }
  const time = Date.parse('2024-03-08T11:41:24.727Z') + 0.071

  test('a trade in MessagePack has its time to the microsecond', () => {
    const trade = { contract: 'SPXW240308P05120000', time, price: 5.06, size: 1, exchange: 67, condition: 'I' }
    expect(read(Buffer.from(hex, 'hex'))).toEqual([['trade', trade]])
  })

  test('every message is understood, with times as text too', () => {
    expect(lines.flatMap((line) => read(encode(JSON.parse(line))))).toEqual([
      ['success', 'connected'],
      ['success', 'authenticated'],
      ['subscribed'],
      ['trade', { contract: 'SPXW240308P05120000', time, price: 5.06, size: 1, exchange: 67, condition: 'I' }],
      [
        'quote',
        { contract: 'SPXW240308P05075000', bid: 0.7, ask: 0.8, time: Date.parse('2024-03-08T12:03:19.245Z') + 0.168 }
      ],
      ['error', 406, 'connection limit exceeded'],
      ['error', 405, 'symbol limit exceeded'],
      ['error', 409, 'insufficient subscription'],
      ['error', 412, 'option messages are only available in MsgPack format']
    ])
  })

  test('one that is mutated or cut off has the same trade or is refused', () => {
    const whole = read(Buffer.from(hex, 'hex'))
    const bytes = Buffer.from(hex, 'hex')
    for (let end = 0; end < bytes.length; end++)
      expect(read(bytes.subarray(0, end))[0]).toEqual(['refused', expect.anything()])
    const [message] = JSON.parse(lines[3]) as [Record<string, unknown>]
    for (const name of Object.keys(message)) {
      for (const value of [undefined, [], {}, true]) {
        const { [name]: _, ...others } = message
        const [found] = read(encode([value === undefined ? others : { ...others, [name]: value }]))
        expect(found, `${name} ${value}`).toEqual([
          'refused',
          name === 'T' ? 'an unknown message (T)' : expect.stringContaining(`(${name})`)
        ])
      }
    }
    expect(whole).toHaveLength(1)
  })
})

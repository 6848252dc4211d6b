import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionIn } from '../../../src/connectors/tradier/prints/tradier-print-feed.ts'
import {
  readTradierFrame,
  type TradierEventSink,
  type TradierTimesale
} from '../../../src/connectors/tradier/prints/tradier-timesale.ts'
import { createTradier } from '../../../src/connectors/tradier/tradier-connector.ts'
import { AFTER_GAP, EXTENDED, INTERMARKET_SWEEP, MULTI_LEG } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { jsonMutations } from '../../support/mutations.ts'
import { expectSameOrNamed } from '../../support/same-or-named.ts'
import { keepTapes } from '../keep-tapes.ts'
import { listening, SPY, streamingMarket, subscribed, timesale } from './stream.ts'
import { chainBody, datesBody, noon, option, pairOf, quoteBody, TOKEN } from './vendor.ts'

const soon = { interval: 5 }
const sizesOf = (messages: readonly object[]) =>
  messages.map((message) => ('print' in message ? (message.print as { size: number }).size : Object.keys(message)[0]))

function seen(text: string) {
  const all = { timesales: [] as TradierTimesale[], errors: [] as string[], refused: [] as string[] }
  const sink: TradierEventSink = {
    timesale: (each) => all.timesales.push(each),
    error: (each) => all.errors.push(each),
    refused: (reason) => all.refused.push(reason)
  }
  readTradierFrame(text, sink)
  return all
}

describe('a subscription', () => {
  test('is of the contracts near the price, in a session that was made for it', async () => {
    const { stream, vendor, states, received } = await subscribed()
    const [session] = vendor.asked.filter(({ path }) => path === '/v1/markets/events/session')
    expect(session).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } })
    const contracts = ['260731', '260807', '260821'].map((date) => `SPY${date}C00600000`)
    const puts = contracts.map((contract) => contract.replace('C', 'P'))
    expect(stream.received).toEqual([
      [
        {
          symbols: [...contracts, ...puts],
          ...{ filter: ['timesale'], sessionid: 'session-1', linebreak: true, validOnly: false }
        }
      ]
    ])
    expect(states[0]).toEqual({ until: noon, missed: [noon, noon] })
    stream.tell(timesale(noon - 5, { size: '1' }), timesale(noon, { symbol: 'SPY260731P00600000', size: '2' }))
    await expect.poll(() => sizesOf(received), soon).toEqual([1, 2])
    expect(received[0]).toEqual({
      print: {
        ...{ symbol: SPY, contract: contracts[0], time: noon - 5, price: 1.5, size: 1, exchange: 67 },
        ...{ sequence: undefined, flags: 0, quote: { bid: 1.4, ask: 1.6, time: noon - 5 }, spot: undefined }
      }
    })
  })

  test('takes as many contracts of each symbol as there is room for, the nearest strikes first', async () => {
    const strikes = Array.from({ length: 60 }, (_, k) => 570 + k)
    const ladder = strikes.map((strike) => option(`SPY260731C00${strike}000`)).concat(option('SPY1260731C00600000'))
    const { stream, refused } = await subscribed(
      { contracts: 40 },
      {
        expirations: () => ({ body: datesBody('2026-07-31') }),
        chains: () => ({ body: chainBody(ladder) }),
        quotes: () => ({ body: quoteBody({ last: 600.2 }) })
      }
    )
    const [{ symbols }] = stream.received[0]
    expect(symbols).toHaveLength(40)
    expect(symbols.slice(0, 3)).toEqual(['SPY260731C00600000', 'SPY260731C00601000', 'SPY260731C00599000'])
    expect(refused).toEqual([])
  })

  test('changes as a whole on the same connection, and says what has no room', async () => {
    const { stream, wanted, refused, received, vendor } = await subscribed({ contracts: 40 })
    wanted.splice(0, 1, 'QQQ' as Ticker, SPY)
    await expect.poll(() => refused, soon).toEqual(['QQQ: no room among the streamed contracts'])
    expect(stream.received[0]).toHaveLength(1)
    wanted.pop()
    await expect.poll(() => stream.received[0].length, soon).toBe(2)
    expect(stream.received).toHaveLength(1)
    expect(stream.received[0][1].symbols[0]).toBe('QQQ260731C00600000')
    expect(refused).toHaveLength(1)
    stream.tell(timesale(noon, { symbol: 'QQQ260731C00600000', size: '3' }))
    await expect.poll(() => sizesOf(received), soon).toEqual([3])
    const asked = vendor.asked.length
    await new Promise((go) => setTimeout(go, 200))
    expect(vendor.asked).toHaveLength(asked)
  })

  test('stays as it is whichever symbol was asked for last, and where new contracts are those of before', async () => {
    const { stream, wanted, vendor, refused, clock } = await subscribed({ contracts: 80 })
    const symbols = ['SPY', 'QQQ', 'IWM'] as readonly string[] as readonly Ticker[]
    wanted.splice(0, 1, ...symbols)
    await expect.poll(() => stream.received[0].length, soon).toBe(2)
    const streamed = new Set(stream.received[0][1].symbols.map((contract) => contract.slice(0, 3)))
    expect(streamed).toEqual(new Set(['SPY', 'QQQ']))
    const asked = vendor.asked.length
    for (let turn = 0; turn < 6; turn++) {
      wanted.unshift(wanted.pop()!)
      await new Promise((go) => setTimeout(go, 60))
    }
    expect(vendor.asked).toHaveLength(asked)
    clock.now = noon + 15 * 60_000
    await expect.poll(() => vendor.asked.length, soon).toBe(asked + 10)
    await expect.poll(() => refused.length, soon).toBe(2)
    await new Promise((go) => setTimeout(go, 100))
    expect(stream.received[0]).toHaveLength(2)
  })

  test('of a symbol that could not be listed, or had no price, is tried again after a minute', async () => {
    let isBroken = true
    const { stream, vendor, clock, wanted } = await subscribed(
      { contracts: 200 },
      {
        expirations: ({ query }) =>
          query['symbol'] === 'IWM' && isBroken ? { status: 404 } : { body: datesBody('2026-07-31') },
        quotes: ({ query }) => {
          const hasNone = query['symbols'] === 'QQQ' && isBroken
          const none = { last: null, close: null, prevclose: null }
          return { body: quoteBody({ symbol: query['symbols'], ...(hasNone && none) }) }
        }
      }
    )
    wanted.push('IWM' as Ticker, 'QQQ' as Ticker)
    const asksFor = (symbol: string) =>
      vendor.asked.filter(({ path, query }) => path.endsWith('expirations') && query['symbol'] === symbol).length
    const asks = () => ['SPY', 'IWM', 'QQQ'].map(asksFor)
    // A missing listing is requested a second time at once.
    await expect.poll(asks, soon).toEqual([1, 2, 1])
    clock.now = noon + 59_000
    await new Promise((go) => setTimeout(go, 150))
    expect(asks()).toEqual([1, 2, 1])
    isBroken = false
    clock.now = noon + 61_000
    await expect.poll(() => stream.received[0].at(-1)!.symbols, soon).toContain('QQQ260731C00600000')
    expect(stream.received[0].at(-1)!.symbols).toContain('IWM260731C00600000')
    expect(asks()).toEqual([1, 3, 2])
    const { length } = stream.received[0]
    isBroken = true
    clock.now = noon + 20 * 60_000
    await expect.poll(asks, soon).toEqual([2, 5, 3])
    await new Promise((go) => setTimeout(go, 150))
    expect(stream.received[0]).toHaveLength(length) // each keeps the contracts it has
  })

  test('of an index has its weekly root; one whose contracts cannot be read waits for the next time', async () => {
    const { stream, wanted, refused } = await subscribed(
      {},
      {
        expirations: ({ query }) => (query['symbol'] === 'IWM' ? { status: 404 } : { body: datesBody('2026-07-31') }),
        chains: ({ query }) => ({
          body: chainBody(query['symbol'] === 'SPX' ? pairOf('SPXW', '2026-07-31') : pairOf('SPY', '2026-07-31'))
        })
      }
    )
    wanted.splice(0, 1, 'SPX' as Ticker, 'IWM' as Ticker)
    await expect
      .poll(() => stream.received[0].at(-1)!.symbols, soon)
      .toEqual(['SPXW260731C00600000', 'SPXW260731P00600000'])
    expect(refused).toEqual(['IWM: its contracts could not be read'])
  })
})

describe('a print', () => {
  test('that comes twice is told once, and cancels and corrections name it by its number', async () => {
    const { stream, received, refused } = await subscribed()
    const [first, second] = [timesale(noon, { size: '1' }), timesale(noon, { size: '2' })]
    const corrected = { ...second, last: '1.55', correction: true }
    stream.tell(first, first, second, corrected, corrected, { ...first, cancel: true }, { ...first, cancel: true })
    stream.tell({ ...corrected, cancel: true }, timesale(noon, { size: '9', correction: true }))
    await expect.poll(() => refused.length, soon).toBe(1)
    expect(sizesOf(received)).toEqual([1, 2, 'cancel', 'cancel', 'cancel'])
    const named = { symbol: SPY, contract: 'SPY260731C00600000', exchange: 67, sequence: undefined, time: noon }
    expect(received.slice(2)).toMatchObject([
      { cancel: { ...named, price: 1.5, size: 2, corrected: { price: 1.55, size: 2 } } },
      { cancel: { ...named, price: 1.5, size: 1 } },
      { cancel: { ...named, price: 1.55, size: 2 } }
    ])
    expect(refused).toEqual(['SPY: a correction of a print that is not there'])
  })

  test('of another session is another one, though its number is the same', async () => {
    const { stream, received, refused } = await subscribed()
    stream.tell(timesale(noon, { seq: 7 }), timesale(noon + 86_400_000, { seq: 7, size: '4' }))
    stream.tell(timesale(noon, { seq: 7, cancel: true }))
    await expect.poll(() => sizesOf(received), soon).toEqual([10, 4, 'cancel'])
    expect(received[2]).toMatchObject({ cancel: { size: 10 } })
    expect(refused).toEqual([])
  })

  test('of a cancel whose print did not come is named by its figures', async () => {
    const { stream, received } = await subscribed()
    stream.tell(timesale(noon, { cancel: true }))
    await expect.poll(() => received, soon).toMatchObject([{ cancel: { price: 1.5, size: 10 } }])
  })

  test('is marked by its flag and its session', () => {
    const meaningOf = (more: object) => seen(JSON.stringify(timesale(noon, more))).timesales[0]?.meaning
    for (const flag of ['', '@', 'I', 'a']) expect(meaningOf({ flag })).toBe(0)
    expect(meaningOf({ flag: 'S' })).toBe(INTERMARKET_SWEEP)
    expect(meaningOf({ flag: 'g', session: 'post' })).toBe(MULTI_LEG | EXTENDED)
    expect([meaningOf({ flag: 'A' }), meaningOf({ flag: 'u' })]).toEqual(['cancel', 'exclude'])
    expect(seen(JSON.stringify(timesale(noon, { flag: '~' }))).refused).toEqual(['the unknown flag ~'])
    expect(seen(JSON.stringify(timesale(noon, { flag: '209' }))).refused).toEqual(['an unknown flag'])
  })
})

describe('a line that breaks', () => {
  test('is connected again in a new session, and what was missed is told', async () => {
    const { stream, states, clock, received, interruptions } = await subscribed()
    clock.now = noon + 1000
    stream.tell(timesale(noon))
    await expect.poll(() => received.length, soon).toBe(1)
    clock.now = noon + 9000
    stream.cut()
    await expect.poll(() => states.at(-1), soon).toEqual({ until: noon + 9000, missed: [noon + 1000, noon + 9000] })
    await expect.poll(() => stream.received.at(-1)![0]?.sessionid, soon).toBe('session-2')
    expect(interruptions).toEqual(['Tradier closed the stream (1006): it allows one session for a user'])
  })

  test('for its session has ended, in whichever way that is said, is no end of the feed', async () => {
    const { stream, interruptions, states } = await subscribed()
    stream.tell('{"error":"session-1 Session expired"}')
    await expect.poll(() => states.filter(({ missed }) => missed).length, soon).toBe(2)
    expect(interruptions[0]).toBe('the session of Tradier\'s stream has ended: "*** Session expired"')
    stream.cut(1008, 'slow consumer session-2')
    await expect.poll(() => states.filter(({ missed }) => missed).length, soon).toBe(3)
    expect(interruptions[1]).toMatch(/\(1008, "slow consumer \*\*\*"\)/)
    stream.tell('{"error":"too many sessions"}')
    await expect.poll(() => interruptions.length, soon).toBe(3)
  })

  test('right after its subscription, each time, is connected again ever more seldom', async () => {
    const { stream, vendor, states } = await listening({ limits: { firstPause: 50, longestPause: 5000 } })
    const begun = performance.now()
    for (let session = 1; session <= 5; session++) {
      await expect.poll(() => stream.received[session - 1]?.length, soon).toBe(1)
      stream.tell('{"error":"Session not found"}')
    }
    // 50, 100, 200 and 400 ms; a timer may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(740)
    expect(states.every(({ missed }) => missed !== undefined)).toBe(true)
    expect(vendor.asked.filter(({ path }) => path.endsWith('session')).length).toBeGreaterThanOrEqual(5)
  })

  test('for a server that does not answer a ping is left', async () => {
    const { stream, interruptions } = await subscribed({ limits: { ping: 20, pong: 60 } })
    for (const client of stream.clients) client.pause()
    await expect.poll(() => interruptions[0], soon).toBe('the stream of Tradier did not answer for 0.06 s')
  })

  test('for a token that is refused ends the run, with the variable and without the token', async () => {
    const { ended } = await listening({}, { session: () => ({ status: 401, body: 'Invalid Access Token' }) })
    const error = (await ended) as Error
    expect(error).toMatchObject({ fault: 'refused', message: expect.stringMatching(/GAMMAWALL_TRADIER_TOKEN/) })
    expect(`${error.message}${error.stack}`).not.toContain(TOKEN)
  })
})

test('the number of a session is in no captured answer', async () => {
  const answers: string[] = []
  await subscribed({ onAnswer: ({ address, bytes }) => void answers.push(`${address} ${Buffer.from(bytes)}`) })
  expect(answers.join()).toContain('/markets/options/chains')
  expect(answers.join()).not.toMatch(/session/)
})

test('what is not understood is counted, and throws nothing', async () => {
  const { stream, refused, ended } = await subscribed()
  const events = ['garbage', '[]', '{"type":"summary"}', '{"type":"x"}', '{"error":"1234 is not a valid symbol"}']
  stream.tell(...events, timesale(noon, { symbol: 'QQQ260731C00600000' }))
  await expect.poll(() => refused.length, soon).toBe(6)
  expect(refused).toEqual([
    'a line that is no object',
    'a line that is no object',
    'the event summary, which is not used',
    'an unknown event (type)',
    'an error that a contract or the subscription has',
    'a timesale of a contract that nobody wants'
  ])
  expect(await Promise.race([ended, Promise.resolve('runs')])).toBe('runs')
})

describe('a mutated event is the same trade or none, for a reason with the name of the field', () => {
  test('of the stream', () => {
    const text = JSON.stringify(timesale(noon, { seq: 1, symbol: 'SPY260731C00600000' }))
    const figures = (mutated: string) => {
      const { timesales, refused } = seen(mutated)
      expect([timesales.length, refused.length].join()).toMatch(/^(1,0|0,1)$/)
      return { trade: timesales[0], refused: refused[0] ?? '' }
    }
    const { trade: whole } = figures(text)
    for (const { label, field, text: mutated } of jsonMutations(text)) {
      if (mutated === '') continue // nothing is said
      const { trade, refused } = figures(mutated)
      if (field === undefined) expect(refused, label).toBe('a line that is no object')
      else if (trade === undefined) expect(refused, label).toMatch(new RegExp(`\\b${field}\\b`))
      // The exchange may be left out, and a timesale marked as a cancel is one.
      else if (field === 'exch') expect({ ...trade, exchange: 67 }, label).toEqual(whole)
      else if (!label.endsWith('as true')) expect(trade, label).toEqual(whole)
      else expect(trade, label).toEqual({ ...whole, change: field === 'cancel' ? 'cancel' : 'correction' })
    }
  })

  test('of a session', () => {
    const text = '{"stream":{"url":"https://stream.tradier.com/v1/markets/events","sessionid":"abc"}}'
    const figures = (mutated: string) => sessionIn(Buffer.from(mutated))
    expectSameOrNamed(jsonMutations(text), 'abc', figures)
  })
})

const file = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples/tradier/stream.ndjson')
const isThere = existsSync(file)
if (!isThere) console.log('skipped: samples of Tradier lie in ../shared/data, which is not there')

test.skipIf(!isThere)('what the vendor documents is understood or refused for a reason, every event', () => {
  const text = readFileSync(file, 'utf8')
  expect(seen(text)).toEqual({
    timesales: [],
    errors: ['1234 is not a valid symbol'],
    refused: [
      'the event quote, which is not used',
      'the event trade, which is not used',
      'the event summary, which is not used',
      'a timesale of no option (symbol)', // of a stock, whose trades are not read
      'the event tradex, which is not used'
    ]
  })
  const ofOption = text.replace('"timesale","symbol":"SPY"', '"timesale","symbol":"SPY190517C00281000"')
  expect(seen(ofOption).timesales).toEqual([
    {
      ...{ contract: 'SPY190517C00281000', time: 1557757204760, price: 281.1, size: 100, exchange: 81, meaning: 0 },
      ...{ bid: 281.09, ask: 281.1, sequence: 352342, change: undefined }
    }
  ])
})

/** Runs a session over a fake market; returns the sizes on the tape, whether it has a gap, and the troubles. */
async function session() {
  const { stream, vendor } = await streamingMarket()
  const settings = { url: `${vendor.url}/v1`, token: TOKEN, requestsPerMinute: 1000, stream: stream.address }
  const { prints } = createTradier({ ...settings, contracts: 100, limits: { firstPause: 50, update: 50 } })
  const { keeper, now, troubles, shown, sizes } = keepTapes(prints, noon)
  const trade = (size: number, more: object = {}) => {
    const event = timesale(now(), { size: String(size), ...more })
    stream.tell(event)
    return event
  }
  keeper.keep(SPY)
  await expect.poll(() => stream.received[0]?.length, soon).toBe(1)
  await expect.poll(() => keeper.symbols(), soon).toEqual([SPY])
  const first = trade(1)
  const second = trade(2)
  stream.tell(second, first) // twice, and out of order
  await expect.poll(sizes, soon).toEqual([1, 2])
  stream.cut()
  await expect.poll(() => stream.received.at(-1)![0]?.sessionid, soon).toBe('session-2')
  trade(3)
  const fourth = trade(4)
  await expect.poll(sizes, soon).toEqual([1, 2, 3, 4])
  stream.tell({ ...fourth, cancel: true }, { ...second, size: '5', correction: true })
  trade(6)
  await expect.poll(async () => (await sizes()).at(-1), soon).toBe(6)
  expect(vendor.beyond).toBe(0)
  const gaps = (await shown()).flags.map((flag) => (flag & AFTER_GAP) !== 0)
  return { sizes: await sizes(), gaps, kinds: troubles.map(({ kind }) => kind) }
}

test('a session leaves the same tape twice: no print is lost without a gap, none is there twice', {
  timeout: 120_000
}, async () => {
  const first = await session()
  // 4 was taken back, and 5 stands for 2. Nobody listened before 1, and before 3.
  expect(first.sizes).toEqual([1, 3, 5, 6])
  expect(first.gaps).toEqual([true, true, false, false])
  expect(first.kinds).toEqual(['feed_interrupted'])
  expect(await session()).toEqual(first)
})

test('frames are told as they came, for a case to send, without the session', async () => {
  const frames: (string | Uint8Array)[] = []
  const { stream, received } = await subscribed({ onFrame: (frame) => void frames.push(frame) })
  const event = timesale(noon)
  stream.tell(event, { error: `${stream.session} has no such symbol` })
  await expect.poll(() => received.length, soon).toBe(1)
  expect(frames).toEqual([`${JSON.stringify(event)}\n{"error":"*** has no such symbol"}\n`])
})

import { describe, expect, test } from 'vitest'
import type { TapeMessage } from '../../../src/connectors/port/prints/print-feed.ts'
import { SourceError } from '../../../src/connectors/port/source-error.ts'
import { TastytradeSales } from '../../../src/connectors/tastytrade/prints/tastytrade-sales.ts'
import { AFTER_GAP, EXTENDED, INTERMARKET_SWEEP, MULTI_LEG } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { keepTapes } from '../keep-tapes.ts'
import { runFeed } from '../run-feed.ts'
import { listing, market, noon, sale, tastytradeOver } from './vendor.ts'

const SPY = 'SPY' as Ticker
const soon = { interval: 5 }
const contract = 'SPY260731C00600000'

async function listening(...args: Parameters<typeof tastytradeOver>) {
  const all = await tastytradeOver(...args)
  return { ...all, ...runFeed(all.tastytrade.prints!, { now: noon }) }
}

async function following(...args: Parameters<typeof tastytradeOver>) {
  const all = await listening(...args)
  await expect.poll(() => all.link.subscribed('TimeAndSale').length, soon).toBe(5)
  return all
}

const sizesOf = (messages: readonly TapeMessage[]) =>
  messages.map((message) => ('print' in message ? message.print.size : 0))

test('follows the contracts of wanted symbols by the price of the underlying, and tells their sales', async () => {
  const { link, received, states, wanted, stop } = await following()
  expect(link.subscribed('Trade')).toEqual(['SPY'])
  expect(states[0]).toEqual({ until: noon, missed: [noon, noon] })
  link.tell(
    'TimeAndSale',
    sale({ size: 1 }),
    sale({ eventSymbol: '.QQQ260731C500', size: 2 }),
    sale({ size: 3, index: 2 })
  )
  await expect.poll(() => sizesOf(received), soon).toEqual([1, 3])
  expect(received[0]).toEqual({
    print: {
      ...{ symbol: SPY, contract, time: noon, price: 1.5, size: 1, exchange: 67, sequence: undefined, flags: 0 },
      ...{ quote: { bid: 1.4, ask: 1.6, time: noon }, spot: undefined }
    }
  })
  wanted.pop()
  await expect.poll(() => link.subscribed('TimeAndSale'), soon).toEqual([])
  expect(await stop()).toBeUndefined()
})

test('follows as many contracts as the connection has room for, others when the spot has moved', async () => {
  const { link } = await listening({}, { most: 2 })
  await expect.poll(() => link.subscribed('TimeAndSale'), soon).toEqual(['.SPY260731C600', '.SPY260731P600'])
  link.tell('Trade', { ...market('Trade', 'SPY'), price: 590 })
  await expect.poll(() => link.subscribed('TimeAndSale'), soon).toEqual(['.SPY260731C590', '.SPY260731P590'])
})

describe('a sale', () => {
  const read = (...events: readonly object[]) => {
    const sales = new TastytradeSales()
    return events.map((event) => sales.read(event as never, SPY, contract))
  }

  test('has the flags of its conditions, of a spread and of extended hours', () => {
    const flags = read(
      sale({ index: 1, exchangeSaleConditions: ' ' }),
      sale({ index: 2, exchangeSaleConditions: null }),
      sale({ index: 3, exchangeSaleConditions: '  S ' }),
      sale({ index: 4, spreadLeg: true }),
      sale({ index: 5, extendedTradingHours: true }),
      sale({ index: 6, exchangeSaleConditions: 'f' })
    ).map((message) => (typeof message === 'object' && 'print' in message ? message.print.flags : message))
    expect(flags).toEqual([0, 0, INTERMARKET_SWEEP, MULTI_LEG, EXTENDED, MULTI_LEG])
  })

  test('is taken back or corrected by its index, as it was told', () => {
    const [, cancel, corrected, unknown] = read(
      sale({ size: 5 }),
      sale({ type: 'CANCEL', size: 9, time: noon + 1000 }),
      ...[sale({ size: 7, index: 2 }), sale({ type: 'CORRECTION', index: 3 })]
    )
    expect(cancel).toMatchObject({ cancel: { size: 5, time: noon + 1000, contract } })
    expect(corrected).toMatchObject({ print: { size: 7 } })
    expect(unknown).toBe('a correction of a sale that was not reported')
    const [, again] = read(sale({ size: 7 }), sale({ type: 'CORRECTION', size: 8, time: noon + 5 }))
    expect(again).toMatchObject({ cancel: { size: 7, time: noon + 5, corrected: { size: 8 } } })
    expect(read(sale({ exchangeSaleConditions: 'A' }))[0]).toMatchObject({ cancel: { size: 10 } })
  })

  test('is told, and taken back, once; those of one millisecond are told apart by their sequence', () => {
    const [first, again, cancel, second, late] = read(
      ...[sale(), sale(), sale({ type: 'CANCEL' }), sale({ type: 'CANCEL' }), sale()]
    )
    expect([again, second, late]).toEqual([
      'a sale that was reported before',
      'a cancel that was reported before',
      'a sale that was reported before'
    ])
    expect([first, cancel]).toMatchObject([{ print: { size: 10 } }, { cancel: { size: 10 } }])
    const [index, next] = ['7667890123456789505', '7667890123456789506'].map(Number)
    expect(index).toBe(next)
    const [one, other] = read(sale({ index, sequence: 1, size: 1 }), sale({ index: next, sequence: 2, size: 2 }))
    expect([one, other]).toMatchObject([{ print: { size: 1 } }, { print: { size: 2 } }])
    const [marked, twice] = read(sale({ exchangeSaleConditions: 'A' }), sale({ exchangeSaleConditions: 'A' }))
    expect([marked, twice]).toMatchObject([{ cancel: { size: 10 } }, 'a sale that was reported before'])
  })

  test('that cannot be is refused by its reason, and a mutated one named by its field', () => {
    const mutated: Record<string, unknown> = {
      price: 'NaN',
      size: 0,
      time: 0,
      exchangeSaleConditions: '%',
      type: 'OLD'
    }
    expect(Object.entries(mutated).map(([name, value]) => read(sale({ [name]: value }))[0])).toEqual([
      'a sale without a price (price)',
      'a sale without a size (size)',
      'a sale without its time (time)',
      'an unknown sale condition (exchangeSaleConditions)',
      'a sale of an unknown type (type)'
    ])
    for (const price of [Number.POSITIVE_INFINITY, 1e6, -1]) {
      expect(read(sale({ price }))).toEqual(['a sale without a price (price)'])
    }
    for (const size of [2 ** 31, 1e300, Number.POSITIVE_INFINITY, 1.5]) {
      expect(read(sale({ size }))).toEqual(['a sale without a size (size)'])
    }
    expect(read(sale({ askPrice: Number.POSITIVE_INFINITY }))[0]).toMatchObject({ print: { quote: undefined } })
    expect(read(sale({ exchangeSaleConditions: 'u' }))).toEqual(['a compression at closing prices'])
    expect(read(sale({ bidPrice: 'NaN' }))[0]).toMatchObject({ print: { quote: undefined } })
    for (const name of Object.keys(sale()).filter((name) => name !== 'eventSymbol')) {
      for (const value of [undefined, [], {}]) {
        expect(() => read(sale({ [name]: value })), `${name} ${value}`).toThrow(new RegExp(`field ${name}`))
        expect(() => read(sale({ [name]: value }))).toThrow(SourceError)
      }
    }
  })
})

test('a line that breaks is connected again, and what was missed is told', async () => {
  const { link, states, clock, received, interruptions } = await following()
  clock.now = noon + 1000
  link.tell('TimeAndSale', sale())
  await expect.poll(() => received.length, soon).toBe(1)
  clock.now = noon + 9000
  link.cut()
  await expect
    .poll(() => states.find(({ missed }) => missed?.[1] === noon + 9000), soon)
    .toEqual({
      until: noon + 9000,
      missed: [noon + 1000, noon + 9000]
    })
  expect(interruptions).toEqual(['tastytrade closed the stream (1006)'])
  await expect.poll(() => link.subscribed('TimeAndSale').length, soon).toBe(5)
})

test('a stream that is refused when it connects again goes on where it was heard last, once it is let in', async () => {
  const { link, tastytrade, clock, received, ended } = await following()
  clock.now = noon + 1000
  link.tell('TimeAndSale', sale({ size: 5 }))
  await expect.poll(() => received.length, soon).toBe(1)
  link.instead = () => ({ channel: 0, type: 'ERROR', error: 'UNAUTHORIZED', message: 'expired' })
  link.cut()
  expect(await ended).toMatchObject({ fault: 'refused' })
  link.instead = () => undefined
  clock.now = noon + 60_000
  const { states, received: more, refused } = runFeed(tastytrade.prints!, clock)
  await expect.poll(() => link.subscribed('TimeAndSale').length, soon).toBe(5)
  expect(states[0]).toEqual({ until: noon + 60_000, missed: [noon + 1000, noon + 60_000] })
  link.tell('TimeAndSale', sale({ size: 5 }), sale({ size: 6, index: 2 }))
  await expect.poll(() => sizesOf(more), soon).toEqual([6])
  expect(refused).toEqual(['SPY: a sale that was reported before'])
})

test('sales are known to the next connection: those told again are refused, and corrections are understood', async () => {
  const { link, received, refused } = await following()
  link.tell('TimeAndSale', sale({ size: 5 }))
  await expect.poll(() => received.length, soon).toBe(1)
  link.cut()
  await expect.poll(() => link.received.length, soon).toBe(2)
  await expect.poll(() => link.subscribed('TimeAndSale').length, soon).toBe(5)
  link.tell('TimeAndSale', sale({ size: 5 }), sale({ type: 'CORRECTION', size: 6 }))
  await expect.poll(() => received.length, soon).toBe(2)
  expect(received[1]).toMatchObject({ cancel: { size: 5, corrected: { size: 6 } } })
  expect(refused).toEqual(['SPY: a sale that was reported before'])
})

test('a symbol that there is no room for is told once, and has its turn when another is not wanted any more', async () => {
  const { link, tastytrade, wanted, refused, received } = await listening(
    { '/option-chains/QQQ': () => ({ body: listing() }) },
    { most: 4 }
  )
  await expect.poll(() => link.subscribed('TimeAndSale').length, soon).toBe(4) // of five
  wanted.unshift('QQQ' as Ticker)
  await expect.poll(() => refused, soon).toEqual(['QQQ: no room among the streamed contracts'])
  link.tell('Trade', { eventSymbol: 'QQQ', price: 600 })
  link.tell('TimeAndSale', sale({ size: 7 }))
  await expect.poll(() => sizesOf(received), soon).toEqual([7])
  expect([tastytrade.streams!.without, tastytrade.streams!.contracts]).toEqual([1, 4])
  expect(link.subscribed('TimeAndSale')).toHaveLength(4)
  expect(refused).toHaveLength(1)
  wanted.pop()
  await expect.poll(() => tastytrade.streams!.without, soon).toBe(0)
  await expect.poll(() => link.subscribed('Trade'), soon).toEqual(['QQQ'])
  link.tell('TimeAndSale', sale({ size: 8, index: 2 }))
  await expect.poll(() => received.at(-1), soon).toMatchObject({ print: { symbol: 'QQQ', size: 8 } })
})

test('an event that cannot be read is refused alone, and the connection goes on', async () => {
  const { link, received, refused, interruptions } = await following()
  link.tell('Trade', { eventSymbol: 'SPY', price: null })
  link.tell('TimeAndSale', sale({ price: {} }), sale({ size: 4, index: 2 }))
  await expect.poll(() => sizesOf(received), soon).toEqual([4])
  expect(refused).toEqual(Array(2).fill('an answer of dxLink cannot be used: the field price is no number'))
  expect(interruptions).toEqual([])
  expect(link.received).toHaveLength(1)
})

test('contracts that cannot be listed are asked for ever more seldom, until they are there', async () => {
  let asked = 0
  const times: number[] = []
  const { link, refused } = await listening(
    {
      '/option-chains': () => {
        times.push(performance.now())
        return ++asked < 4 ? { status: 502 } : { body: listing() }
      }
    },
    { limits: { firstRetry: 80, longestRetry: 200 } }
  )
  await expect.poll(() => link.subscribed('TimeAndSale').length, soon).toBe(5)
  expect(times).toHaveLength(4)
  const pauses = times.slice(1).map((time, k) => time - times[k])
  for (const [k, least] of [75, 155, 195].entries()) expect(pauses[k]).toBeGreaterThan(least)
  expect(refused).toEqual(Array(3).fill('SPY: contracts that could not be listed (unavailable)'))
})

test('signs of life are sent, and a server without any is left', async () => {
  const { link, interruptions } = await following({}, { limits: { keepalive: 20, silence: 150 } })
  const { length } = link.received
  await expect
    .poll(() => link.received.at(-1)!.filter(({ type }) => type === 'KEEPALIVE').length, soon)
    .toBeGreaterThan(2)
  await expect.poll(() => interruptions[0], soon).toBe('the stream of tastytrade said nothing for 0.15 s')
  await expect.poll(() => link.received.length, soon).toBeGreaterThan(length)
})

test('a session of a tape has every sale once, with a gap where the line was down, the same each time', {
  timeout: 180_000
}, async () => {
  const session = async () => {
    const { link, tastytrade, rest } = await tastytradeOver()
    const { keeper, now, troubles, shown, sizes } = keepTapes(tastytrade.prints, noon)
    const followed = () => link.subscribed('TimeAndSale').length
    keeper.keep(SPY)
    await expect.poll(followed, soon).toBe(5)
    const first = now()
    link.tell('TimeAndSale', sale({ time: first, size: 1, index: 1 }), sale({ time: first + 2, size: 2, index: 2 }))
    link.tell('TimeAndSale', sale({ time: first + 1, size: 3, index: 3 }), sale({ time: first + 1, size: 3, index: 4 }))
    await expect.poll(async () => (await sizes()).length, soon).toBe(4)
    link.cut()
    await expect.poll(() => link.received.length, soon).toBe(2)
    await expect.poll(followed, soon).toBe(5)
    const second = now()
    link.tell('TimeAndSale', sale({ time: second, size: 4, index: 5 }), sale({ time: second + 1, size: 5, index: 6 }))
    link.tell('TimeAndSale', sale({ time: second + 2, type: 'CANCEL', size: 5, index: 6 }))
    link.tell('TimeAndSale', sale({ time: second + 3, size: 6, index: 7 }))
    await expect.poll(async () => (await sizes()).at(-1), soon).toBe(6)
    const { sizes: shownSizes, flags } = await shown()
    const gaps = flags.map((flag) => (flag & AFTER_GAP) !== 0)
    await keeper.close()
    return { sizes: shownSizes, gaps, troubles: troubles.map(({ kind }) => kind), requests: rest.asked.length }
  }
  const first = await session()
  expect(first).toEqual({
    sizes: [1, 2, 3, 3, 4, 6],
    gaps: [true, false, false, false, true, false],
    troubles: ['feed_interrupted'],
    requests: 3
  })
  expect(await session()).toEqual(first)
})

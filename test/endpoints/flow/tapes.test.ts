import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { ADJUSTED, LARGE_PRICE_UNIT, MULTI_LEG, SETS_NO_PRICE, type TapeKind } from '../../../src/market/print.ts'
import type { ListedSeries } from '../../../src/market/series.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import type { PlainPrint, PlainTape } from '../../support/plain-tape.ts'
import { codeOf, type TapeMarket, tapeAnswer, ticker } from '../../support/tape-market.ts'

const at = (text: string) => Date.parse(text)
const now = at('2026-07-29T15:00:30.250Z')
const series: readonly ListedSeries[] = [
  { date: '2026-07-29' as IsoDate, root: 'SPY', settlement: 'pm', strike: 630.5, right: CALL, adjusted: false },
  { date: '2026-08-21' as IsoDate, root: 'SPY', settlement: 'pm', strike: 620, right: PUT, adjusted: false },
  { date: '2026-08-21' as IsoDate, root: 'SPY1', settlement: 'pm', strike: 620, right: PUT, adjusted: true }
]

/** A print of 10 at 1.25 USD at a time of 2026-07-29, UTC, unless it says otherwise. */
const print = (time: string, more: Partial<PlainPrint> = {}): PlainPrint => ({
  ts: 1000 * at(time.length > 12 ? time : `2026-07-29T${time}Z`),
  price: 12_500,
  size: 10,
  side: 'buy',
  ...more
})
const tape = (kind: TapeKind, prints: readonly PlainPrint[], more: Partial<PlainTape> = {}): PlainTape => ({
  symbol: ticker('SPY'),
  kind,
  session: '2026-07-29' as IsoDate,
  prints,
  series,
  ...more
})
const market = (...tapes: readonly PlainTape[]): TapeMarket => ({ now, tapes })
const bare = market(tape('option', []), tape('stock', []))

const tapePaths = endpoints.map(({ path }) => path).filter((path) => /^\/v1\/flow\/(options|stocks)\//.test(path))
const ofSymbol = tapePaths.filter((path) => path.includes('{symbol}'))
const scans = tapePaths.filter((path) => !path.includes('{symbol}'))
const needed = (path: string) => (path.endsWith('/bars') ? { resolution: '1m' } : {})
const options = '/v1/flow/options/{symbol}'
const stocks = '/v1/flow/stocks/{symbol}'

test('sixteen operations read tapes', () => {
  expect([ofSymbol.length, scans.length]).toEqual([12, 4])
})

describe('a symbol', () => {
  test.each(ofSymbol)('that did not trade is answered with zeros and nothing on %s', (path) => {
    const answer = tapeAnswer<Readonly<Record<string, unknown>>>(path, bare, needed(path))
    const figures = Object.entries(answer).filter(
      ([name, value]) => typeof value === 'number' && !/^(minutes|window_minutes|minSize)$/.test(name)
    )
    expect(figures.map(([, value]) => value)).toEqual(figures.map(() => 0))
    const lists = Object.values(answer).filter((value) => Array.isArray(value))
    expect(lists).toEqual(lists.map(() => []))
    expect(figures.length).toBeGreaterThan(0)
  })

  test.each(ofSymbol)('that nobody knows is not found on %s, whatever else is wrong', (path) => {
    expect(codeOf(path, { ...bare, tapes: [], unknown: ['SPY'] }, needed(path))).toBe('symbol_not_found')
    expect(codeOf(path, bare, { ...needed(path), symbol: 'TOOLONGTICKER' })).toBe('symbol_not_found')
  })

  test.each(ofSymbol)('of which only daily bars are known is known on %s', (path) => {
    expect(codeOf(path, { ...bare, barsAlone: ['SPY'] }, needed(path))).toBe('answered')
    expect(codeOf(path, { ...bare, tapes: [], barsAlone: ['SPY'] }, needed(path))).toBe('upstream_unavailable')
  })
})

describe('a feed', () => {
  test.each(tapePaths)('that is not there, or silent, makes %s unavailable', (path) => {
    expect(codeOf(path, market(), needed(path))).toBe('upstream_unavailable')
    const silent = market(tape('option', [], { silent: true }), tape('stock', [], { silent: true }))
    expect(codeOf(path, silent, needed(path))).toBe('upstream_unavailable')
  })

  const inferred = market(tape('option', [], { source: 'inferred' }), tape('stock', [], { source: 'inferred' }))
  test.each(tapePaths)('that gives no prints answers %s unless it shows single ones', (path) => {
    const single = /recent|blocks/.test(path)
    expect(codeOf(path, inferred, needed(path))).toBe(single ? 'upstream_unavailable' : 'answered')
  })

  test('that gives no prints has no bars of a second', () => {
    expect(codeOf(`${stocks}/bars`, inferred, { resolution: '1s' })).toBe('upstream_unavailable')
    expect(codeOf(`${stocks}/bars`, inferred, { resolution: '5m' })).toBe('answered')
  })
})

describe('a parameter', () => {
  test.each([
    [`${options}/recent`, { expiry: '2026-02-30' }, 'invalid_expiry'],
    [`${options}/dealer-premium`, { expiry: 'soon' }, 'invalid_expiry'],
    [`${options}/recent`, { expiration: 'soon' }, 'invalid_expiry'],
    [`${options}/recent`, { limit: 'many' }, 'invalid_parameter'],
    [`${options}/recent`, { limit: '1.5' }, 'invalid_parameter'],
    [`${options}/blocks`, { minSize: 'x' }, 'invalid_parameter'],
    [`${stocks}/history`, { minutes: 'x' }, 'invalid_parameter'],
    ['/v1/flow/options/leaderboard', { n: 'x' }, 'invalid_parameter'],
    ['/v1/flow/stocks/outliers', { minTrades: 'x' }, 'invalid_parameter'],
    [`${stocks}/bars`, {}, 'invalid_resolution'],
    [`${stocks}/bars`, { resolution: '2h' }, 'invalid_resolution'],
    [`${stocks}/bars`, { resolution: '1m', minutes: 'x' }, 'invalid_parameter'],
    // Before the symbol is looked for.
    [`${options}/recent`, { symbol: 'NOBODY', limit: 'x' }, 'invalid_parameter']
  ])('of %s that reads %o is refused as %s', (path, query, code) => {
    expect(codeOf(path, { ...bare, unknown: ['NOBODY'] }, query as Readonly<Record<string, string>>)).toBe(code)
  })

  test.each([
    [`${options}/history`, 'minutes', '0', 1],
    [`${options}/history`, 'minutes', '10081', 10_080],
    [`${options}/blocks`, 'minSize', '-1', 1],
    [`${stocks}/blocks`, 'minSize', '0', 1],
    ['/v1/flow/options/leaderboard', 'n', '51', 50],
    ['/v1/flow/stocks/outliers', 'limit', '201', 200],
    ['/v1/flow/stocks/leaderboard', 'windowMinutes', '0', 1]
  ])('of %s that is out of range is moved to its bound: %s %s', (path, name, sent, echoed) => {
    expect(tapeAnswer(path, bare, { [name]: sent })).toMatchObject({ [name]: echoed })
  })

  test('has its default where it is not sent', () => {
    expect(tapeAnswer(`${options}/history`, bare)).toMatchObject({ minutes: 60, expiry: null })
    expect(tapeAnswer(`${options}/cumulative`, bare)).toMatchObject({ minutes: 240 })
    expect(tapeAnswer(`${options}/dealer-premium`, bare)).toMatchObject({ window_minutes: 240 })
    expect(tapeAnswer(`${options}/blocks`, bare)).toMatchObject({ minSize: 100 })
    expect(tapeAnswer(`${stocks}/blocks`, bare)).toMatchObject({ minSize: 10_000 })
    expect(tapeAnswer('/v1/flow/options/leaderboard', bare)).toMatchObject({ n: 10, windowMinutes: 240 })
    expect(tapeAnswer('/v1/flow/stocks/outliers', bare)).toMatchObject({ limit: 20, windowMinutes: 240 })
  })

  test.each(
    ofSymbol.filter((path) => path.startsWith('/v1/flow/options/'))
  )('expiry has another name on %s', (path) => {
    const found = market(tape('option', [print('14:59:00.000'), print('14:59:01.000', { instrument: 1, size: 200 })]))
    const date = '2026-08-21'
    const one = tapeAnswer<object>(path, found, { expiry: date })
    expect(tapeAnswer(path, found, { expiration: date })).toEqual(one)
    expect(tapeAnswer(path, found, { expiration: date, expiry: date })).toEqual(one)
    expect(one).not.toEqual({ ...tapeAnswer<object>(path, found, { expiry: '2026-07-29' }), expiry: date })
    expect(codeOf(path, found, { expiration: date, expiry: '2026-07-29' })).toBe('invalid_expiry')
    expect(tapeAnswer(path, found, { expiry: '2026-09-18' })).toEqual({
      ...tapeAnswer<object>(path, market(tape('option', [])), { expiry: '2026-09-18' }),
      ...('as_of' in one && { as_of: one.as_of })
    })
  })

  test('the word 0dte is the date of today', () => {
    expect(tapeAnswer(`${options}/recent`, bare, { expiry: '0dte' })).toMatchObject({ expiry: '2026-07-29' })
  })
})

describe('prints', () => {
  const prints = [
    print('14:59:00.000', { price: 30_000 }),
    print('15:00:01.000', { price: 10_000, instrument: 1, side: 'sell', bid: 10_000, ask: 10_500 }),
    print('14:58:00.000', { price: 20_000, instrument: 2, flags: ADJUSTED, size: 100, side: 'mid' }),
    print('15:00:01.000', { price: 40_000, bid: 0, ask: 45_000 })
  ]

  test('are shown newest first by their own time, then by arrival, to the millisecond', () => {
    const odd = [...prints, print('15:00:02.123', { ts: 1000 * at('2026-07-29T15:00:02.123Z') + 999 })]
    const { trades } = tapeAnswer<{ trades: readonly { ts: string; price: number }[] }>(
      `${options}/recent`,
      market(tape('option', odd))
    )
    expect(trades.map(({ price }) => price)).toEqual([1.25, 4, 1, 3, 2])
    expect(trades[0].ts).toBe('2026-07-29T15:00:02.123Z')
  })

  test('show their series, side and the quote they were judged by', () => {
    const asked = { limit: '1', expiry: '2026-08-21' }
    const answer = tapeAnswer(`${options}/recent`, market(tape('option', prints)), asked)
    expect(answer).toEqual({
      symbol: 'SPY',
      expiry: '2026-08-21',
      count: 1,
      totalAvailable: 2,
      trades: [
        {
          ...{ ts: '2026-07-29T15:00:01.000Z', price: 1, size: 10, side: 'sell', isBlock: false, bid: 1, ask: 1.05 },
          ...{ instrumentId: expect.any(Number), expiry: '2026-08-21', strike: 620, right: 'P' }
        }
      ]
    })
  })

  test('of which no bid was quoted show 0, those without a quote null', () => {
    const { trades } = tapeAnswer<{ trades: readonly object[] }>(`${options}/recent`, market(tape('option', prints)))
    expect(trades[0]).toMatchObject({ bid: 0, ask: 4.5 })
    expect(trades[2]).toMatchObject({ bid: null, ask: null })
  })

  test('of adjusted series are shown, and counted in no sum', () => {
    const found = market(tape('option', prints))
    expect(tapeAnswer(`${options}/blocks`, found)).toMatchObject({ count: 1, blocks: [{ size: 100, strike: 620 }] })
    expect(tapeAnswer(`${options}/summary`, found)).toMatchObject({ totalTrades: 3, midVolume: 0 })
    expect(tapeAnswer(`${options}/history`, found)).toMatchObject({ count: 2 })
  })

  test('below the floor of large ones are looked for among the newest alone', () => {
    const large = print('14:00:00.000', { size: 5000, side: 'sell' })
    const flood = Array.from({ length: 10_000 }, (_, k) => print(`14:30:00.${`${k % 1000}`.padStart(3, '0')}`))
    const found = market(tape('option', [large, ...flood]), tape('stock', [large, ...flood]))
    expect(tapeAnswer(`${options}/blocks`, found, { minSize: '25' })).toMatchObject({ count: 1 })
    expect(tapeAnswer(`${options}/blocks`, found, { minSize: '24' })).toMatchObject({ count: 0 })
    expect(tapeAnswer(`${stocks}/blocks`, found, { minSize: '1000' })).toMatchObject({ count: 1 })
    expect(tapeAnswer(`${stocks}/blocks`, found, { minSize: '999' })).toMatchObject({ count: 0 })
    expect(tapeAnswer(`${options}/recent`, found)).toMatchObject({ count: 50, totalAvailable: 10_000 })
  })

  test('of a tape in whole cents keep their prices', () => {
    const dear = {
      unit: LARGE_PRICE_UNIT,
      prints: [print('15:00:01.000', { price: 74_512_345, bid: 74_500_000, ask: 74_600_000 })]
    }
    const found = market({ ...tape('stock', []), ...dear })
    const prices = { price: 745_123.45, bid: 745_000, ask: 746_000 }
    expect(tapeAnswer(`${stocks}/recent`, found)).toMatchObject({ trades: [prices] })
    const bucket = { vwap: 745_123.45, open: 745_123.45, close: 745_123.45, high: 745_123.45, low: 745_123.45 }
    expect(tapeAnswer(`${stocks}/history`, found)).toMatchObject({ buckets: [bucket] })
    expect(tapeAnswer(`${stocks}/bars`, found, { resolution: '1s' })).toMatchObject({ bars: [bucket] })
    expect(tapeAnswer('/v1/flow/stocks/leaderboard', found)).toMatchObject({
      buyers: [{ symbol: 'SPY', vwap: 745_123.45, netNotional: 7_451_234.5 }]
    })
  })
})

describe('a window', () => {
  const minutesOf = (found: TapeMarket, query = {}) =>
    tapeAnswer<{ buckets: readonly { ts: string }[] }>(`${options}/history`, found, query).buckets.map(({ ts }) => ts)

  test('ends with the minute of now, which is half empty, and holds as many minutes as it says', () => {
    const found = market(
      tape(
        'option',
        ['14:57:59.999', '14:58:00.000', '15:00:30.100'].map((time) => print(time))
      )
    )
    expect(minutesOf(found, { minutes: '3' })).toEqual(['2026-07-29T15:00:00.000Z', '2026-07-29T14:58:00.000Z'])
    expect(minutesOf(found, { minutes: '4' })).toHaveLength(3)
    expect(tapeAnswer(`${options}/dealer-premium`, found, { windowMinutes: '3' })).toMatchObject({
      trade_count: 2,
      bucket_count: 2
    })
  })

  test('of a scan begins so many minutes before the current one', () => {
    const found = market(
      tape(
        'option',
        ['14:57:59.999', '14:58:00.000', '15:00:30.100'].map((time) => print(time))
      )
    )
    const asked = { windowMinutes: '2', minTrades: '1' }
    expect(tapeAnswer('/v1/flow/options/outliers', found, asked)).toMatchObject({ outliers: [{ tradeCount: 2 }] })
  })

  test('goes on through the sessions before, closed hours included', () => {
    const before = tape('option', [print('2026-07-28T19:59:00.000Z'), print('2026-07-28T13:30:00.000Z')], {
      session: '2026-07-28' as IsoDate
    })
    const found = market(before, tape('option', [print('14:59:00.000')]))
    expect(minutesOf(found, { minutes: '1141' })).toHaveLength(1)
    expect(minutesOf(found, { minutes: '1142' })).toEqual(['2026-07-29T14:59:00.000Z', '2026-07-28T19:59:00.000Z'])
    expect(minutesOf(found, { minutes: '10080' })).toHaveLength(3)
    expect(tapeAnswer(`${options}/summary`, found)).toMatchObject({ totalTrades: 1 })
  })

  test('adds the expirations of a minute up, and tells them apart where one is asked for', () => {
    const prints = [
      print('14:59:00.000', { price: 10_000 }),
      print('14:59:10.000', { price: 40_000, size: 20, side: 'sell', instrument: 1 }),
      print('14:59:20.000', { price: 70_000, size: 30, side: 'mid', instrument: 1, flags: MULTI_LEG })
    ]
    const found = market(tape('option', prints))
    const all = { buyVolume: 10, sellVolume: 20, midVolume: 30, netVolume: -10, tradeCount: 3, biggestTrade: 30 }
    expect(tapeAnswer(`${options}/history`, found)).toMatchObject({
      buckets: [{ ...all, vwap: 5, high: 7, low: 1 }]
    })
    expect(tapeAnswer(`${options}/history`, found, { expiry: '2026-08-21' })).toMatchObject({
      buckets: [{ buyVolume: 0, tradeCount: 2, vwap: 5.8, high: 7, low: 4 }]
    })
    expect(tapeAnswer(`${options}/dealer-premium`, found)).toMatchObject({
      dealer_buy_premium: 8000,
      dealer_write_premium: 1000,
      net_dealer_premium: 7000,
      total_premium: 9000,
      trade_count: 3
    })
  })

  test('of a stock has no price where nothing of a minute may set one', () => {
    const prints = [
      print('14:58:00.000', { flags: SETS_NO_PRICE, size: 300 }),
      print('14:59:00.000', { price: 20_000, size: 1 }),
      print('14:59:01.000', { price: 90_000, size: 500, flags: SETS_NO_PRICE })
    ]
    const found = market(tape('stock', prints))
    const none = { vwap: null, open: null, close: null, high: null, low: null }
    expect(tapeAnswer(`${stocks}/history`, found)).toMatchObject({
      buckets: [
        { buyVolume: 501, tradeCount: 2, biggestTrade: 500, vwap: 2, open: 2, close: 2, high: 2, low: 2 },
        { buyVolume: 300, ...none }
      ]
    })
    expect(tapeAnswer(`${stocks}/cumulative`, found)).toMatchObject({
      points: [
        { vwap: null, cumulative: 300 },
        { vwap: 2, cumulative: 801 }
      ]
    })
  })
})

describe('the moment of dealer premium', () => {
  const path = `${options}/dealer-premium`
  const found = market(tape('option', [print('15:00:12.345')]))

  test('is that of the newest print, or of the chain where it is newer', () => {
    expect(tapeAnswer(path, found)).toMatchObject({ as_of: '2026-07-29T15:00:12.345Z' })
    expect(tapeAnswer(path, bare)).toMatchObject({ as_of: '2026-07-29T15:00:00.000Z' })
  })

  test('is the minute of now where nothing else tells it', () => {
    expect(tapeAnswer(path, { ...bare, barsAlone: ['SPY'] })).toMatchObject({ as_of: '2026-07-29T15:00:00.000Z' })
  })
})

describe('bars', () => {
  const path = `${stocks}/bars`
  const times = (found: TapeMarket, query: Readonly<Record<string, string>>) =>
    tapeAnswer<{ bars: readonly { ts: string; closed: boolean }[] }>(path, found, query).bars.map(
      ({ ts, closed }) => `${ts.slice(0, 19)} ${closed}`
    )

  test('begin with the bar that the beginning of the window lies in', () => {
    const quarterPast = at('2026-07-29T14:17:00Z')
    const prints = ['13:59:59.999', '14:00:00.000', '14:14:59.000', '14:16:59.000'].map((time) => print(time))
    const found = { now: quarterPast, tapes: [tape('stock', prints)] }
    expect(times(found, { resolution: '15m', minutes: '15' })).toEqual([
      '2026-07-29T14:00:00 true',
      '2026-07-29T14:15:00 false'
    ])
  })

  test('of a second are closed when the next one begins', () => {
    const found = market(tape('stock', [print('15:00:29.000'), print('15:00:30.100')]))
    expect(times(found, { resolution: '1s' })).toEqual(['2026-07-29T15:00:29 true', '2026-07-29T15:00:30 false'])
  })

  test('of four hours lie on the hours of New York in winter and over a change of clocks', () => {
    const sunday = at('2026-11-01T18:30:00Z')
    const prints = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T08:59:00Z', '2026-11-01T09:00:00Z'].map(
      (time) => print(time)
    )
    const found = { now: sunday, tapes: [tape('stock', prints, { session: '2026-11-01' as IsoDate })] }
    expect(times(found, { resolution: '4h', minutes: '1440' })).toEqual([
      '2026-11-01T04:00:00 true',
      '2026-11-01T09:00:00 true'
    ])
  })

  test('reach back into the session before, those of a second not', () => {
    const before = tape('stock', [print('2026-07-28T19:59:58.500Z')], { session: '2026-07-28' as IsoDate })
    const found = market(before, tape('stock', [print('13:30:07.000')]))
    const asked = { minutes: '1440' }
    expect(times(found, { ...asked, resolution: '1h' })).toHaveLength(2)
    expect(times(found, { ...asked, resolution: '1s' })).toHaveLength(1)
    const startOf = (query: object) => tapeAnswer<{ dataStartUtc: string }>(path, found, { ...asked, ...query })
    expect(startOf({ resolution: '1h' }).dataStartUtc).toBe('2026-07-28T19:59:00.000Z')
    expect(startOf({ resolution: '1s' }).dataStartUtc).toBe('2026-07-29T13:30:07.000Z')
    expect(startOf({ resolution: '1h', minutes: '5' }).dataStartUtc).toBe('2026-07-29T13:30:07.000Z')
    expect(tapeAnswer(path, bare, { resolution: '1s' })).toMatchObject({ dataStartUtc: null })
  })
})

test('an outlier shows the newest of its biggest prints, and no vwap of a last minute that has none', () => {
  const prints = [
    print('14:50:00.000', { size: 400 }),
    print('14:55:00.000', { size: 400, price: 30_000 }),
    print('15:00:20.500', { size: 5, flags: SETS_NO_PRICE, side: 'sell' })
  ]
  const answer = tapeAnswer('/v1/flow/stocks/outliers', market(tape('stock', prints)), { minTrades: '3' })
  expect(answer).toMatchObject({
    generatedUtc: '2026-07-29T15:00:30.250Z',
    ...{ tracked: 1, qualified: 1 },
    outliers: [
      {
        ...{ symbol: 'SPY', skew: 'STRONG_BUY', notional: 1700, netNotional: 1689.38, imbalancePct: 98.7578 },
        ...{ biggestTrade: 400, biggestTradeUtc: '2026-07-29T14:55:00.000Z', biggestAgeSec: 330 },
        ...{ lastVwap: null, lastTradeUtc: '2026-07-29T15:00:20.500Z', lastTradeAgeSec: 9 }
      }
    ]
  })
})

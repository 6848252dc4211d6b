import { expect } from 'vitest'
import { MILLISECONDS_PER_MINUTE } from '../../../src/market/units.ts'
import {
  again,
  type Case,
  expectRounded,
  falls,
  neverRises,
  type Proofs,
  proveOverTapes,
  rises,
  timesOf
} from './proofs.ts'

interface Trade {
  readonly ts: string
  readonly price: number
  readonly size: number
  readonly side: string
  readonly isBlock: boolean
  readonly bid: number | null
  readonly ask: number | null
}
interface Recent {
  readonly count: number
  readonly totalAvailable: number
  readonly trades: readonly Trade[]
}
interface Summary {
  readonly totalTrades: number
  readonly buyVolume: number
  readonly sellVolume: number
  readonly midVolume: number
  readonly netVolume: number
  readonly biggestSingleTrade: number
  readonly lastTradeUtc: string | null
}
interface Blocks {
  readonly count: number
  readonly blocks: readonly Trade[]
}
interface Bucket {
  readonly ts: string
  readonly buyVolume: number
  readonly sellVolume: number
  readonly midVolume: number
  readonly netVolume: number
  readonly tradeCount: number
  readonly biggestTrade: number
  readonly vwap: number | null
  readonly open?: number | null
  readonly close?: number | null
  readonly high: number | null
  readonly low: number | null
}
interface History {
  readonly count: number
  readonly minutes: number
  readonly buckets: readonly Bucket[]
}
interface Cumulative {
  readonly count: number
  readonly points: readonly (Pick<Bucket, 'ts' | 'netVolume' | 'vwap' | 'tradeCount'> & {
    readonly cumulative: number
  })[]
}
interface Premium {
  readonly window_minutes: number
  readonly dealer_buy_premium: number
  readonly dealer_write_premium: number
  readonly net_dealer_premium: number
  readonly total_premium: number
  readonly trade_count: number
  readonly bucket_count: number
}

const expiries = [{}, { expiry: '0dte' }, { expiry: '2026-08-21' }, { expiry: '2026-09-18' }]
const limits = [{}, { limit: '1' }, { limit: '3' }, { limit: '0' }, { limit: '9999' }]
const windows = ['1', '2', '60', '240', '2000', '99999'].map((minutes) => ({ minutes }))
const both = (some: readonly object[], others: readonly object[]) =>
  some.flatMap((one) => others.map((other) => ({ ...one, ...other })))

const limitOf = ({ query }: Case, most: number) => Math.min(500, Math.max(1, Number(query['limit'] ?? most)))
const isRanked = (rows: readonly { readonly ts: string }[]) => expect(neverRises(timesOf(rows))).toBe(true)
const isNet = (row: Pick<Bucket, 'netVolume' | 'buyVolume' | 'sellVolume'>) =>
  expect(row.netVolume).toBe(row.buyVolume - row.sellVolume)
const volumeOf = (row: Pick<Bucket, 'buyVolume' | 'sellVolume' | 'midVolume'>) =>
  row.buyVolume + row.sellVolume + row.midVolume

const recent = (block: number): Proofs<Recent> => ({
  'count == len(trades) <= limit': ({ count, trades }, at) => {
    expect(count).toBe(trades.length)
    expect(count).toBeLessThanOrEqual(limitOf(at, 50))
  },
  'count <= totalAvailable': ({ count, totalAvailable }, at) => {
    expect(count).toBe(Math.min(totalAvailable, limitOf(at, 50)))
  },
  'ts non-increasing': ({ trades }) => isRanked(trades),
  [`isBlock == (size >= ${block})`]: ({ trades }) => {
    for (const { isBlock, size } of trades) expect(isBlock).toBe(size >= block)
  }
})

proveOverTapes<Recent>('/v1/flow/options/{symbol}/recent', both(expiries, limits), {
  ...recent(100),
  'side == buy when bid < ask and price >= ask, side == sell when bid < ask and price <= bid (prints that print_eligibility sets to mid excepted)':
    ({ trades }) => {
      for (const { bid, ask, price, side } of trades) {
        if (bid === null || ask === null || bid >= ask || side === 'mid') continue
        if (price >= ask) expect(side).toBe('buy')
        if (price <= bid) expect(side).toBe('sell')
      }
    }
})
proveOverTapes('/v1/flow/stocks/{symbol}/recent', limits, recent(10_000))

const summary: Proofs<Summary> = {
  'netVolume == buyVolume - sellVolume': isNet,
  'totalTrades == 0 iff lastTradeUtc == null': ({ totalTrades, lastTradeUtc }) =>
    expect(totalTrades === 0).toBe(lastTradeUtc === null)
}
proveOverTapes<Summary & { readonly contractsWithTrades: number }>('/v1/flow/options/{symbol}/summary', expiries, {
  ...summary,
  'biggestSingleTrade <= buyVolume + sellVolume + midVolume': (row) =>
    expect(row.biggestSingleTrade).toBeLessThanOrEqual(volumeOf(row)),
  'own: expirations add up to the whole': (whole, at) => {
    const dates = ['2026-07-29', '2026-07-31', '2026-08-21']
    const parts = dates.map((expiry) => again<typeof whole>('/v1/flow/options/{symbol}/summary', at, { expiry }))
    const sum = (of: (part: typeof whole) => number) => parts.reduce((total, part) => total + of(part), 0)
    const { contractsWithTrades, totalTrades, midVolume, biggestSingleTrade } = again<typeof whole>(
      '/v1/flow/options/{symbol}/summary',
      { ...at, query: {} },
      {}
    )
    expect(contractsWithTrades).toBe(sum((part) => part.contractsWithTrades))
    expect(totalTrades).toBe(sum((part) => part.totalTrades))
    expect(midVolume).toBe(sum((part) => part.midVolume))
    expect(biggestSingleTrade).toBe(Math.max(...parts.map((part) => part.biggestSingleTrade)))
  }
})
proveOverTapes('/v1/flow/stocks/{symbol}/summary', [{}], summary)

const blocks = (least: number): Proofs<Blocks> => ({
  'count == len(blocks)': (answer) => expect(answer.count).toBe(answer.blocks.length),
  'every blocks[].size >= minSize': (answer, { query }) => {
    const asked = Math.max(1, Number(query['minSize'] ?? least))
    expect((answer as { readonly minSize?: number }).minSize).toBe(asked)
    for (const { size } of answer.blocks) expect(size).toBeGreaterThanOrEqual(asked)
  },
  'ts non-increasing': (answer) => isRanked(answer.blocks),
  'own: limit caps the rows': (answer, at) => expect(answer.count).toBeLessThanOrEqual(limitOf(at, 200))
})
const sizes = ['-5', '1', '24', '25', '1000'].map((minSize) => ({ minSize }))
proveOverTapes('/v1/flow/options/{symbol}/blocks', both(both(expiries, limits), [{}, ...sizes]), blocks(100))
proveOverTapes('/v1/flow/stocks/{symbol}/blocks', both(limits, [{}, ...sizes]), blocks(10_000))

const isWithin = ({ low, high, ...prices }: Pick<Bucket, 'low' | 'high' | 'vwap' | 'open' | 'close'>) => {
  for (const price of [prices.vwap, prices.open, prices.close]) {
    if (price === undefined) continue
    expect(price === null).toBe(low === null)
    if (price === null) continue
    expect(price).toBeGreaterThanOrEqual(low!)
    expect(price).toBeLessThanOrEqual(high!)
  }
}
const inWindow = (times: readonly number[], { market: { now } }: Case, minutes: number) => {
  const last = MILLISECONDS_PER_MINUTE * Math.floor(now / MILLISECONDS_PER_MINUTE)
  for (const time of times) {
    expect(time % MILLISECONDS_PER_MINUTE).toBe(0)
    expect(time).toBeLessThanOrEqual(last)
    expect(time).toBeGreaterThan(last - minutes * MILLISECONDS_PER_MINUTE)
  }
}
const history: Proofs<History> = {
  'count == len(buckets) <= minutes': ({ count, buckets, minutes }, { query }) => {
    expect(minutes).toBe(Math.min(10_080, Number(query['minutes'])))
    expect(count).toBe(buckets.length)
    expect(count).toBeLessThanOrEqual(minutes)
  },
  'ts strictly decreasing and minute-aligned': ({ buckets, minutes }, at) => {
    expect(falls(timesOf(buckets))).toBe(true)
    inWindow(timesOf(buckets), at, minutes)
  },
  'netVolume == buyVolume - sellVolume': ({ buckets }) => buckets.forEach(isNet)
}
proveOverTapes<History>('/v1/flow/options/{symbol}/history', both(expiries, windows), {
  ...history,
  'low <= vwap <= high': ({ buckets }) => buckets.forEach(isWithin),
  'biggestTrade <= buyVolume + sellVolume + midVolume': ({ buckets }) => {
    for (const bucket of buckets) expect(bucket.biggestTrade).toBeLessThanOrEqual(volumeOf(bucket))
  }
})
proveOverTapes<History>('/v1/flow/stocks/{symbol}/history', windows, {
  ...history,
  'low <= open,close,vwap <= high': ({ buckets }) => buckets.forEach(isWithin)
})

const historyOf = (kind: 'options' | 'stocks') => `/v1/flow/${kind}/{symbol}/history`
const cumulative = (kind: 'options' | 'stocks'): Proofs<Cumulative> => ({
  'count == len(points)': ({ count, points }) => expect(count).toBe(points.length),
  'points[i].cumulative == points[i-1].cumulative + points[i].netVolume': ({ points }) => {
    let running = 0
    for (const { netVolume, cumulative: shown } of points) expect(shown).toBe((running += netVolume))
  },
  'ts strictly increasing': ({ points }) => expect(rises(timesOf(points))).toBe(true),
  'own: the buckets are those of the history, oldest first': ({ points }, at) => {
    const { buckets } = again<History>(historyOf(kind), at, {})
    const expected = buckets.map(({ ts, netVolume, vwap, tradeCount }) => ({ ts, netVolume, vwap, tradeCount }))
    expect(points.map(({ cumulative: _, ...point }) => point)).toEqual(expected.reverse())
  }
})
proveOverTapes<Cumulative>('/v1/flow/options/{symbol}/cumulative', both(expiries, windows), {
  ...cumulative('options'),
  'points[0].cumulative == points[0].netVolume': ({ points: [first] }) => {
    if (first !== undefined) expect(first.cumulative).toBe(first.netVolume)
  }
})
proveOverTapes('/v1/flow/stocks/{symbol}/cumulative', windows, cumulative('stocks'))

proveOverTapes<Premium>(
  '/v1/flow/options/{symbol}/dealer-premium',
  both(
    expiries,
    windows.map(({ minutes }) => ({ windowMinutes: minutes }))
  ),
  {
    'net_dealer_premium ~= dealer_buy_premium - dealer_write_premium': (answer) =>
      expectRounded(answer.net_dealer_premium, answer.dealer_buy_premium - answer.dealer_write_premium, 2),
    'total_premium ~= dealer_buy_premium + dealer_write_premium': (answer) =>
      expectRounded(answer.total_premium, answer.dealer_buy_premium + answer.dealer_write_premium, 2),
    'bucket_count <= window_minutes': (answer) =>
      expect(answer.bucket_count).toBeLessThanOrEqual(answer.window_minutes),
    'trade_count == sum(tradeCount) of options history with minutes = window_minutes': (answer, at) => {
      const { count, buckets } = again<History>(historyOf('options'), at, { minutes: `${answer.window_minutes}` })
      expect(answer.trade_count).toBe(buckets.reduce((sum, { tradeCount }) => sum + tradeCount, 0))
      expect(answer.bucket_count).toBe(count)
    }
  }
)

interface Bar extends Bucket {
  readonly closed: boolean
}
interface Bars {
  readonly resolution: string
  readonly count: number
  readonly bars: readonly Bar[]
  readonly dataStartUtc: string | null
}
const minutesOf: Readonly<Record<string, number>> = {
  '1s': 1 / 60,
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240
}
const bars = '/v1/flow/stocks/{symbol}/bars'
/** No change of the clocks is near, so a bar of four hours is as long as it says. */
const lengthOf = (resolution: string) => Math.round(minutesOf[resolution] * MILLISECONDS_PER_MINUTE)
proveOverTapes<Bars>(
  bars,
  both(
    Object.keys(minutesOf).map((resolution) => ({ resolution })),
    [{}, { minutes: '1' }, { minutes: '1440' }]
  ),
  {
    'count == len(bars)': (answer) => expect(answer.count).toBe(answer.bars.length),
    'ts strictly increasing and aligned to resolution': (answer) => {
      expect(rises(timesOf(answer.bars))).toBe(true)
      // New York is four hours behind, so its hours of four are those of UTC.
      for (const time of timesOf(answer.bars)) expect(time % lengthOf(answer.resolution)).toBe(0)
    },
    'closed == (now >= ts + resolution)': (answer, { market }) => {
      for (const { ts, closed } of answer.bars) {
        expect(closed).toBe(market.now >= Date.parse(ts) + lengthOf(answer.resolution))
      }
      expect(answer.bars.slice(0, -1).every(({ closed }) => closed)).toBe(true)
    },
    'low <= open,close,vwap <= high': (answer) => answer.bars.forEach(isWithin),
    'netVolume == buyVolume - sellVolume': (answer) => answer.bars.forEach(isNet),
    'bars at 5m equal the roll-up of bars at 1m over the same closed span': (_, at) => {
      const minutes = again<Bars>(bars, at, { resolution: '1m', minutes: '1440' }).bars
      for (const bar of again<Bars>(bars, at, { resolution: '5m', minutes: '1435' }).bars) {
        const start = Date.parse(bar.ts)
        const its = minutes.filter(({ ts }) => Date.parse(ts) >= start && Date.parse(ts) < start + lengthOf('5m'))
        const prices = (of: (one: Bar) => number | null) => its.map(of).filter((price) => price !== null)
        const sum = (of: (one: Bar) => number) => its.reduce((total, one) => total + of(one), 0)
        expect(bar).toMatchObject({
          buyVolume: sum((one) => one.buyVolume),
          sellVolume: sum((one) => one.sellVolume),
          midVolume: sum((one) => one.midVolume),
          tradeCount: sum((one) => one.tradeCount),
          biggestTrade: Math.max(...its.map((one) => one.biggestTrade)),
          open: prices((one) => one.open!)[0] ?? null,
          close: prices((one) => one.close!).at(-1) ?? null,
          high: its.every(({ high }) => high === null) ? null : Math.max(...prices((one) => one.high)),
          low: its.every(({ low }) => low === null) ? null : Math.min(...prices((one) => one.low))
        })
      }
    },
    'own: bars of minutes are the roll-up of bars of seconds within the session': (_, at) => {
      const today = (rows: readonly Bar[]) => rows.filter(({ ts }) => ts >= '2026-07-29T04:00:00')
      const seconds = today(again<Bars>(bars, at, { resolution: '1s', minutes: '1440' }).bars)
      const minutes = today(again<Bars>(bars, at, { resolution: '1m', minutes: '1440' }).bars)
      const count = (rows: readonly Bar[]) => rows.reduce((sum, { tradeCount }) => sum + tradeCount, 0)
      expect(count(seconds)).toBe(count(minutes))
      expect([...new Set(seconds.map(({ ts }) => ts.slice(0, 16)))]).toEqual(minutes.map(({ ts }) => ts.slice(0, 16)))
    }
  }
)

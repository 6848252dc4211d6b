import { expect, test } from 'vitest'
import { createSynthetic } from '../../../src/connectors/synthetic/synthetic-connector.ts'
import { session } from '../../../src/market/calendar.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'

const market = createSynthetic({ seed: 1 })
const { signal } = new AbortController()
const wednesday = session('2026-11-25' as IsoDate)!
const halfDay = session('2026-11-27' as IsoDate)!
const minute = 60_000

const minutesOf = ({ date, open, close }: typeof wednesday, symbol = 'SPY') =>
  market.minutePrices!(symbol as Ticker, date, (close - open) / minute)

test.each([
  'SPY',
  'SPX',
  'AAPL',
  'VIX'
])('minutes of %s begin and end at the prices that its chains show', async (symbol) => {
  const { open, close } = (await minutesOf(wednesday, symbol))!
  for (const k of [0, 1, 59, 200, 388]) {
    const at = (after: number) => market.chain(symbol as Ticker, wednesday.open + (k + after) * minute, signal)
    const [start, end] = await Promise.all([at(0), at(1)])
    expect(Math.abs(open[k] - start!.spot), `${k}`).toBeLessThanOrEqual(0.0051)
    expect(Math.abs(close[k] - end!.spot), `${k}`).toBeLessThanOrEqual(0.0051)
  }
})

test.each([wednesday, halfDay])('the minutes of $date lie within its daily bar and join', async (day) => {
  const { date, open, high, low, close } = (await minutesOf(day))!
  const bar = (await market.dailyBars('SPY' as Ticker, halfDay.close, signal)).find((bar) => bar.date === day.date)!
  expect(date).toBe(day.date)
  expect([open[0], close.at(-1)]).toEqual([bar.open, bar.close])
  expect(close).toHaveLength((day.close - day.open) / minute)
  for (const k of close.keys()) {
    expect(low[k]).toBeLessThanOrEqual(Math.min(open[k], close[k]))
    expect(high[k]).toBeGreaterThanOrEqual(Math.max(open[k], close[k]))
    if (k > 0) expect(open[k]).toBe(close[k - 1])
  }
  expect(Math.min(...low)).toBeGreaterThanOrEqual(bar.low)
  expect(Math.max(...high)).toBeLessThanOrEqual(bar.high)
})

test('the shares of the minutes are those of the daily bar, and of the prints of each; an index trades none', async () => {
  const { shares } = (await minutesOf(wednesday))!
  const bar = (await market.dailyBars('SPY' as Ticker, halfDay.close, signal)).find(
    ({ date }) => date === wednesday.date
  )!
  expect(shares!.reduce((sum, each) => sum + each, 0)).toBe(bar.volume)
  const printed = [0, 0, 0]
  const end = wednesday.open + printed.length * minute
  for await (const messages of market.prints!.past!('SPY' as Ticker, wednesday.open, end, signal)) {
    for (const message of messages) {
      if (!('print' in message) || message.print.contract !== undefined) continue
      printed[Math.floor((message.print.time - wednesday.open) / minute)]! += message.print.size
    }
  }
  expect(printed.slice(0, 3)).toEqual([...shares!.slice(0, 3)])
  expect((await minutesOf(wednesday, 'SPX'))!.shares).toBeUndefined()
})

test('a part of a session is the beginning of the whole', async () => {
  const whole = (await minutesOf(wednesday))!
  const part = (await market.minutePrices!('SPY' as Ticker, wednesday.date, 100))!
  for (const name of ['open', 'high', 'low', 'close', 'shares'] as const)
    expect(part[name]).toEqual(whole[name]!.slice(0, 100))
})

test('nothing is made of an unknown symbol or a day without a session', async () => {
  expect(await market.minutePrices!('ZZZZ' as Ticker, wednesday.date, 1)).toBeUndefined()
  expect(await market.minutePrices!('SPY' as Ticker, '2026-11-26' as IsoDate, 1)).toBeUndefined()
})

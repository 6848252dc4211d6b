import { describe, expect, test } from 'vitest'
import type { DailyBar } from '../../../src/market/bar.ts'
import { tradingDays } from '../../../src/market/calendar.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { market } from './ask.ts'

const { bars, chain, connector } = market()
const spx = await bars('SPX', '2030-12-31')
const returns = (series: readonly DailyBar[]) =>
  series.slice(1).map(({ close }, i) => Math.log(close / series[i].close))

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0)
  return product(xs, ys) / Math.sqrt(product(xs, xs) * product(ys, ys))
}

test('there is one bar for each completed session', async () => {
  const expected = tradingDays('2017-01-03' as IsoDate, '2026-11-18' as IsoDate)
  expect((await bars('AAPL', '2026-11-18', '16:00')).map(({ date }) => date)).toEqual(expected)
  expect((await bars('AAPL', '2026-11-18', '15:59:59')).map(({ date }) => date)).toEqual(expected.slice(0, -1))
  expect((await bars('AAPL', '2026-11-22', '12:00')).at(-1)!.date).toBe('2026-11-20')
})

test.each(['SPX', 'AAPL', 'VIX', 'AMC', 'TLT'])('open and close of %s lie within high and low', async (symbol) => {
  for (const { open, high, low, close } of await bars(symbol, '2030-12-31')) {
    expect(low).toBeLessThanOrEqual(Math.min(open, close))
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
    expect(low).toBeGreaterThan(0)
  }
})

describe.each(['SPX', 'SPY', 'NVDA', 'VIX'])('%s within a day', (symbol) => {
  test('starts at the open, stays within the bar and ends at the close', async () => {
    const bar = (await bars(symbol, '2026-11-17')).at(-1)!
    const first = await chain(symbol, '2026-11-17', '09:30')
    expect(Math.abs(first.spot - bar.open)).toBeLessThanOrEqual(0.05 + 2e-4 * bar.open)
    for (let minute = 570; minute < 960; minute += 13) {
      const { spot, quote } = await chain(symbol, '2026-11-17', `${Math.floor(minute / 60)}:${minute % 60}:17`)
      for (const price of [spot, quote.last]) {
        expect(price).toBeGreaterThanOrEqual(bar.low)
        expect(price).toBeLessThanOrEqual(bar.high)
      }
    }
    expect((await chain(symbol, '2026-11-17', '16:00')).spot).toBe(bar.close)
    const last = await chain(symbol, '2026-11-17', '15:59:59')
    expect(Math.abs(last.spot / bar.close - 1)).toBeLessThan(symbol === 'VIX' ? 0.01 : 0.002)
  })

  test('moves by small steps from second to second', async () => {
    let before = (await chain(symbol, '2026-11-17', '11:00:00')).spot
    let moved = 0
    for (let second = 1; second < 30; second++) {
      const { spot } = await chain(symbol, '2026-11-17', `11:00:${second}`)
      expect(Math.abs(spot / before - 1)).toBeLessThan(symbol === 'VIX' ? 0.02 : 0.003)
      if (spot !== before) moved++
      before = spot
    }
    expect(moved).toBeGreaterThan(symbol === 'VIX' ? 2 : 10)
  })
})

test('SPY and XSP are a tenth of SPX, QQQ and IWM follow their indexes', async () => {
  for (const time of ['09:30', '11:11:11', '15:30', '16:00']) {
    const spot = async (symbol: string) => (await chain(symbol, '2026-11-18', time)).spot
    expect(Math.abs((await spot('SPX')) / 10 - (await spot('SPY')))).toBeLessThan(0.02)
    expect(Math.abs((await spot('SPX')) / 10 - (await spot('XSP')))).toBeLessThan(0.01)
    expect((await spot('NDX')) / (await spot('QQQ'))).toBeCloseTo(24600 / 600, 2)
    expect((await spot('RUT')) / (await spot('IWM'))).toBeCloseTo(10, 2)
    expect((await spot('DJX')) / (await spot('DIA'))).toBeCloseTo(1, 3)
    expect((await spot('GOOG')) / (await spot('GOOGL'))).toBeCloseTo(301 / 300, 2)
  }
})

test('the index moves like one: about 15 % a year, fat tails, clustered', () => {
  const daily = returns(spx)
  const squares = daily.map((x) => x * x)
  const variance = squares.reduce((sum, x) => sum + x) / daily.length
  expect(Math.sqrt(252 * variance)).toBeGreaterThan(0.1)
  expect(Math.sqrt(252 * variance)).toBeLessThan(0.22)
  expect(squares.reduce((sum, x) => sum + x * x, 0) / daily.length / variance ** 2).toBeGreaterThan(3.5)
  const centred = squares.map((x) => x - variance)
  expect(correlation(centred.slice(1), centred.slice(0, -1))).toBeGreaterThan(0.05)
})

test('names move with the market in proportion to their beta', async () => {
  const nvda = correlation(returns(spx), returns(await bars('NVDA', '2030-12-31')))
  expect(nvda).toBeGreaterThan(0.4)
  expect(nvda).toBeLessThan(0.8)
  expect(correlation(returns(spx), returns(await bars('SQQQ', '2030-12-31')))).toBeLessThan(-0.8)
  expect(Math.abs(correlation(returns(spx), returns(await bars('GLD', '2030-12-31'))))).toBeLessThan(0.2)
})

test('the VIX rises when the index falls and stays where it belongs', async () => {
  const vix = await bars('VIX', '2030-12-31')
  expect(correlation(returns(spx), returns(vix))).toBeLessThan(-0.6)
  const levels = vix.map(({ close }) => close).sort((a, b) => a - b)
  expect(levels[0]).toBeGreaterThan(8)
  expect(levels[levels.length >> 1]).toBeGreaterThan(13)
  expect(levels[levels.length >> 1]).toBeLessThan(22)
  expect(levels.at(-1)).toBeGreaterThan(28)
  expect(levels.at(-1)).toBeLessThan(90)
})

test('no price runs away over the years', async () => {
  for (const symbol of ['SPX', 'AAPL', 'TLT', 'XOM', 'GLD', 'KO', 'NVDA', 'MSTR']) {
    const closes = (await bars(symbol, '2030-12-31')).map(({ close }) => close)
    expect(Math.max(...closes) / Math.min(...closes), symbol).toBeLessThan(40)
  }
  expect(connector.fixedAt).toBeUndefined()
})

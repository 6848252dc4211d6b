import { describe, expect, test } from 'vitest'
import type { WindowTotals } from '../../src/flow/tape-views.ts'
import { leaders } from '../../src/flow/windows/leaders.ts'
import { flowSkew, outliers } from '../../src/flow/windows/outliers.ts'
import { PRICE_UNIT } from '../../src/market/print.ts'
import type { Ticker } from '../../src/market/units.ts'

/** A window of prints at 2 USD. */
function windowOf(symbol: string, bought: number, sold: number, more: Partial<WindowTotals> = {}): WindowTotals {
  const size = bought + sold
  const money = { money: 20_000 * size, pricedSize: size, lastMoney: 20_000 * size, lastPricedSize: size }
  const prints = { other: 0, trades: 30, biggest: size, biggestAt: 5e15, newest: 5e15 }
  return { symbol: symbol as Ticker, unit: PRICE_UNIT, bought, sold, ...prints, ...money, ...more }
}

describe('leaders', () => {
  test('are those with the most net money, ties by symbol, and nobody without any', () => {
    const windows = [windowOf('D', 10, 10), windowOf('C', 30, 10), windowOf('A', 20, 0), windowOf('B', 0, 5)]
    const { buyers, sellers } = leaders(windows, { multiplier: 100, count: 10 })
    expect(buyers.map(({ totals, money }) => [totals.symbol, money.net])).toEqual([
      ['A', 4000],
      ['C', 4000]
    ])
    expect(sellers.map(({ totals, money }) => [totals.symbol, money.net])).toEqual([['B', -1000]])
  })

  test('are without a symbol of which no print may set a price', () => {
    const { buyers } = leaders([windowOf('A', 20, 0, { money: 0, pricedSize: 0 })], { multiplier: 1, count: 10 })
    expect(buyers).toEqual([])
  })

  test('take prices by the unit of their tape', () => {
    const cents = windowOf('BRK.A', 3, 1, { unit: 0.01, money: 4 * 75_000_000, pricedSize: 4 })
    const [{ money }] = leaders([cents], { multiplier: 1, count: 1 }).buyers
    expect(money).toEqual({ vwap: 750_000, notional: 3_000_000, net: 1_500_000 })
  })
})

describe('outliers', () => {
  const terms = { multiplier: 1, count: 10, minTrades: 20 }

  test('need a print to be tracked, and prints enough and a side to qualify', () => {
    const windows = [
      windowOf('A', 0, 0, { trades: 0 }),
      windowOf('B', 0, 0, { other: 50 }),
      windowOf('C', 9, 1, { trades: 19 }),
      windowOf('D', 9, 1, { trades: 20 })
    ]
    const { tracked, qualified, outliers: rows } = outliers(windows, terms)
    expect([tracked, qualified, rows.map(({ totals }) => totals.symbol)]).toEqual([3, 1, ['D']])
  })

  test('have no net money without a price', () => {
    const [row] = outliers([windowOf('A', 5, 1, { money: 0, pricedSize: 0 })], terms).outliers
    expect(row.money).toEqual({ vwap: undefined, notional: 0, net: 0 })
  })

  test.each([
    [4.999, 'FLAT'],
    [-4.999, 'FLAT'],
    [5, 'MILD_BUY'],
    [-5, 'MILD_SELL'],
    [14.999, 'MILD_BUY'],
    [15, 'BUY'],
    [-34.999, 'SELL'],
    [35, 'STRONG_BUY'],
    [-100, 'STRONG_SELL']
  ])('lean %d percent to the side of %s', (tilt, skew) => {
    expect(flowSkew(tilt)).toBe(skew)
  })
})

import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { quoteIntervals, ticksOf } from '../../../src/volatility/market-smile/quote-intervals.ts'
import { outOfTheMoneyValue } from '../../../src/volatility/variance/variance-swap.ts'
import { sketched } from '../../support/hand-made.ts'
import { priced } from '../../support/markets.ts'
import { chainOf, series } from '../chains.ts'

const quoting = (quote: (strike: number, right: number) => readonly [number, number] | undefined): PricedChain =>
  chainOf([series('2026-08-28', { quote })])

/** The out-of-the-money price at a strike from its total variance, USD. */
function priceAt(chain: PricedChain, k: number, w: number): number {
  const { forward, discount } = chain.carries[0]
  return discount * forward * outOfTheMoneyValue(k, w)
}

describe('the intervals of a listing', () => {
  test('hold puts below the forward and calls from it on, by strike', () => {
    const chain = chainOf([series('2026-08-28')])
    const { forward } = chain.carries[0]
    const { size, k, prices } = quoteIntervals(chain, 0)
    expect(size).toBeGreaterThan(40)
    for (let i = 0; i < size; i++) {
      expect(prices.right[i]).toBe(prices.strike[i] < forward ? PUT : CALL)
      expect(k[i]).toBeCloseTo(Math.log(prices.strike[i] / forward), 12)
      if (i > 0) expect(prices.strike[i]).toBeGreaterThan(prices.strike[i - 1])
    }
  })

  test('reach from bid less half a tick to ask and half a tick, and know the mid', () => {
    const chain = quoting((strike) => (strike === 95 ? [0.8, 0.9] : undefined))
    expect(ticksOf(chain)).toEqual({ below3: 0.01, from3: 0.01 })
    const { k, low, mid, high, prices } = quoteIntervals(chain, 0)
    const i = prices.strike.indexOf(95)
    expect(priceAt(chain, k[i], low[i])).toBeCloseTo(0.795, 9)
    expect(priceAt(chain, k[i], mid[i])).toBeCloseTo(0.85, 9)
    expect(priceAt(chain, k[i], high[i])).toBeCloseTo(0.905, 9)
  })

  test('keep half of a bid that is below half a tick', () => {
    const chain = quoting((strike) => (strike === 80 ? [0.004, 0.01] : undefined))
    const { k, low, prices } = quoteIntervals(chain, 0)
    const i = prices.strike.indexOf(80)
    expect(priceAt(chain, k[i], low[i])).toBeCloseTo(0.002, 9)
  })

  test('have an upper end alone without a bid, absent or zero', () => {
    const chain = quoting((strike) => (strike === 80 ? [0, 0.05] : strike === 81 ? [Number.NaN, 0.05] : undefined))
    const { low, mid, high, prices, size, twoSided } = quoteIntervals(chain, 0)
    for (const strike of [80, 81]) {
      const i = prices.strike.indexOf(strike)
      expect([low[i], mid[i], high[i] > 0]).toEqual([Number.NaN, Number.NaN, true])
    }
    expect(twoSided).toBeLessThanOrEqual(size - 2)
  })

  test('leave out crossed quotes, those without an ask, and asks above what an option can cost', () => {
    const chain = quoting((strike) => {
      if (strike === 80) return [0.3, 0.2]
      if (strike === 81) return [0.3, Number.NaN]
      return strike === 120 ? [0.1, 150] : undefined
    })
    const { prices, size } = quoteIntervals(chain, 0)
    const strikes = [...prices.strike.subarray(0, size)]
    for (const strike of [80, 81, 120]) expect(strikes).not.toContain(strike)
  })

  test('are none where the listing is no longer live', () => {
    const chain = chainOf([series('2026-07-28'), series('2026-08-28')])
    expect(quoteIntervals(chain, 0)).toMatchObject({ size: 0, twoSided: 0 })
  })
})

describe('the ticks of a chain', () => {
  const sessionWith = (quote: (strike: number, right: number) => readonly [number, number]) =>
    ticksOf(
      priced(sketched({ date: '2026-07-29', time: '11:00', spot: 100, series: [series('2026-08-28', { quote })] }))
    )
  const rounded = (tick: number) => (strike: number, right: number) => {
    const price = 2.5 + Math.max(0, right === CALL ? 100 - strike : strike - 100) + ((strike * 7) % 13) / 10
    return [tick * Math.floor(price / tick), tick * Math.ceil(price / tick + 0.5)] as const
  }

  test('are a nickel and a dime, nickels or pennies, whichever is the widest they keep to', () => {
    const dimes = (strike: number, right: number) =>
      rounded(rounded(0.05)(strike, right)[0] < 2.8 ? 0.05 : 0.1)(strike, right)
    expect(sessionWith(dimes)).toEqual({ below3: 0.05, from3: 0.1 })
    expect(sessionWith(rounded(0.05))).toEqual({ below3: 0.05, from3: 0.05 })
    expect(sessionWith(rounded(0.01))).toEqual({ below3: 0.01, from3: 0.01 })
  })
})

import { expect, test } from 'vitest'
import { liveScope } from '../../src/exposure/scope.ts'
import { tradedPremium } from '../../src/exposure/traded-premium.ts'
import { chainOf, series } from '../volatility/chains.ts'

test('is volume times mid by side, and nothing where a side of the quote is missing', () => {
  const quotes = [
    [95, 1, [1, 1.2]],
    [100, 0, [2, 3]],
    [100, 1, [0, 5]]
  ] as const
  const listed = series('2026-08-28', {
    strikes: [95, 100],
    volume: (strike, right) => strike - 90 + right,
    quote: (strike, right) => quotes.find(([k, side]) => k === strike && side === right)?.[2] ?? [Number.NaN, 1]
  })
  const { calls, puts } = tradedPremium(liveScope(chainOf([listed])))
  expect(calls).toBeCloseTo(10 * 2.5 * 100, 8) // the call at 100
  expect(puts).toBeCloseTo(6 * 1.1 * 100, 8) // the put at 95; nobody bids for that at 100
})

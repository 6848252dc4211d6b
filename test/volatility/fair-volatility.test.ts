import { expect, test } from 'vitest'
import { fairVolatilityOf } from '../../src/volatility/fair-volatility.ts'
import { acceptedSlices } from '../../src/volatility/slice.ts'
import { chainOf, series } from './chains.ts'

const fairOf = (sigma: number | ((strike: number) => number)) =>
  fairVolatilityOf(acceptedSlices(chainOf([series('2026-08-28', { sigma })]))[0])

test('a flat smile is worth its own volatility', () => {
  const { fairVolatility, atmVolatility, convexity } = fairOf(0.2)
  expect(fairVolatility).toBeCloseTo(20, 1)
  expect(atmVolatility).toBeCloseTo(20, 1)
  expect(convexity).toBe(fairVolatility - atmVolatility)
})

test('wings make a variance swap dearer than volatility at the money', () => {
  expect(fairOf((strike) => 0.2 + 0.8 * Math.log(strike / 100) ** 2).convexity).toBeGreaterThan(0.1)
})

import { expect, test } from 'vitest'
import { straddleVolatility } from '../../src/pricing/straddle-volatility.ts'
import { handMade } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'

const { carries } = handMade('one expiration').chain
const [carry] = carries
const { spot, t, rate, dividendYield, forward } = carry

test('the volatility of a straddle prices the call and the put that make it', () => {
  for (const strike of [80, 95, 100, 100.3, 108, 120]) {
    for (const sigma of [0.08, 0.2, 0.6, 2]) {
      const priced = (call: boolean) => scalarGreeks({ call, spot, strike, t, rate, dividendYield, sigma }).price
      const outside = Math.min(priced(true), priced(false))
      if (outside < 1e-6) continue
      expect(straddleVolatility(carry, strike, priced(true) + priced(false))).toBeCloseTo(sigma, 6)
    }
  }
})

test('a straddle worth less than its strike is away is taken for the expected absolute move', () => {
  const strike = forward + 5
  expect(straddleVolatility(carry, strike, 4)).toBeCloseTo((4 / spot) * Math.sqrt(Math.PI / (2 * t)), 12)
})

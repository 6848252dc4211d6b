import { expect, test } from 'vitest'
import { CALL, PUT } from '../../../../src/market/chain.ts'
import { fillPremiums } from '../../../../src/pricing/american/early-exercise.ts'
import { cachedYieldTables } from '../../../../src/pricing/american/yield/cached-yield-tables.ts'
import { yieldTables } from '../../../../src/pricing/american/yield/yield-table.ts'

const terms = { t: 0.7, rate: 0.045, dividendYield: 0.012 }

/** PremiumTables in units of the strike at seventeen strikes and two volatilities, for both rights. */
function premiums(grids: ReturnType<typeof cachedYieldTables>, t: number): Float64Array {
  const size = 68
  const strike = Float64Array.from({ length: size }, (_, i) => 60 + 5 * (i % 17))
  const right = Uint8Array.from({ length: size }, (_, i) => (i < size / 2 ? CALL : PUT))
  const sigma = Float64Array.from({ length: size }, (_, i) => (i % 34 < 17 ? 0.15 : 0.3))
  const out = new Float64Array(size)
  fillPremiums({ ...terms, t, spot: 100 }, grids, strike, right, sigma, 0, size, out)
  return out.map((value, i) => value / strike[i])
}

test('grids are made once for terms that differ by nothing a premium would notice', () => {
  const held = cachedYieldTables(terms, 0.11, 0.42)
  expect(cachedYieldTables({ ...terms, t: 0.7 + 1e-7 }, 0.113, 0.41).put).toBe(held.put)
  expect(cachedYieldTables({ ...terms, t: 0.7 + 3e-4 }, 0.11, 0.42).put).not.toBe(held.put)
  expect(cachedYieldTables({ ...terms, rate: 0.0451 }, 0.11, 0.42).put).not.toBe(held.put)
  expect(cachedYieldTables({ ...terms, dividendYield: 0.0121 }, 0.11, 0.42).put).not.toBe(held.put)
  expect(cachedYieldTables(terms, 0.05, 0.42).put).not.toBe(held.put)
})

test('they cover what was asked for', () => {
  for (const [low, high] of [
    [0.08, 0.35],
    [0.03, 2.4],
    [0.2, 0.2000001]
  ]) {
    const { put, call } = cachedYieldTables(terms, low, high)
    for (const grid of [put, call]) {
      expect(grid.low).toBeLessThanOrEqual(low)
      expect(grid.high).toBeGreaterThanOrEqual(high)
    }
  }
})

test('through an hour of trading they stay within 2.5e-6 of the strike of grids made on the spot', () => {
  for (let minute = 0; minute <= 60; minute++) {
    const t = terms.t - minute / 390 / 365
    const [held, exact] = [cachedYieldTables({ ...terms, t }, 0.1, 0.5), yieldTables({ ...terms, t }, 0.08, 0.56)]
    const [there, here] = [premiums(held, t), premiums(exact, t)]
    // The grids themselves are right to 2e-6.
    there.forEach((value, i) => {
      const isExercised = Number.isNaN(value)
      expect(isExercised).toBe(Number.isNaN(here[i]))
      if (!isExercised) expect(Math.abs(value - here[i])).toBeLessThan(2.5e-6 + 2e-6)
    })
  }
})

test('the last seconds still have a time of their own', () => {
  expect(cachedYieldTables({ ...terms, t: 1e-7 }, 0.1, 0.5).put.terms.t).toBeGreaterThan(0)
})

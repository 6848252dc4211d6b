import { describe, expect, test } from 'vitest'
import { normalCdf } from '../../../src/math/normal.ts'
import { acceptedSlices } from '../../../src/volatility/smile/slice.ts'
import { type Svi, totalVariance } from '../../../src/volatility/svi/svi.ts'
import {
  discreteFairVariance,
  fairVariance,
  fairVolatilityOf,
  outOfTheMoneyValue,
  replicated
} from '../../../src/volatility/variance/variance-swap.ts'
import { testRecorded } from '../../pricing/recorded.ts'
import { chainOf, series } from '../chains.ts'
import { flat } from '../generated.ts'

/** Put below the forward and call above it over the strike, in units of the forward: Black as the wire contract writes it. */
function integrand(svi: Svi, k: number): number {
  const w = totalVariance(svi, k)
  const d1 = -k / Math.sqrt(w) + Math.sqrt(w) / 2
  const d2 = d1 - Math.sqrt(w)
  const value = k <= 0 ? Math.exp(k) * normalCdf(-d2) - normalCdf(-d1) : normalCdf(d1) - Math.exp(k) * normalCdf(d2)
  return value * Math.exp(-k)
}

/** The integral by Simpson's rule, each side for itself in 20,000 steps to where nothing is left of it. */
function slowFairVariance(svi: Svi): number {
  const side = (sign: number) => {
    let limit = 0.15
    while (limit < 5 && integrand(svi, sign * limit) > 1e-14 * integrand(svi, 0)) limit = Math.min(5, limit * 1.01)
    const h = limit / 20_000
    let sum = integrand(svi, 0) + integrand(svi, sign * limit)
    for (let n = 1; n < 20_000; n++) sum += (n % 2 === 0 ? 2 : 4) * integrand(svi, sign * n * h)
    return (sum * h) / 3
  }
  return 2 * (side(1) + side(-1))
}

describe('the fair variance', () => {
  test.each([0.0001, 0.0004, 0.001, 0.01, 0.04, 0.09, 0.5])('of a flat smile is its total variance, %f', (w) => {
    expect(fairVariance(flat(Math.sqrt(w), 1)) / w).toBeCloseTo(1, 7)
  })

  test('of no variance is 0', () => {
    expect(fairVariance(flat(0, 1))).toBe(0)
  })

  test.each<[string, Svi]>([
    ['a flat one', flat(0.2, 0.1)],
    ['a month of an index', { a: -0.0006, b: 0.033, rho: -0.45, m: 0.03, sigma: 0.06 }],
    ['a day of an index', { a: 0.00001, b: 0.006, rho: -0.3, m: 0.002, sigma: 0.006 }],
    ['half a year of a stock', { a: 0.01, b: 0.12, rho: -0.3, m: 0.05, sigma: 0.2 }],
    ['a vertex beyond the quotes', { a: 0.001, b: 0.02, rho: 0.3, m: 0.4, sigma: 0.1 }]
  ])('of %s is that of a fine integration', (_, svi) => {
    expect(Math.abs(fairVariance(svi) / slowFairVariance(svi) - 1)).toBeLessThan(1e-9)
  })

  test.each<[string, Svi]>([
    ['two years of a wild stock', { a: 0.02, b: 0.25, rho: -0.3, m: 0.1, sigma: 0.3 }],
    ['wings nearly as steep as they may be', { a: 0.001, b: 1.1, rho: -0.8, m: 0, sigma: 0.05 }]
  ])('of %s, which is still worth something at |k| = 5, is met to a millionth', (_, svi) => {
    expect(integrand(svi, -5)).toBeGreaterThan(1e-7)
    expect(Math.abs(fairVariance(svi) / slowFairVariance(svi) - 1)).toBeLessThan(1e-6)
  })

  test('of a leaning smile lies above the variance at the forward', () => {
    const svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }
    expect(fairVariance(svi)).toBeGreaterThan(totalVariance(svi, 0))
  })

  test('grows with every smile that lies above another', () => {
    const svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }
    expect(fairVariance({ ...svi, a: 0.003 })).toBeGreaterThan(fairVariance(svi))
  })
})

test('the value of an option without variance is 0', () => {
  expect(outOfTheMoneyValue(-0.1, 0)).toBe(0)
  expect(outOfTheMoneyValue(0.1, 0)).toBe(0)
})

interface Example {
  readonly spot: number
  readonly r: number
  readonly T: number
  readonly dk: number
  readonly puts: readonly (readonly [number, number])[]
  readonly calls: readonly (readonly [number, number])[]
  readonly fair_variance: number
}

const name = 'the published example is 0.04189 on its strikes and 0.04019 on ever denser ones'
testRecorded<Example>('quantlib_demeterfi_varswap.json', name, ({ spot, r, T, dk, puts, calls, fair_variance }) => {
  const forward = spot * Math.exp(r * T)
  const discount = Math.exp(-r * T)
  const priced = (isCall: boolean) => (strike: number) => {
    const k = Math.log(strike / forward)
    const sigma = 0.2 - 0.01 * ((strike - 100) / 5)
    const value = outOfTheMoneyValue(k, sigma * sigma * T) * forward
    const intrinsic = Math.max(isCall ? forward - strike : strike - forward, 0)
    return { strike, price: discount * (value + intrinsic) }
  }
  const strikes = (list: Example['puts']) => list.map(([strike]) => strike)
  const terms = { forward, discount, t: T }
  const listed = { puts: strikes(puts).map(priced(false)), calls: strikes(calls).map(priced(true)), step: dk }
  expect(discreteFairVariance({ ...terms, ...listed })).toBeCloseTo(fair_variance, 4)

  const ladder = (from: number, to: number) => Array.from({ length: 50 * (to - from) + 1 }, (_, i) => from + i / 50)
  const dense = { puts: ladder(50, 100).map(priced(false)), calls: ladder(100, 160).map(priced(true)), step: 0.02 }
  const smile = (k: number) => (0.2 - 0.01 * ((forward * Math.exp(k) - 100) / 5)) ** 2 * T
  expect(replicated(smile) / T).toBeCloseTo(0.04019, 5)
  expect(discreteFairVariance({ ...terms, ...dense })).toBeCloseTo(0.04019, 5)
})

test('strikes that do not meet, or on one side only, replicate nothing', () => {
  const terms = { forward: 100, discount: 1, t: 0.25, step: 5 }
  const option = { strike: 100, price: 4 }
  expect(discreteFairVariance({ ...terms, puts: [option], calls: [] })).toBeUndefined()
  expect(discreteFairVariance({ ...terms, puts: [option], calls: [{ strike: 105, price: 2 }] })).toBeUndefined()
})

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

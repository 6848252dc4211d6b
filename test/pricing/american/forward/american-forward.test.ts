import { describe, expect, test } from 'vitest'
import { americanPrice } from '../../../../src/pricing/american/american-option.ts'
import {
  americanForward,
  type PairTerms,
  termsWithForward
} from '../../../../src/pricing/american/forward/american-forward.ts'
import { type QuotedPairs, weightedForward } from '../../../../src/pricing/american/forward/weighted-forward.ts'
import { premiumTables, volatilityRange } from '../../../../src/pricing/american/premium-table.ts'
import type { Right } from '../../../../src/pricing/bsm.ts'
import { type LocalVolatility, localVolatilityPrice } from '../local-volatility.ts'

const SPOT = 100

/** Pairs at strikes from 0.6 to 1.2 of the forward, two cents wide; with 33 of them none lies where pairs cease to count. */
function pairsAt(forward: number, count: number, priceOf: (right: Right, strike: number) => number): QuotedPairs {
  const strike = Float64Array.from({ length: count }, (_, k) => forward * (0.6 + (0.6 * k) / (count - 1)))
  return {
    strike,
    call: strike.map((k) => priceOf('call', k)),
    put: strike.map((k) => priceOf('put', k)),
    halfSpreads: strike.map(() => 0.02)
  }
}

/** Parity of the raw prices at the strike whose call and put cost the most alike. */
function rawForward({ t, rate }: PairTerms, { strike, call, put }: QuotedPairs): number {
  const gap = (k: number) => Math.abs(call[k] - put[k])
  const nearest = strike.reduce((best, _, k) => (gap(k) < gap(best) ? k : best), 0)
  return strike[nearest] + (call[nearest] - put[nearest]) * Math.exp(rate * t)
}

const basisPoints = (found: number, wanted: number) => 1e4 * Math.log(found / wanted)

describe('a chain of American prices of one volatility gives its forward back within a tenth of a basis point', () => {
  test.each([
    [0.1, 0.045, 0.012],
    [0.5, 0.045, 0.012],
    [2.36, 0.045, 0.012],
    [0.5, 0.02, 0.07],
    [1, 0.045, 0]
  ])('%f years, r %f, q %f', (t, rate, dividendYield) => {
    const terms: PairTerms = { spot: SPOT, t, rate }
    const forward = SPOT * Math.exp((rate - dividendYield) * t)
    const pairs = pairsAt(
      forward,
      33,
      (right, strike) => americanPrice({ right, spot: SPOT, strike, t, rate, dividendYield, sigma: 0.18 })!
    )
    const first = rawForward(terms, pairs)
    const found = americanForward(terms, pairs, first, { low: 0.12, high: 0.27 })!
    expect(Math.abs(basisPoints(found.forward, forward))).toBeLessThan(0.1)
    expect(found.forward).toBeCloseTo(SPOT * Math.exp((rate - found.dividendYield) * t), 10)
    expect(found.agreement).toBe(1)
    expect(found.pairs).toBeGreaterThan(10)
    expect(found.error).toBeGreaterThan(0.02 / Math.sqrt(found.pairs))
  })
})

test.each([
  0.01, 0.1, 0.5
])('a second later the forward of %f years implies the same yield, whose grids are at hand', (t) => {
  const [rate, dividendYield, sigma] = [0.045, 0.012, 0.18]
  const yieldAfter = (seconds: number) => {
    const terms: PairTerms = { spot: SPOT, t: t - seconds / (365 * 86_400), rate }
    const forward = SPOT * Math.exp((rate - dividendYield) * terms.t)
    const pairs = pairsAt(
      forward,
      33,
      (right, strike) => americanPrice({ right, spot: SPOT, strike, t: terms.t, rate, dividendYield, sigma })!
    )
    return americanForward(terms, pairs, rawForward(terms, pairs), { low: 0.12, high: 0.27 })!.dividendYield
  }
  expect([1, 2, 60].map(yieldAfter)).toEqual(Array(3).fill(yieldAfter(0)))
})

test('parity of the raw prices would be far off where premiums are large', () => {
  const [t, rate, dividendYield] = [2.36, 0.045, 0.012]
  const forward = SPOT * Math.exp((rate - dividendYield) * t)
  const at = (right: Right) =>
    americanPrice({ right, spot: SPOT, strike: forward, t, rate, dividendYield, sigma: 0.18 })!
  const raw = forward + (at('call') - at('put')) * Math.exp(rate * t)
  expect(basisPoints(raw, forward)).toBeLessThan(-100)
})

describe('under a skew the weighted forward leans on strikes without a premium', () => {
  // SPY in August 2026: years, exponent and level of a volatility that falls with spot.
  test.each([
    [0.85, -1.5, 0.155, 4],
    [2.36, -1, 0.18, 10],
    [2.36, -1.5, 0.175, 10]
  ])('%f years, exponent %f, level %f', (t, beta, level, bound) => {
    const [rate, dividendYield] = [0.0463, 0.0071]
    const market: LocalVolatility = { t, rate, dividendYield, level, beta }
    const forward = SPOT * Math.exp((rate - dividendYield) * t)
    const pairs = pairsAt(forward, 25, (right, strike) => localVolatilityPrice(market, right, strike))
    const terms: PairTerms = { spot: SPOT, t, rate }
    const first = rawForward(terms, pairs)
    const found = americanForward(terms, pairs, first, { low: 0.05, high: 0.6 })!
    const [raw, weighted] = [basisPoints(first, forward), basisPoints(found.forward, forward)]
    expect(raw).toBeLessThan(-15)
    expect(Math.abs(weighted)).toBeLessThan(bound)
  })
})

test('the twin of the skew agrees with the exact method where volatility does not depend on spot', () => {
  const market: LocalVolatility = { t: 1, rate: 0.045, dividendYield: 0.02, level: 0.2, beta: 0 }
  for (const right of ['call', 'put'] as const) {
    const exact = americanPrice({ ...market, right, spot: SPOT, strike: 104, sigma: 0.2 })!
    expect(Math.abs(localVolatilityPrice(market, right, 104) - exact)).toBeLessThan(0.01)
  }
})

test('without pairs, or with pairs of which one side is exercised at once, there is no forward to tell', () => {
  const none: QuotedPairs = pairsAt(100, 2, () => Number.NaN)
  const empty = {
    strike: none.strike.slice(2),
    call: none.call.slice(2),
    put: none.put.slice(2),
    halfSpreads: none.halfSpreads.slice(2)
  }
  const terms: PairTerms = { spot: SPOT, t: 0.5, rate: 0.05 }
  expect(americanForward(terms, empty, 102, { low: 0.1, high: 0.5 })).toBeUndefined()
  const under = termsWithForward(terms, 102)
  const grids = premiumTables(under, { low: 0.1, high: 0.5 })
  expect(weightedForward(under, grids, empty)).toBeUndefined()
  const exercised = {
    ...empty,
    strike: Float64Array.of(110),
    call: Float64Array.of(2),
    put: Float64Array.of(10),
    halfSpreads: Float64Array.of(0.02)
  }
  expect(weightedForward(under, grids, exercised)).toBeUndefined()
})

test('an implied yield beyond belief is not believed about early exercise', () => {
  const under = termsWithForward({ spot: SPOT, t: 1 / 365, rate: 0.05 }, 101)
  expect(under.dividendYield).toBeLessThan(-3)
  expect(premiumTables(under, { low: 0.1, high: 0.5 }).put).toMatchObject({ terms: { dividendYield: -0.25 } })
})

test('the range of volatilities has a margin and overlooks what has none', () => {
  expect(volatilityRange(Float64Array.of(Number.NaN, 0.2, 0.5))).toEqual({ low: 0.2 * 0.8, high: 0.5 * 1.2 })
  expect(volatilityRange(Float64Array.of(Number.NaN))).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { normalCdf } from '../../../src/math/normal.ts'
import { lowestDurrleman } from '../../../src/volatility/svi/lowest-durrleman.ts'
import {
  durrleman,
  isValidSvi,
  leastVariance,
  type Svi,
  sviDensity,
  totalVariance,
  varianceCurvature,
  varianceSlope
} from '../../../src/volatility/svi/svi.ts'
import { randomStream, vogt } from '../generated.ts'

const equity: Svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }
const random = randomStream(7)
const anySvi = (): Svi => {
  const [b, rho, m, sigma] = [0.5 * random(), -0.95 + 1.9 * random(), 0.4 * random() - 0.2, 0.02 + 0.5 * random()]
  return { a: 0.001 + 0.05 * random() - b * sigma * Math.sqrt(1 - rho * rho) * random(), b, rho, m, sigma }
}
const many = Array.from({ length: 200 }, anySvi)

/** Black's call on a forward of 1, independent of the kernels. */
function call(svi: Svi, strike: number): number {
  const s = Math.sqrt(totalVariance(svi, Math.log(strike)))
  const d1 = -Math.log(strike) / s + s / 2
  return normalCdf(d1) - strike * normalCdf(d1 - s)
}

test('slope and curvature are the differences of total variance', () => {
  const h = 1e-4
  for (const svi of many) {
    for (const k of [-0.6, -0.1, 0, 0.05, 0.4]) {
      const [below, here, above] = [k - h, k, k + h].map((x) => totalVariance(svi, x))
      expect(varianceSlope(svi, k)).toBeCloseTo((above - below) / (2 * h), 4)
      const scale = Math.max(1, varianceCurvature(svi, k))
      expect(Math.abs(varianceCurvature(svi, k) - (above - 2 * here + below) / h ** 2) / scale).toBeLessThan(1e-3)
    }
  }
})

test('the least variance is the bottom of the curve', () => {
  for (const svi of many) {
    const bottom = svi.m - (svi.rho * svi.sigma) / Math.sqrt(1 - svi.rho ** 2)
    expect(totalVariance(svi, bottom)).toBeCloseTo(leastVariance(svi), 12)
    expect(varianceSlope(svi, bottom)).toBeCloseTo(0, 10)
  }
})

test("Durrleman's function is 1 on a flat smile", () => {
  for (const k of [-1, 0, 0.7]) expect(durrleman({ a: 0.04, b: 0, rho: 0, m: 0, sigma: 1 }, k)).toBe(1)
})

describe('the density', () => {
  const steps = 40_000
  const [from, to] = [-4, 4]
  const integral = (f: (k: number) => number) => {
    let sum = 0
    for (let i = 0; i <= steps; i++) sum += f(from + ((to - from) * i) / steps) / (i === 0 || i === steps ? 2 : 1)
    return (sum * (to - from)) / steps
  }

  test('of a slice without arbitrage sums to 1, has the forward as its mean and is never negative', () => {
    expect(integral((k) => sviDensity(equity, k))).toBeCloseTo(1, 6)
    expect(integral((k) => sviDensity(equity, k) * Math.exp(k))).toBeCloseTo(1, 6)
    expect(lowestDurrleman(equity, from, to).g).toBeGreaterThan(0)
  })

  test('is the second difference of call prices in the strike', () => {
    const h = 1e-3
    for (const k of [-0.4, -0.15, 0, 0.1, 0.3]) {
      const strike = Math.exp(k)
      const second = (call(equity, strike - h) - 2 * call(equity, strike) + call(equity, strike + h)) / h ** 2
      expect(sviDensity(equity, k)).toBeCloseTo(second * strike, 3)
    }
  })

  test('of the slice of Vogt is negative where the paper says', () => {
    expect(isValidSvi(vogt)).toBe(true)
    const { k, g } = lowestDurrleman(vogt, -1.5, 1.5)
    expect(k).toBeCloseTo(0.879, 2)
    expect(g).toBeLessThan(-0.03)
    expect(sviDensity(vogt, k)).toBeLessThan(0)
  })
})

test('the lowest value of g is never above any on a fine scan', () => {
  for (const svi of [...many, { ...equity, sigma: 0.001 }, { ...equity, b: 0.4, sigma: 0.004 }]) {
    const [from, to] = [-0.8, 0.6]
    const { k, g } = lowestDurrleman(svi, from, to)
    expect(k >= from && k <= to).toBe(true)
    expect(durrleman(svi, k)).toBeCloseTo(g, 12)
    const scanned = Array.from({ length: 4001 }, (_, i) => durrleman(svi, from + (1.4 * i) / 4000))
    expect(Math.min(...scanned) - g).toBeGreaterThan(g < 0.1 ? -1e-6 : -0.01)
  }
})

test.each([
  ['a negative b', { b: -0.01 }],
  ['a rho beyond 0.999', { rho: -0.9991 }],
  ['a sigma below 0.001', { sigma: 0.0009 }],
  ['an m beyond 1.5', { m: 1.6 }],
  ['a negative variance', { a: -0.02 }],
  ['a wing steeper than 2', { b: 1.3, a: 0 }],
  ['a parameter that is no number', { a: Number.NaN }]
])('%s is no slice', (_, change) => {
  expect(isValidSvi(equity)).toBe(true)
  expect(isValidSvi({ ...equity, ...change })).toBe(false)
})

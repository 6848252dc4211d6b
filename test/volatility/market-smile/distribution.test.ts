import { describe, expect, test } from 'vitest'
import {
  densityAt,
  priceQuantile,
  probabilityAbove,
  probabilityBelow
} from '../../../src/volatility/market-smile/distribution.ts'
import { type SmileCurve, totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { replicatedVariance } from '../../../src/volatility/market-smile/whole-variance.ts'
import { totalVariance } from '../../../src/volatility/svi/svi.ts'
import { outOfTheMoneyValue } from '../../../src/volatility/variance/variance-swap.ts'
import { alone, intervals, month, priced } from './made-quotes.ts'

const lean = { a: 0.001, b: 0.018, rho: -0.5, m: 0.01, sigma: 0.06 }
const smiles: readonly (readonly [string, SmileCurve])[] = [
  [
    'a flat smile',
    alone(
      month.t,
      intervals(
        month,
        priced(() => 0.2 ** 2 / 12)
      )
    )!
  ],
  [
    'a leaning smile',
    alone(
      month.t,
      intervals(
        month,
        priced((k) => totalVariance(lean, k))
      )
    )!
  ],
  [
    'five wide quotes',
    alone(
      month.t,
      intervals(
        { ...month, strikes: [85, 92, 98, 104, 110], halfSpread: 15 },
        priced((k) => totalVariance(lean, k))
      )
    )!
  ]
]

const STEPS = 20_000

/** The integral of f over k from -25 deviations on, at the end of each of 20,000 even steps to 25 deviations (midpoints). */
function integrals(f: (k: number) => number, scale: number): Float64Array {
  const step = (50 * scale) / STEPS
  const sums = new Float64Array(STEPS + 1)
  for (let n = 0; n < STEPS; n++) sums[n + 1] = sums[n] + step * f(-25 * scale + (n + 0.5) * step)
  return sums
}

const integral = (f: (k: number) => number, scale: number) => integrals(f, scale)[STEPS]

describe.each(smiles)('%s', (_, curve) => {
  const { scale } = curve

  test('has a density that sums to one and has the forward as its mean', () => {
    expect(integral((k) => densityAt(curve, k), scale)).toBeCloseTo(1, 5)
    expect(integral((k) => Math.exp(k) * densityAt(curve, k), scale)).toBeCloseTo(1, 5)
  })

  test('has a distribution that rises and is the integral of its density', () => {
    const sums = integrals((k) => densityAt(curve, k), scale)
    let before = 0
    for (let z = -8; z <= 8; z += 0.25) {
      const below = probabilityBelow(curve, z * scale)
      expect(below).toBeGreaterThan(before)
      expect(below).toBeCloseTo(sums[Math.round(((z + 25) / 50) * STEPS)], 6)
      expect(below + probabilityAbove(curve, z * scale)).toBeCloseTo(1, 12)
      before = below
    }
  })

  test('prices options from its density as Black does at its variance', () => {
    for (const z of [-3, -1, -0.2, 0.3, 1.5, 3]) {
      const at = z * scale
      const call = at > 0
      const payoff = (k: number) => Math.max(0, call ? Math.exp(k) - Math.exp(at) : Math.exp(at) - Math.exp(k))
      const price = integral((k) => payoff(k) * densityAt(curve, k), scale)
      expect(Math.abs(price - outOfTheMoneyValue(at, totalVarianceAt(curve, at)))).toBeLessThan(1e-7)
    }
  })

  test('has quantiles that are the inverse of the distribution', () => {
    for (const p of [1e-6, 0.01, 0.25, 0.5, 0.9, 0.99, 1 - 1e-9]) {
      const k = priceQuantile(curve, p)!
      expect(p <= 0.5 ? probabilityBelow(curve, k) / p : probabilityAbove(curve, k) / (1 - p)).toBeCloseTo(1, 6)
    }
  })

  test('replicates the variance that its density has of ln S', () => {
    const mean = integral((k) => k * densityAt(curve, k), scale)
    const { total, beyond } = replicatedVariance(curve, [-scale, scale])
    expect(total / (-2 * mean)).toBeCloseTo(1, 4)
    expect(beyond).toBeGreaterThan(0)
    expect(beyond).toBeLessThan(total)
    expect(replicatedVariance(curve).beyond / total).toBeLessThan(0.05)
  })
})

test('there is no quantile of zero, of one, or of what is no number', () => {
  const [, curve] = smiles[0]
  for (const p of [0, 1, -0.1, 1.1, Number.NaN]) expect(priceQuantile(curve, p)).toBeUndefined()
})

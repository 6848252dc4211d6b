import { describe, expect, test } from 'vitest'
import { checkCurve } from '../../../src/volatility/market-smile/arbitrage-check.ts'
import { intervalOf, knots } from '../../../src/volatility/market-smile/knot-grid.ts'
import {
  durrlemanAt,
  pointAt,
  reachOf,
  type SmileCurve,
  totalVarianceAt
} from '../../../src/volatility/market-smile/smile-curve.ts'
import { totalVariance } from '../../../src/volatility/svi/svi.ts'
import { alone, intervals, month, priced } from './made-quotes.ts'

const lean = { a: 0.001, b: 0.018, rho: -0.5, m: 0.01, sigma: 0.06 }
const quotes = intervals(
  month,
  priced((k) => totalVariance(lean, k))
)
const sound = alone(month.t, quotes)!

const changed = (curve: SmileCurve, change: (c: Float64Array) => void): SmileCurve => {
  const coefficients = curve.coefficients.slice()
  change(coefficients)
  return { ...curve, coefficients }
}
const times = (curve: SmileCurve, factor: number): SmileCurve => ({
  ...curve,
  coefficients: curve.coefficients.map((c) => factor * c)
})

describe('the check', () => {
  test('passes a smile without fault, alone and over one that lies below it', () => {
    expect(checkCurve(sound, undefined)).toEqual({ holds: true, butterflyFree: true, fall: 0 })
    expect(checkCurve(times(sound, 1.001), sound).holds).toBe(true)
  })

  test('sees a dent that makes a density negative', () => {
    const dented = changed(sound, (c) => (c[c.length >> 1] *= 1.4))
    expect(checkCurve(dented, undefined)).toMatchObject({ holds: false, butterflyFree: false })
  })

  test('sees a wing that is steeper than two, and one that turns negative beyond its end', () => {
    const steep = changed(sound, (c) => {
      for (let n = 1; n <= 3; n++) c[c.length - n] += (4 - n) * 60
    })
    expect(checkCurve(steep, undefined).holds).toBe(false)
    const falling = changed(sound, (c) => {
      for (let n = 1; n <= 3; n++) c[c.length - n] -= (4 - n) * 0.5
    })
    expect(pointAt(falling, reachOf(falling)[1]).slope).toBeLessThan(0)
    expect(checkCurve(falling, undefined).holds).toBe(false)
  })

  test('says by what share a smile falls below the earlier one', () => {
    const { holds, butterflyFree, fall } = checkCurve(times(sound, 0.99), sound)
    expect([holds, butterflyFree]).toEqual([false, true])
    expect(fall).toBeCloseTo(1 / 0.99 - 1, 9)
  })

  test('does not take NaN for a smile', () => {
    expect(
      checkCurve(
        changed(sound, (c) => (c[5] = Number.NaN)),
        undefined
      ).holds
    ).toBe(false)
  })
})

describe('a curve', () => {
  test('has the slope and the curvature that its values have, and a straight line beyond its ends', () => {
    const [from, to] = reachOf(sound)
    const h = 1e-4 * sound.scale
    for (const z of [-6.1, -3, -0.11, 0, 0.53, 2.2]) {
      const k = z * sound.scale
      const { w, slope, curvature } = pointAt(sound, k)
      expect(w).toBe(totalVarianceAt(sound, k))
      const [left, right] = [totalVarianceAt(sound, k - h), totalVarianceAt(sound, k + h)]
      expect((right - left) / (2 * h)).toBeCloseTo(slope, 6)
      expect((right - 2 * w + left) / (h * h)).toBeCloseTo(curvature, 2)
    }
    for (const [end, beyond] of [
      [from, 1.5 * from],
      [to, 3 * to]
    ]) {
      const { w, slope } = pointAt(sound, end)
      expect(totalVarianceAt(sound, beyond)).toBeCloseTo(w + slope * (beyond - end), 12)
      expect(pointAt(sound, beyond).curvature).toBe(0)
      expect(durrlemanAt(sound, beyond)).toBeGreaterThan(0)
    }
  })

  test('ends on knots of the grid, beyond its quotes with both sides', () => {
    const [from, to] = reachOf(sound)
    for (const end of [from, to]) {
      const z = end / sound.scale
      expect(knots[intervalOf(z + 1e-9)]).toBeCloseTo(z, 9)
    }
    const sides = Array.from(quotes.k.subarray(0, quotes.size)).filter((_, i) => quotes.mid[i] > 0)
    expect(from).toBeLessThan(sides[0])
    expect(to).toBeGreaterThan(sides.at(-1)!)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rateAt } from '../../../src/pricing/assumptions.ts'
import { type ParPoint, zeroCurve } from '../../../src/pricing/rates/par-yields.ts'

/** The worth of a dollar in so many years by a curve. */
const discountAt = (curve: NonNullable<ReturnType<typeof zeroCurve>>, years: number) =>
  Math.exp(-rateAt(curve, 365 * years) * years)

describe('the zero rates of par yields', () => {
  test('are those of the published example: 6.87 % for two years where zeros go from 5 to 6.8 %', () => {
    // Hull, Options, Futures, and Other Derivatives, 8th ed., 4.5 "Par yield" with the zero rates of table 4.2.
    const zeros = [0.05, 0.058, 0.064, 0.068]
    const discounts = zeros.map((rate, k) => Math.exp(-rate * 0.5 * (k + 1)))
    const parAt = (n: number) => (200 * (1 - discounts[n])) / discounts.slice(0, n + 1).reduce((sum, d) => sum + d, 0)
    expect(parAt(3)).toBeCloseTo(6.87, 2)
    const points = zeros.map((_, n): ParPoint => ({ months: 6 * (n + 1), percent: parAt(n) }))
    const curve = zeroCurve(points)!
    for (const [n, rate] of zeros.entries()) expect(rateAt(curve, 182.5 * (n + 1))).toBeCloseTo(rate, 12)
  })

  test('make every bond worth its face whose coupon is its par yield', () => {
    const maturities = [1, 3, 6, 12, 24, 36, 60, 84, 120, 240, 360]
    const yields = fc.array(fc.double({ min: -0.5, max: 12, noNaN: true }), { minLength: 11, maxLength: 11 })
    fc.assert(
      fc.property(yields, (percents) => {
        const points = maturities.map((months, k): ParPoint => ({ months, percent: percents[k] }))
        const curve = zeroCurve(points)!
        expect(curve.points.map(({ days }) => Math.round(days))).toEqual(
          maturities.map((months) => Math.round((365 * months) / 12))
        )
        // One year is paid for by the discounts of two dates of the curve; longer ones pass through interpolated yields.
        const half = discountAt(curve, 0.5)
        const coupon = percents[3] / 200
        expect(coupon * half + (1 + coupon) * discountAt(curve, 1)).toBeCloseTo(1, 10)
        for (const [k, months] of maturities.slice(0, 3).entries()) {
          expect(discountAt(curve, months / 12) * (1 + (percents[k] / 100) * (months / 12))).toBeCloseTo(1, 12)
        }
      })
    )
  })

  test('of a flat curve are flat, at twice the logarithm of one half-year', () => {
    const points = [6, 12, 60, 360].map((months): ParPoint => ({ months, percent: 4 }))
    for (const { rate } of zeroCurve(points)!.points) expect(rate).toBeCloseTo(2 * Math.log(1.02), 12)
  })

  test('begin with one night, on a year of 360 days', () => {
    const curve = zeroCurve([{ months: 1, percent: 5 }], 5.33)!
    expect(curve.points[0]).toEqual({ days: 1, rate: 365 * Math.log1p(0.0533 / 360) })
    expect(rateAt(curve, 0)).toBe(curve.points[0].rate)
    expect(rateAt(curve, 10)).toBeGreaterThan(0.0499)
    expect(zeroCurve([], 5.33)!.points).toHaveLength(1)
    expect(zeroCurve([])).toBeUndefined()
  })
})

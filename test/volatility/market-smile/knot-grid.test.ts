import { expect, test } from 'vitest'
import {
  fillSplines,
  INTERVALS,
  intervalOf,
  knots,
  pieces,
  stretch
} from '../../../src/volatility/market-smile/knot-grid.ts'

const ALPHA = 2.5
const STEP = 0.2
const knotAt = (j: number) => ALPHA * Math.sinh(((j - INTERVALS / 2) * STEP) / ALPHA)

/** The B-spline that begins at knot j, by the recursion as it is printed. */
function spline(j: number, degree: number, z: number): number {
  if (degree === 0) return z >= knotAt(j) && z < knotAt(j + 1) ? 1 : 0
  const rising = (z - knotAt(j)) / (knotAt(j + degree) - knotAt(j))
  const falling = (knotAt(j + degree + 1) - z) / (knotAt(j + degree + 1) - knotAt(j + 1))
  return rising * spline(j, degree - 1, z) + falling * spline(j + 1, degree - 1, z)
}

const places = [-40, -7.3, -1.999, -0.2, -0.05, 0, 0.013, 0.61, 2, 11.9, 300]

test('the splines equal those of the recursion, and sum to one', () => {
  for (const z of places) {
    const i = intervalOf(z)
    const four = new Float64Array(4)
    fillSplines(i, z, four, 0)
    four.forEach((value, r) => {
      expect(value).toBeCloseTo(spline(i - 3 + r, 3, z), 11)
    })
    expect(four[0] + four[1] + four[2] + four[3]).toBeCloseTo(1, 12)
  }
})

test('the polynomials of neighbouring intervals meet with value, slope and curvature at their knot', () => {
  for (const i of [0, 20, 95, 96, 97, 130, INTERVALS - 1]) {
    const h = knots[i + 1] - knots[i]
    for (let r = 0; r < 3; r++) {
      const [a, b, c, d] = pieces.subarray(16 * i + 4 * (r + 1), 16 * i + 4 * (r + 2))
      const [value, slope, curve] = pieces.subarray(16 * (i + 1) + 4 * r, 16 * (i + 1) + 4 * (r + 1))
      expect(a + h * (b + h * (c + h * d))).toBeCloseTo(value, 11)
      expect(h * (b + h * (2 * c + h * 3 * d))).toBeCloseTo(h * slope, 11)
      expect(h * h * (2 * c + h * 6 * d)).toBeCloseTo(2 * h * h * curve, 11)
    }
    // The spline that has come to its end, and the one that begins.
    expect(pieces[16 * (i + 1) + 12]).toBe(0)
    expect(
      Math.abs(pieces[16 * i] + h * (pieces[16 * i + 1] + h * (pieces[16 * i + 2] + h * pieces[16 * i + 3])))
    ).toBeLessThan(1e-12)
  }
})

test('a place finds its interval without a search, the ends of the grid included', () => {
  for (const z of places) {
    const i = intervalOf(z)
    expect(z).toBeGreaterThanOrEqual(knots[i])
    expect(z).toBeLessThan(knots[i + 1])
  }
  expect([intervalOf(-1e9), intervalOf(1e9)]).toEqual([0, INTERVALS - 1])
})

test('knots are 0.2 deviations apart at the money and 0.67 at eight', () => {
  const widthAt = (z: number) => knots[intervalOf(z) + 1] - knots[intervalOf(z)]
  expect(widthAt(0.01)).toBeCloseTo(0.2, 3)
  expect(widthAt(8)).toBeCloseTo(0.67, 1)
  expect(widthAt(8)).toBeCloseTo(STEP * stretch(8), 1)
})

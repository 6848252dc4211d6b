import { expect, test } from 'vitest'
import { splineBasis, splineWeights } from '../../src/math/cubic-spline.ts'

/** Value and three derivatives of a spline at a place. */
function read(weights: Float64Array, place: number): number[] {
  const at = Math.min(Math.floor(place), weights.length - 4)
  const basis = new Float64Array(16)
  splineBasis(place - at, basis)
  return [0, 1, 2, 3].map((order) => [0, 1, 2, 3].reduce((sum, k) => sum + basis[4 * order + k] * weights[at + k], 0))
}

const sampled = (f: (x: number) => number, count: number, step: number) =>
  splineWeights(Array.from({ length: count }, (_, i) => f(i * step)))

test('a spline goes through its values, of four as of many', () => {
  for (const count of [4, 5, 30]) {
    const values = Array.from({ length: count }, (_, i) => Math.sin(7 * i))
    const weights = splineWeights(values)
    for (const [i, value] of values.entries()) expect(read(weights, i)[0]).toBeCloseTo(value, 12)
  }
})

test('the spline of a cubic is that cubic, and so are its derivatives', () => {
  const weights = sampled((x) => 2 - x + 3 * x ** 2 - 0.5 * x ** 3, 9, 1)
  for (const x of [0, 0.3, 1.9, 4.5, 7.99, 8]) {
    const exact = [2 - x + 3 * x ** 2 - 0.5 * x ** 3, -1 + 6 * x - 1.5 * x ** 2, 6 - 3 * x, -3]
    for (const [k, value] of read(weights, x).entries()) expect(value).toBeCloseTo(exact[k], 9)
  }
})

test('the second derivative is continuous', () => {
  const weights = splineWeights(Array.from({ length: 12 }, (_, i) => Math.cos(i * i)))
  for (let place = 1; place < 11; place++) {
    for (const order of [0, 1, 2])
      expect(read(weights, place - 1e-11)[order]).toBeCloseTo(read(weights, place)[order], 8)
  }
})

test('half the spacing leaves a sixteenth of the error, at the ends too', () => {
  const worst = (count: number) => {
    const step = 3 / (count - 1)
    const weights = sampled(Math.exp, count, step)
    const places = Array.from({ length: 301 }, (_, i) => i / 100)
    return Math.max(...places.map((x) => Math.abs(read(weights, x / step)[0] - Math.exp(x))))
  }
  expect(worst(17) / worst(33)).toBeGreaterThan(12)
  expect(worst(33) / worst(65)).toBeGreaterThan(13)
})

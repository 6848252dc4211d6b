import { describe, expect, test } from 'vitest'
import { interpolationRow, lobattoPoints } from '../../../../src/math/chebyshev.ts'
import { gaussLegendre } from '../../../../src/math/gauss-legendre.ts'
import { solveLinear } from '../../../../src/math/linear-system.ts'
import { normalCdf, normalPdf } from '../../../../src/math/normal.ts'
import { cumulativeNormal, normalDensity } from '../../../../src/math/normal-table.ts'
import { boundarySystem, guessBoundary, solveBoundary } from '../../../../src/pricing/american/yield/boundary.ts'
import type { BoundaryShape } from '../../../../src/pricing/american/yield/boundary-tables.ts'
import { exerciseOf, exerciseTerms, logBoundaryAtExpiry } from '../../../../src/pricing/american/yield/exercise.ts'
import { premiumAt, premiumSlopesAt } from '../../../../src/pricing/american/yield/premium-integral.ts'
import { greeks, price } from '../../../../src/pricing/bsm.ts'
import { exactIntegral, randomStream } from '../support.ts'

const COARSE: BoundaryShape = { points: 6, inner: 8, outer: 16 }
const MIDDLE: BoundaryShape = { points: 8, inner: 12, outer: 24 }
const put = { right: 'put', strike: 1 } as const

test('which options are worth exercising early, and where the boundary begins', () => {
  expect(exerciseOf({ t: 1, rate: 0.05, dividendYield: 0 })).toBe('below')
  expect(exerciseOf({ t: 1, rate: 0, dividendYield: -0.01 })).toBe('below')
  expect(exerciseOf({ t: 1, rate: 0, dividendYield: 0 })).toBe('never')
  expect(exerciseOf({ t: 1, rate: -0.01, dividendYield: 0.02 })).toBe('never')
  expect(exerciseOf({ t: 1, rate: -0.01, dividendYield: -0.02 })).toBe('between')
  expect(exerciseOf({ t: 1, rate: 1e-300, dividendYield: 0 })).toBe('never')
  expect(exerciseOf({ t: 1, rate: -1e-300, dividendYield: -0.01 })).toBe('below')
  expect(exerciseOf(exerciseTerms(true, { t: 1, rate: 0.05, dividendYield: 0 }))).toBe('never')
  expect(logBoundaryAtExpiry({ t: 1, rate: 0.05, dividendYield: 0.02 })).toBe(0)
  expect(logBoundaryAtExpiry({ t: 1, rate: 0.02, dividendYield: 0.05 })).toBeCloseTo(Math.log(0.4), 15)
})

describe('the boundary is found in at most eight rounds, and the equation holds there', () => {
  const near = [1 - 0.1, 1 - 1e-2, 1 - 1e-4, 1, 1 + 1e-4, 1 + 1e-2, 1 + 0.1]
  const terms = [
    ...near.flatMap((ratio) => [1 / 365, 0.5, 3].map((t) => ({ t, rate: 0.05, dividendYield: 0.05 * ratio }))),
    { t: 3, rate: 0.1, dividendYield: 0 },
    { t: 1 / 365, rate: 0.1, dividendYield: 0 },
    { t: 3, rate: 0.01, dividendYield: 0.1 },
    { t: 3, rate: 1e-4, dividendYield: 0.1 },
    { t: 1, rate: 0, dividendYield: -0.02 },
    { t: 1, rate: 0.03, dividendYield: -0.02 }
  ]
  test.each(terms)('$t years, r $rate, q $dividendYield', (one) => {
    for (const shape of [COARSE, MIDDLE]) {
      const system = boundarySystem(one, shape)
      for (const sigma of [0.03, 0.06, 0.15, 0.4, 1, 2]) {
        const depth = guessBoundary(system, sigma)
        expect(solveBoundary(system, sigma, depth, 1e-5)).toBeLessThanOrEqual(8)
        // Once more from the answer: one round sees the residual, and finds nothing to move.
        const again = depth.slice()
        expect(solveBoundary(system, sigma, again, 1e-6)).toBe(1)
        // The boundary falls with time to expiry; where it has converged, within the accuracy of so few points.
        for (let k = 1; k < depth.length; k++) expect(depth[k]).toBeGreaterThan(0.99 * depth[k - 1])
      }
    }
  })
})

test('at the boundary value and slope are those of exercise', () => {
  const random = randomStream(3)
  for (let run = 0; run < 40; run++) {
    const terms = { t: 0.01 + 2 * random(), rate: 0.005 + 0.095 * random(), dividendYield: -0.02 + 0.12 * random() }
    const sigma = 0.08 + 0.8 * random()
    const integral = exactIntegral(terms, sigma)
    const b = integral.logBoundary
    const european = { ...put, ...terms, spot: Math.exp(b), sigma }
    expect(Math.abs(price(european) + premiumAt(integral, b) - (1 - Math.exp(b)))).toBeLessThan(1e-7)
    const slope = (premiumAt(integral, b + 1e-6) - premiumAt(integral, b - 1e-6)) / 2e-6 / Math.exp(b)
    expect(greeks(european).delta + slope).toBeCloseTo(-1, 5)
  }
})

test('the premium and its derivatives agree with each other', () => {
  const integral = exactIntegral({ t: 1, rate: 0.05, dividendYield: 0.02 }, 0.25)
  const h = 1e-3
  for (const x of [-0.1, 0, 0.1, 0.4]) {
    const [low, here, high] = [x - h, x, x + h].map((at) => premiumSlopesAt(integral, at))
    expect(here.value).toBe(premiumAt(integral, x))
    expect((high.value - low.value) / (2 * h)).toBeCloseTo(here.first, 6)
    expect((high.first - low.first) / (2 * h)).toBeCloseTo(here.second, 5)
    expect((high.second - low.second) / (2 * h)).toBeCloseTo(here.third, 4)
  }
})

test('the tabulated normal distribution is right to its last useful digits', () => {
  for (let x = -10; x <= 10; x += 0.0101) {
    expect(Math.abs(cumulativeNormal(x) - normalCdf(x))).toBeLessThan(1e-14)
    expect(Math.abs(normalDensity(x) - normalPdf(x))).toBeLessThan(1e-12)
  }
  expect(cumulativeNormal(Number.NaN)).toBeNaN()
  expect(normalDensity(Number.NaN)).toBeNaN()
  expect(cumulativeNormal(Number.POSITIVE_INFINITY)).toBe(1)
  expect(cumulativeNormal(Number.NEGATIVE_INFINITY)).toBe(0)
  // The last numbers inside the table.
  expect(cumulativeNormal(8.5 - 2 ** -49)).toBe(1)
  expect(cumulativeNormal(-8.5 + 2 ** -49)).toBeCloseTo(0, 16)
})

test('quadrature and interpolation are exact for the polynomials they are made for', () => {
  for (const count of [5, 12, 64]) {
    const { points, weights } = gaussLegendre(count, 0, 2)
    for (const power of [0, 1, 2 * count - 1]) {
      const sum = points.reduce((total, x, k) => total + weights[k] * (x / 2) ** power, 0)
      expect(sum).toBeCloseTo(2 / (power + 1), 12)
    }
  }
  const values = lobattoPoints(9).map((z) => z ** 9 - 2 * z ** 4)
  for (const z of [0, 0.3, 0.77, 1]) {
    const value = interpolationRow(9, z).reduce((sum, weight, k) => sum + weight * values[k], 0)
    expect(value).toBeCloseTo(z ** 9 - 2 * z ** 4, 13)
  }
})

test('elimination solves a system whose first pivot is zero', () => {
  const matrix = [0, 2, 1, 1, 0, 2, 1, -1, 1]
  const wanted = [2, -1, 3]
  const b = Float64Array.from([0, 1, 2], (i) => wanted.reduce((sum, x, k) => sum + matrix[3 * i + k] * x, 0))
  solveLinear(Float64Array.from(matrix), b, 3)
  b.forEach((x, k) => {
    expect(x).toBeCloseTo(wanted[k], 13)
  })
})

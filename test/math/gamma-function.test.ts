import { expect, test } from 'vitest'
import { digamma, lnGamma } from '../../src/math/gamma-function.ts'

const EULER = 0.5772156649015329

// x, ln Γ(x), ψ(x) with 30 digits of working precision by mpmath, rounded to doubles.
const reference: readonly (readonly [number, number, number])[] = [
  [0.1, 2.252712651734206, -10.423754940411078],
  [1.05, -0.02685307250226017, -0.49784499129987037],
  [1.5, -0.12078223763524522, 0.03648997397857652],
  [2.6, 0.35741186354897975, 0.7510474527734763],
  [7.3, 7.147892523022249, 1.9178203356379862],
  [11.9, 17.25847745059552, 2.4339335368825377],
  [12, 17.502307845873887, 2.442661679975812],
  [50.5, 146.51925549072064, 3.912039670928392],
  [1234.5, 7550.550901077895, 7.118016231827998]
]

test.each(reference)('at %d both agree with arithmetic of 30 digits', (x, logGamma, psi) => {
  expect(Math.abs(lnGamma(x) - logGamma)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(logGamma)))
  expect(Math.abs(digamma(x) - psi)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(psi)))
})

test('Γ of a whole number is a factorial, and of a half the root of π', () => {
  let factorial = 1
  for (let n = 1; n < 20; n++) {
    expect(Math.exp(lnGamma(n)) / factorial).toBeCloseTo(1, 12)
    factorial *= n
  }
  expect(lnGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 13)
  expect(digamma(1)).toBeCloseTo(-EULER, 14)
  expect(digamma(0.5)).toBeCloseTo(-EULER - 2 * Math.LN2, 14)
})

test('ψ is the slope of ln Γ, on both sides of the change of method', () => {
  for (let x = 0.3; x < 30; x += 0.1) {
    const slope = (lnGamma(x + 1e-5) - lnGamma(x - 1e-5)) / 2e-5
    expect(Math.abs(digamma(x) - slope)).toBeLessThan(1e-7)
  }
})

test('neither has a value at 0 and below', () => {
  expect([lnGamma(0), lnGamma(-1.5), digamma(0), digamma(-2), lnGamma(Number.NaN)]).toEqual(Array(5).fill(Number.NaN))
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRoot } from '../../src/math/root.ts'

test('finds the root of a smooth function within the tolerance asked for', () => {
  expect(Math.abs(findRoot((x) => x * x - 2, 0, 2, 1e-12)! - Math.SQRT2)).toBeLessThanOrEqual(1e-12)
  expect(Math.abs(findRoot(Math.cos, 0, 3, 1e-10)! - Math.PI / 2)).toBeLessThanOrEqual(1e-10)
})

test('finds any root in any bracket, rising or falling, steep or flat', () => {
  const root = fc.double({ min: -50, max: 50, noNaN: true })
  const width = fc.double({ min: 1e-3, max: 100, noNaN: true })
  fc.assert(
    fc.property(root, width, width, fc.boolean(), fc.integer({ min: 0, max: 4 }), (r, left, right, falls, power) => {
      const f = (x: number) => (falls ? -1 : 1) * (x - r) ** (2 * power + 1)
      expect(Math.abs(findRoot(f, r - left, r + right, 1e-9)! - r)).toBeLessThanOrEqual(1e-9)
    })
  )
})

test('never evaluates more than twice beyond bisection', () => {
  const step = (x: number) => (x < 0.123456789 ? -1 : 1)
  const wall = (x: number) => Math.exp(40 * x) - Math.exp(36)
  for (const f of [step, wall, (x: number) => (x - 0.7) ** 9]) {
    let evaluations = 0
    const counted = (x: number) => {
      evaluations++
      return f(x)
    }
    findRoot(counted, 0, 1, 1e-9)
    expect(evaluations).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(1 / 2e-9)) + 2)
  }
})

test('answers the end that is a root itself', () => {
  expect(findRoot((x) => x - 1, 1, 2, 1e-9)).toBe(1)
  expect(findRoot((x) => x - 2, 1, 2, 1e-9)).toBe(2)
})

test('a tolerance finer than doubles still ends', () => {
  expect(findRoot((x) => x * x * x - 7, 1, 3, 1e-30)).toBeCloseTo(Math.cbrt(7), 14)
})

test('has no answer without a change of sign, or where the function has none', () => {
  expect(findRoot((x) => x * x + 1, -1, 1, 1e-9)).toBeUndefined()
  expect(findRoot((x) => Math.log(x), -1, 2, 1e-9)).toBeUndefined()
  expect(findRoot((x) => (x < 0.4 ? -1 : x > 0.6 ? 1 : Number.NaN), 0, 1, 1e-9)).toBeUndefined()
})

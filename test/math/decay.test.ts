import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decay } from '../../src/math/decay.ts'

test('decay is e^-x to 1e-15 of itself up to 40', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 39.999, noNaN: true }), (x) => {
      expect(Math.abs(decay(x) / Math.exp(-x) - 1)).toBeLessThan(1e-15)
    }),
    { numRuns: 20_000 }
  )
})

test.each([40, 1e3, Infinity, Number.NaN])('decay has vanished at %s', (x) => {
  expect(decay(x)).toBe(0)
})

test('decay starts at exactly 1', () => {
  expect(decay(0)).toBe(1)
})

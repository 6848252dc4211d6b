import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberSet } from '../../src/tape/number-set.ts'

const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -50, max: 50 }), fc.constant(-0))

test('a set of numbers holds what a Set holds, of any safe whole numbers', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 400 }), fc.array(number, { maxLength: 50 }), (added, asked) => {
      const numbers = new NumberSet()
      const oracle = new Set<number>()
      for (const value of added) {
        expect(numbers.has(value)).toBe(oracle.has(value))
        numbers.add(value)
        oracle.add(value)
      }
      for (const value of [...added, ...asked]) expect(numbers.has(value)).toBe(oracle.has(value))
    })
  )
})

test('it takes numbers that follow each other, far apart ones and those that differ in their high half alone', () => {
  const numbers = new NumberSet()
  const series = [(k: number) => k, (k: number) => 1e15 + 1000 * k, (k: number) => k * 2 ** 32]
  for (const numberAt of series) for (let k = 1; k <= 100_000; k++) numbers.add(numberAt(k))
  for (const numberAt of series) for (let k = 1; k <= 100_000; k += 7) expect(numbers.has(numberAt(k))).toBe(true)
  expect([100_001, 1e15 + 500, 2 ** 31, 0].map((value) => numbers.has(value))).toEqual([false, false, false, false])
})

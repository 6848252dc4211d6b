import { expect, test } from 'vitest'
import { difference, inPercent, percentOf, ratio } from '../../src/math/optional.ts'

test('a figure without an operand does not exist', () => {
  expect(difference(20, 16)).toBe(4)
  expect([difference(undefined, 16), difference(20, undefined), inPercent(undefined)]).toEqual(Array(3).fill(undefined))
  expect(inPercent(0.25)).toBe(25)
})

test('a part of nothing does not exist, no part of something is 0', () => {
  expect([ratio(3, 4), ratio(0, 4), ratio(3, 0)]).toEqual([0.75, 0, undefined])
  expect([percentOf(3, 4), percentOf(0, 4), percentOf(3, 0)]).toEqual([75, 0, undefined])
})

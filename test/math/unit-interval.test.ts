import { expect, test } from 'vitest'
import { withinUnit } from '../../src/math/unit-interval.ts'

test('a number is held between 0 and 1', () => {
  expect([-0.5, 0, 0.25, 1, 7].map(withinUnit)).toEqual([0, 0, 0.25, 1, 1])
})

import { expect, test } from 'vitest'
import { backOff } from '../../src/pacing/back-off.ts'

test('the pause doubles with each failure in a row until it is as long as it may become', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 60, 2000].map((failures) => backOff(failures, { first: 1000, longest: 20_000 }))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000])
})

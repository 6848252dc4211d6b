import { expect, test } from 'vitest'
import { normalised } from '../../src/math/weights.ts'

test('weights are scaled to add up to 1 and keep what they belong to', () => {
  expect(
    normalised([
      { name: 'a', weight: 3 },
      { name: 'b', weight: 1 }
    ])
  ).toEqual([
    { name: 'a', weight: 0.75 },
    { name: 'b', weight: 0.25 }
  ])
})

test('weights that are all 0 count as equal', () => {
  expect(normalised([{ weight: 0 }, { weight: 0 }])).toEqual([{ weight: 0.5 }, { weight: 0.5 }])
})

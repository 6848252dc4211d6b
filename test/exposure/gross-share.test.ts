import { expect, test } from 'vitest'
import { grossShares } from '../../src/exposure/gross-share.ts'

test('shares go by size, whatever the sign', () => {
  expect(grossShares([3, -1, 0])).toEqual([75, 25, 0])
})

test('nothing has a share of nothing', () => {
  expect(grossShares([0, 0])).toEqual([0, 0])
  expect(grossShares([])).toEqual([])
})

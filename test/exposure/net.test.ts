import { expect, test } from 'vitest'
import { gammaChange, grossShares } from '../../src/exposure/net.ts'

test('shares go by size, whatever the sign', () => {
  expect(grossShares([3, -1, 0])).toEqual([75, 25, 0])
})

test('nothing has a share of nothing', () => {
  expect(grossShares([0, 0])).toEqual([0, 0])
  expect(grossShares([])).toEqual([])
})

test('a change counts in percent of the size before, so that less negative is up', () => {
  expect([gammaChange(150, 100), gammaChange(-50, -100), gammaChange(-100, 100)]).toEqual([50, 50, -200])
})

test('there is no change against nothing', () => {
  expect([gammaChange(150, undefined), gammaChange(150, 0)]).toEqual([undefined, undefined])
})

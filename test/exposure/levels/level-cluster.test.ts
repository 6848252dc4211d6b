import { expect, test } from 'vitest'
import { clusterScore, levelCluster } from '../../../src/exposure/levels/level-cluster.ts'
import { givenScope } from '../given.ts'

test('levels on one strike score 100, and less by their mean distance from the median in moves of a day', () => {
  expect(clusterScore([100, 100, 100], 2)).toBe(100)
  expect(clusterScore([99, 100, 101], 2)).toBeCloseTo(100 * (1 - 2 / 3 / 2), 12)
  expect(clusterScore([90, 100, 110], 2)).toBe(0)
})

test('two levels, or no move to measure them with, have no score', () => {
  expect([clusterScore([100, 100], 2), clusterScore([100, 100, 100], undefined)]).toEqual([undefined, undefined])
})

test('a scope of one strike has all its levels there', () => {
  const side = { oi: 10, gamma: 0.02 }
  expect(levelCluster(givenScope([{ strike: 100, call: { ...side, oi: 20 }, put: side }]))).toBe(100)
  expect(levelCluster(givenScope([{ strike: 100, call: { oi: 0 }, put: { oi: 0 } }]))).toBeUndefined()
})

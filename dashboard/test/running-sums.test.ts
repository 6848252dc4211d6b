import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runningSums } from '../src/state/screens/running-sums.ts'

test('running sums are exact to the cent, as those of the service are', () => {
  expect(runningSums([{ parts: { calls: 0.1 } }, { parts: { calls: 0.2 } }], 'calls')).toEqual([0.1, 0.3])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 })), (cents) => {
      const bars = cents.map((each) => ({ parts: { puts: each / 100 } }))
      const total = cents.reduce((sum, each) => sum + each, 0)
      expect(runningSums(bars, 'puts').at(-1) ?? 0).toBe(total / 100)
    })
  )
})

test('a part that a bar does not have adds nothing', () => {
  expect(runningSums([{ parts: { small: 5 } }, { parts: null }, { parts: { large: 7 } }], 'small')).toEqual([5, 5, 5])
})

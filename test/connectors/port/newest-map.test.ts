import { expect, test } from 'vitest'
import { NewestMap } from '../../../src/connectors/port/newest-map.ts'

test('the values that were set last are held, and the one that was set longest ago goes', () => {
  const map = new NewestMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4])
})

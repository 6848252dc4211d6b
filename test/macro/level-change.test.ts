import { expect, test } from 'vitest'
import { levelChange } from '../../src/macro/level-change.ts'

test('a level changes against the previous close, in points and in percent of it', () => {
  expect(levelChange({ value: 21, previous: 20 })).toEqual({ value: 21, change: 1, changePercent: 5 })
})

test('a level without a close before has no change, and after a close of 0 no percentage', () => {
  expect(levelChange({ value: 21, previous: undefined })).toEqual({
    value: 21,
    change: undefined,
    changePercent: undefined
  })
  expect(levelChange({ value: 21, previous: 0 })).toEqual({ value: 21, change: 21, changePercent: undefined })
})

import { expect, test } from 'vitest'
import { mean, median, sampleStandardDeviation } from '../../src/math/statistics.ts'

const values = [2, 4, 4, 4, 5, 5, 7, 9]

test('mean, median and standard deviation of a known list', () => {
  expect(mean(values)).toBe(5)
  expect(median(values)).toBe(4.5)
  expect(sampleStandardDeviation(values)).toBeCloseTo(Math.sqrt(32 / 7), 15)
})

test('the median of an odd list is its middle value, in whatever order, and the list keeps its order', () => {
  const unsorted = [30, -1, 200, 4, 5]
  expect(median(unsorted)).toBe(5)
  expect(unsorted).toEqual([30, -1, 200, 4, 5])
  expect(median(Float64Array.of(3, 1, 2))).toBe(2)
})

test('a level shift leaves the standard deviation alone', () => {
  expect(sampleStandardDeviation(values.map((v) => v + 1e9))).toBeCloseTo(Math.sqrt(32 / 7), 6)
})

test('too few values have no answer', () => {
  expect([mean([]), median([]), sampleStandardDeviation([]), sampleStandardDeviation([1])]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined
  ])
})

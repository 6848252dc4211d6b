import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mean, median, sampleStandardDeviation, weightedMedian } from '../../src/math/statistics.ts'

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

/** The slow and obvious twin: every value in order until half of the weight is reached. */
function byOrder(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2
  let below = 0
  for (const [at, i] of order.entries()) {
    below += weights[i]
    if (below > half) return values[i]
    if (below === half) return (values[i] + values[order[at + 1]]) / 2
  }
  return values[order[order.length - 1]]
}

test('the median is what stands in the middle of the sorted list, however often a value is there', () => {
  const few = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 })
  const many = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(fc.oneof(few, many), (values) => {
      const sorted = [...values].sort((a, b) => a - b)
      const half = sorted.length >> 1
      const middle = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
      expect(median(values)! + 0).toBe(middle + 0)
    }),
    { numRuns: 2000 }
  )
})

test('the weighted median is the value with half of the weight on either side', () => {
  expect(weightedMedian([], [])).toBeUndefined()
  expect(weightedMedian([7], [0.3])).toBe(7)
  expect(weightedMedian([3, 1, 2], [1, 1, 1])).toBe(2)
  expect(weightedMedian([4, 1, 3, 2], [1, 1, 1, 1])).toBe(2.5)
  expect(weightedMedian([1, 2, 3], [1, 1, 5])).toBe(3)
  expect(weightedMedian([2, 2, 5, 1], [1, 1, 1, 1])).toBe(2)
  // Whole weights and few different values, so that halves are met exactly and values repeat.
  let state = 1
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647
  for (let run = 0; run < 500; run++) {
    const size = 1 + Math.trunc(40 * random())
    const values = Array.from({ length: size }, () => Math.trunc(20 * random()) - 10)
    const weights = values.map(() => 1 + Math.trunc(4 * random()))
    expect(weightedMedian(values, weights)).toBe(byOrder(values, weights))
    expect(weightedMedian(Float64Array.from(values), Float64Array.from(weights))).toBe(byOrder(values, weights))
  }
})

import { expect, test } from 'vitest'
import { dataQualityScore, greekSmoothness, hasGreeks } from '../../../src/exposure/liquidity/data-quality.ts'
import { givenScope } from '../given.ts'

const silent = { sigma: Number.NaN, quote: [Number.NaN, Number.NaN] } as const

test('a complete chain without delay is worth 100', () => {
  expect(dataQualityScore(givenScope([{ strike: 100, call: {}, put: {} }]))).toBe(100)
})

test('one contract in four without greeks and without a quote costs 10 for each, half of the longest delay 10 more', () => {
  const strikes = [
    { strike: 100, call: {}, put: {} },
    { strike: 105, call: silent, put: {} }
  ]
  expect(dataQualityScore(givenScope(strikes, { delay: 150 }))).toBe(70)
  expect(dataQualityScore(givenScope(strikes, { delay: 900 }))).toBe(60)
})

test('a scope has greeks as long as one contract has', () => {
  expect(hasGreeks(givenScope([{ strike: 100, call: silent, put: {} }]))).toBe(true)
  expect(hasGreeks(givenScope([{ strike: 100, call: silent, put: silent }]))).toBe(false)
})

test('steps of one and of two vol points are 70 percent smooth', () => {
  const smile = [99, 100, 101].map((strike, k) => ({ strike, call: { sigma: [0.2, 0.21, 0.23][k] } }))
  expect(greekSmoothness(givenScope(smile), 0.03)).toBeCloseTo(70, 8)
  expect(greekSmoothness(givenScope(smile.slice(1)), 0.03)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { termState, volatilityTermStructure } from '../../../src/volatility/term/term-structure.ts'
import { chainOf, series } from '../chains.ts'

test('slopes are percent of the earlier tenor', () => {
  const sigmas = { '2026-08-05': 0.2, '2026-08-28': 0.24, '2026-10-27': 0.18 }
  const chain = chainOf(Object.entries(sigmas).map(([date, sigma]) => series(date, { sigma })))
  const { nearSlope, farSlope, state } = volatilityTermStructure(chain)
  expect(nearSlope).toBeCloseTo(20, 1)
  expect(farSlope).toBeCloseTo(-25, 1)
  expect(state).toBe('mixed')
})

test('the shape takes both slopes, and the near one alone where the far one is missing', () => {
  expect(termState(1, 2)).toBe('contango')
  expect(termState(-1, -2)).toBe('backwardation')
  expect([termState(1, -1), termState(0, 1)]).toEqual(['mixed', 'mixed'])
  expect([termState(1, undefined), termState(-1, undefined)]).toEqual(['contango', 'backwardation'])
  expect(termState(undefined, 1)).toBe('unknown')
})

import { expect, test } from 'vitest'
import { moveOfDay, moveToExpiry } from '../../../src/volatility/term/expected-move.ts'
import { chainOf, quotedWhere, series, sliceOn } from '../chains.ts'

test('one deviation to an expiration is spot times volatility times the root of time', () => {
  const slice = sliceOn(chainOf([series('2026-08-28', { sigma: 0.2 })]), '2026-08-28')
  const { sigma, move, percent, lower, upper } = moveToExpiry(100, slice)
  expect(sigma).toBeCloseTo(0.2, 3)
  expect(move).toBeCloseTo(100 * sigma! * Math.sqrt(slice.t), 12)
  expect(percent).toBeCloseTo(move!, 12)
  expect([lower, upper]).toEqual([expect.closeTo(100 - move!, 10), expect.closeTo(100 + move!, 10)])
})

test('without a volatility there is no move', () => {
  const silent = series('2026-08-28', { quote: quotedWhere(() => false) })
  expect(Object.values(moveToExpiry(100, sliceOn(chainOf([silent]), '2026-08-28')))).toEqual(Array(5).fill(undefined))
})

test('a volatility of 15.87 percent moves a price of 100 by one dollar a day', () => {
  expect(moveOfDay(100, Math.sqrt(252))).toBeCloseTo(1, 12)
})

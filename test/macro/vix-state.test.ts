import { expect, test } from 'vitest'
import { vixPremium } from '../../src/macro/vix-state.ts'

test('the VIX is compared with realized volatility as a difference and as a ratio', () => {
  expect(vixPremium(18, 12)).toEqual({ spread: 6, ratio: 1.5, state: 'overvixing' })
})

test('it is out of line from 5 vol points above, and from none on below', () => {
  expect([17, 16.99, 12.01, 12, 8].map((vix) => vixPremium(vix, 12).state)).toEqual([
    'overvixing',
    'neutral',
    'neutral',
    'undervixing',
    'undervixing'
  ])
})

test('an index that has not moved has no ratio', () => {
  expect(vixPremium(12, 0).ratio).toBeUndefined()
})

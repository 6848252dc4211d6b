import { expect, test } from 'vitest'
import type { IsoDate } from '../../../src/market/units.ts'
import {
  edgeOf,
  legLiquidity,
  liquidityOf,
  rankedStructures,
  variantDeltas
} from '../../../src/signals/strategies/ranking.ts'
import type { TradeStructure } from '../../../src/signals/strategies/structures.ts'

const leg = (strike: number, spread: number, openInterest: number) => ({
  action: 'sell' as const,
  right: 'put' as const,
  strike,
  delta: -0.25,
  mid: 1,
  spread,
  openInterest,
  sigma: 0.2
})
const spread: TradeStructure = {
  kind: 'short_put_spread',
  expiry: '2026-08-28' as IsoDate,
  legs: [leg(95, 5, 1000), leg(90, 10, 250)],
  credit: 0.9,
  maxProfit: 0.9,
  maxLoss: 4.1,
  breakevens: [94.1],
  width: 5,
  annualYield: undefined
}
const at = (strike: number, change: Partial<TradeStructure> = {}) => ({
  ...spread,
  legs: [leg(strike, 5, 1000)],
  ...change
})

test('liquidity is that of the worst leg, two decimals', () => {
  expect(legLiquidity({ spread: 5, openInterest: 2000 })).toBeCloseTo(0.7 * Math.exp(-1) + 0.3, 12)
  expect(liquidityOf(spread)).toBe(0.17) // 0.7 e^-2 + 0.3 / 4 = 0.0947 + 0.075
})

test('edge is made of score, credit over width and liquidity', () => {
  // 0.6 70 + 25 (0.18 / 0.33) + 15 0.17 = 42 + 13.64 + 2.55
  expect(edgeOf(spread, 70)).toBe(58)
  // A third of the width and more earns all 25.
  expect(edgeOf({ ...spread, credit: 2 }, 70)).toBe(70)
  // A single option: 42 + 25 10 / 25 + 2.55
  expect(edgeOf({ ...spread, width: undefined, annualYield: 10 }, 70)).toBe(55)
})

test('three are listed, each once, by edge, liquidity, expiration and strike', () => {
  const poor = { ...at(80), credit: 0.1 }
  const later = at(85, { expiry: '2026-09-18' as IsoDate })
  const found = rankedStructures([later, undefined, at(95), poor, at(95), at(90)], 50)
  expect(found.map(({ rank, legs, expiry }) => `${rank} ${legs[0].strike} ${expiry}`)).toEqual([
    '1 90 2026-08-28',
    '2 95 2026-08-28',
    '3 85 2026-09-18'
  ])
  expect(rankedStructures([undefined], 50)).toEqual([])
})

test('variants lie a step either way, none below 0.05', () => {
  expect(variantDeltas(0.25)).toEqual([0.25, 0.2, 0.3])
  expect(variantDeltas(0.07)[1]).toBe(0.05)
})

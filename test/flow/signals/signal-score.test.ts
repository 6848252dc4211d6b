import { describe, expect, test } from 'vitest'
import {
  aggressorOfGroup,
  aggressorShare,
  biasShare,
  CLOSING,
  imbalanceOf,
  OPENING,
  openCloseBias,
  pointsOf,
  premiumShare,
  scoreWeights,
  sizeShare,
  sweepShare,
  tenorShare,
  totalScore,
  UNKNOWN_BIAS
} from '../../../src/flow/signals/signal-score.ts'
import { aggressors, BUY, MID, SELL } from '../../../src/market/print.ts'

/** Contracts of one group by label. */
const labelled = (sizes: Partial<Record<(typeof aggressors)[number], number>>) => ({
  sizes: Int32Array.from([9, 9, ...aggressors.map((label) => sizes[label] ?? 0)]),
  from: 2
})

describe('the parts of a score', () => {
  test('weigh 100 together', () => expect(totalScore(scoreWeights)).toBe(100))

  test.each([
    [15, 0.5, 8],
    [25, 0.3, 8],
    [15, 0.0333333333, 0], // 0.033333333 at nine decimals: 0.499999995
    [10, 0.35, 4],
    [15, 0.9, 14],
    [20, 1, 20],
    [20, 0, 0]
  ])('%d points at %d are %d', (weight, u, points) => expect(pointsOf(weight, u)).toBe(points))

  test.each([
    [10_000, 0],
    [25_000, 0],
    [2_000_000, 1],
    [9e9, 1],
    [25_000 * Math.sqrt(80), 0.5]
  ])('a premium of %d USD counts %d', (premium, u) => expect(premiumShare(premium)).toBeCloseTo(u, 12))

  test.each([
    [10, 1000, 0],
    [100, 1000, 0.5],
    [1000, 1000, 1],
    [1, 5000, 0],
    [100, 0, 1], // fewer than 100 open count as 100
    [10, 3, 0.5]
  ])('%d contracts of %d open count %d', (size, open, u) => expect(sizeShare(size, open)).toBeCloseTo(u, 12))

  test('an aggressor counts by contract, and only on the side of the group', () => {
    expect(aggressorShare(BUY, 100, labelled({ above_ask: 20, at_ask: 30, mid: 50 }))).toBe(0.64)
    expect(aggressorShare(SELL, 100, labelled({ below_bid: 20, at_bid: 30, mid: 50 }))).toBe(0.64)
    expect(aggressorShare(BUY, 100, labelled({ at_bid: 100 }))).toBe(0.4)
    expect(aggressorShare(MID, 100, labelled({ mid: 100 }))).toBe(0)
  })

  test.each([
    [BUY, { at_ask: 5, mid: 5 }, 'at_ask'],
    [BUY, { above_ask: 5, at_ask: 5 }, 'above_ask'],
    [BUY, { above_ask: 4, at_ask: 5 }, 'at_ask'],
    [SELL, { at_bid: 5, mid: 5, below_bid: 5 }, 'below_bid'],
    [SELL, { at_ask: 5, mid: 5 }, 'mid'],
    [MID, { mid: 5, at_ask: 5 }, 'mid']
  ] as const)('a group of side %d with %j is labelled %s', (side, sizes, label) => {
    expect(aggressors[aggressorOfGroup(side, labelled(sizes))]).toBe(label)
  })

  test.each([
    [false, 9, 0],
    [true, 2, 0.6],
    [true, 3, 0.8],
    [true, 4, 1],
    [true, 40, 1]
  ])('a sweep (%s) of %d prints counts %d', (isSweep, prints, u) =>
    expect(sweepShare(isSweep, prints)).toBeCloseTo(u, 12))

  test.each([
    [110, 90, 9, OPENING, 0.6],
    [100, 0, 43, OPENING, 1],
    [75, 25, 21, OPENING, 1],
    [109, 91, 8, UNKNOWN_BIAS, 0.3],
    [90, 110, -9, CLOSING, 0],
    [1, 0, 0, UNKNOWN_BIAS, 0.3],
    [0, 0, 0, UNKNOWN_BIAS, 0.3]
  ])('%d bought and %d sold, delta %d, lean to %d and count %d', (bought, sold, delta, bias, u) => {
    const imbalance = imbalanceOf(bought, sold)
    expect(openCloseBias(imbalance, delta)).toBe(bias)
    expect(biasShare(bias, imbalance)).toBeCloseTo(u, 12)
  })

  test.each([
    [0, 0.6],
    [1, 1],
    [14, 1],
    [15, 0.8],
    [45, 0.8],
    [46, 0.5],
    [90, 0.5],
    [91, 0.3],
    [365, 0.3],
    [366, 0.1]
  ])('%d days count %d', (days, u) => expect(tenorShare(days)).toBe(u))
})

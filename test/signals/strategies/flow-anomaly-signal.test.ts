import { expect, test } from 'vitest'
import { flowAnomalySignal } from '../../../src/signals/strategies/flow-anomaly-signal.ts'
import type { SeriesSketch } from '../../support/hand-made.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { read } from './reading.ts'

/** Four strikes with mids of 2 for calls and `putMid` for puts, so that premium follows volume. */
function flow(calls: readonly number[], puts: readonly number[], putMid = 2, change: Partial<SeriesSketch> = {}) {
  const strikes = [96, 98, 102, 104]
  const volume = (strike: number, right: number) => (right === 0 ? calls : puts)[strikes.indexOf(strike)]
  const quote = (_: number, right: number) => (right === 0 ? ([1.9, 2.1] as const) : ([putMid, putMid] as const))
  return chainOf([series('2026-08-07', { strikes, volume, quote, oi: 1000, ...change })])
}
const signal = (...of: Parameters<typeof flow>) => read(flowAnomalySignal(flow(...of), undefined))

test('calls that trade twice as much as puts, worth twice as much', () => {
  const { figures, score, regime, risks, sample } = signal([100, 100, 100, 100], [50, 50, 50, 50])
  expect(figures).toMatchObject({ bias: 'bullish', volumeRatio: 2, oiRatio: 1, volume: 600, openInterest: 8000 })
  expect(figures).toMatchObject({ dominantSide: 'calls', dominantPremium: 400 * 2 * 100, busiestThree: 0.75 })
  expect(figures.dominantShare).toBeCloseTo(2 / 3, 12)
  // I = ln 2 / ln 2.5 = 0.7565, D = 0.1667 / 0.2 = 0.8333, C = 1, A = 600 / 2000 = 0.3
  expect(score).toBe(Math.round(100 * (0.5 * 0.7565 + 0.2 * 0.8333 + 0.15 + 0.15 * 0.3)))
  expect([regime, risks, sample]).toEqual(['bullish_flow_imbalance', [], 600 / 5000])
})

test('premium on the other side takes a fifth off and is flagged', () => {
  const { figures, score, risks } = signal([100, 100, 100, 100], [50, 50, 50, 50], 10)
  expect(figures).toMatchObject({ bias: 'bullish', dominantSide: 'puts' })
  expect(score).toBe(Math.round(80 * (0.5 * 0.7565 + 0.15 + 0.15 * 0.3)))
  expect(risks).toEqual(['PREMIUM_VOLUME_DIVERGENCE'])
})

test('one side alone is all imbalance; without open interest all activity', () => {
  const calls = signal([100, 0, 0, 0], [0, 0, 0, 0], 2, { oi: 0 })
  expect([calls.figures.volumeRatio, calls.figures.oiRatio, calls.score]).toEqual([undefined, undefined, 100])
  const puts = signal([0, 0, 0, 0], [100, 0, 0, 0], 2, { oi: 0 })
  expect([puts.figures.bias, puts.figures.volumeRatio, puts.score]).toEqual(['bearish', 0, 100])
})

test('the bounds of bias are 1.25 and 0.80, and neutral flow scores 39 at most', () => {
  expect(signal([125, 0, 0, 0], [100, 0, 0, 0]).figures.bias).toBe('bullish')
  expect(signal([80, 0, 0, 0], [100, 0, 0, 0]).figures.bias).toBe('bearish')
  const { regime, score, structures } = signal([124, 0, 0, 0], [100, 0, 0, 0], 2, { oi: 0 })
  expect([regime, score, structures]).toEqual(['neutral_flow', 39, []]) // 0.5 0.2348 + 0.15 + 0.15 is 41.7
})

test('without a trade nothing can be said', () => {
  expect(flowAnomalySignal(flow([0, 0, 0, 0], [0, 0, 0, 0]), undefined)).toMatchObject({
    regime: 'neutral_flow',
    missing: 'volume'
  })
  expect(flowAnomalySignal(flow([1, 0, 0, 0], [0, 0, 0, 0]), '2026-08-08' as never).missing).toBe('expiration')
})

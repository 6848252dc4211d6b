import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { americanPrice } from '../../../src/pricing/american/american-option.ts'
import { fillPremiums } from '../../../src/pricing/american/early-exercise.ts'
import type { ExerciseTerms } from '../../../src/pricing/american/exercise.ts'
import { holdsForward, isStale, servesStill } from '../../../src/pricing/american/grid-life.ts'
import { type PremiumGrids, premiumGrids } from '../../../src/pricing/american/premium-grid.ts'
import { gridsAtYield, yieldGrids, yieldStep } from '../../../src/pricing/american/yield-grids.ts'
import { price } from '../../../src/pricing/bsm.ts'

/** A minute of trading on the clock of market/clock.ts. */
const MINUTE = 1 / 252 / 390
const SPOT = 100

/** The largest error of the premiums that grids give under these terms, as a part of strike (put) or spot (call). */
function worstError(terms: ExerciseTerms, grids: PremiumGrids): number {
  const sigma = 0.22
  const total = sigma * Math.sqrt(terms.t)
  const deviations = [-2, -1, -0.5, 0, 0.3, 0.6, 1, 1.5]
  const strike = Float64Array.from([...deviations, ...deviations], (d) => SPOT * Math.exp(d * total))
  const right = Uint8Array.from(strike, (_, i) => (i < deviations.length ? CALL : PUT))
  const out = new Float64Array(strike.length)
  fillPremiums(
    { spot: SPOT, ...terms },
    grids,
    strike,
    right,
    strike.map(() => sigma),
    0,
    strike.length,
    out
  )
  let worst = 0
  strike.forEach((k, i) => {
    const option = { ...terms, right: right[i] === CALL ? 'call' : 'put', spot: SPOT, strike: k, sigma } as const
    const exercised = Math.max(right[i] === CALL ? SPOT - k : k - SPOT, 0)
    const found = Number.isNaN(out[i]) ? exercised : price(option) + out[i]
    worst = Math.max(worst, Math.abs(found - americanPrice(option)!) / (right[i] === CALL ? SPOT : k))
  })
  return worst
}

test('a grid is kept for minutes of trading, longer where rates are low, and its premiums are still right', () => {
  const terms = { t: 0.5, rate: 0.045, dividendYield: 0.012 }
  const { put, call } = premiumGrids(terms, 0.1, 0.6)
  expect(isStale(put, 0.5 - 5 * MINUTE)).toBe(false)
  expect(isStale(put, 0.5 - 9 * MINUTE)).toBe(true)
  expect(isStale(call, 0.5 - 5 * MINUTE)).toBe(false)
  expect(isStale(premiumGrids({ ...terms, rate: 0.01 }, 0.1, 0.6).put, 0.5 - 9 * MINUTE)).toBe(false)
  for (const one of [
    terms,
    { t: 2 / 365, rate: 0.1, dividendYield: 0.08 },
    { t: 2, rate: 0.02, dividendYield: 0.05 }
  ]) {
    const later = { ...one, t: one.t - 5 * MINUTE }
    expect(worstError(later, premiumGrids(one, 0.1, 0.6))).toBeLessThan(1e-5)
  }
})

test('another rate, or volatilities beyond them, want new grids', () => {
  const terms = { t: 0.5, rate: 0.045, dividendYield: 0.012 }
  const grids = premiumGrids(terms, 0.1, 0.6)
  expect(servesStill(grids, terms, 0.12, 0.5)).toBe(true)
  expect(servesStill(grids, { ...terms, rate: 0.046 }, 0.12, 0.5)).toBe(false)
  expect(servesStill(grids, { ...terms, t: 0.49 }, 0.12, 0.5)).toBe(false)
  expect(servesStill(grids, terms, 0.09, 0.5)).toBe(false)
  expect(servesStill(grids, terms, 0.12, 0.7)).toBe(false)
})

test('a forward is held while the pairs imply another within a quarter of their spread', () => {
  const found = { forward: 100, error: 0.01, spread: 0.2, pairs: 30, agreement: 1 }
  expect(holdsForward(100.04, found)).toBe(true)
  expect(holdsForward(99.96, found)).toBe(true)
  expect(holdsForward(100.06, found)).toBe(false)
})

describe('three grids make those of the yields between them', () => {
  test.each([
    [7 / 365, 0.045, 0.012],
    [0.5, 0.045, 0.012],
    [1, 0.045, 0.03],
    [2.36, 0.0463, 0.0071],
    [1, 0.02, 0.06]
  ])('%f years, r %f, q %f', (t, rate, dividendYield) => {
    const terms = { t, rate, dividendYield }
    const three = yieldGrids(terms, 0.1, 0.6)
    for (const part of [-1, -0.5, 0.4, 1]) {
      const moved = { ...terms, dividendYield: dividendYield + part * three.step }
      const grids = gridsAtYield(three, moved.dividendYield)!
      expect(grids.put.terms).toEqual(moved)
      expect(worstError(moved, grids)).toBeLessThan(5e-6)
    }
    expect(gridsAtYield(three, dividendYield + 1.1 * three.step)).toBeUndefined()
  })
})

test('yields do not cross the rate or nothing: without a step there is the middle alone', () => {
  expect(yieldStep({ t: 1, rate: 0.04, dividendYield: 0.04 })).toBe(0)
  expect(yieldStep({ t: 1, rate: 0.04, dividendYield: 0 })).toBe(0)
  const three = yieldGrids({ t: 1, rate: 0.04, dividendYield: 0 }, 0.1, 0.6)
  expect(gridsAtYield(three, 0)!.put).toEqual(three.middle.put)
  expect(gridsAtYield(three, 0)!.call.exercise).toBe('never')
  expect(gridsAtYield(three, 1e-5)).toBeUndefined()
})

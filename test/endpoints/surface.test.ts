import { expect, test } from 'vitest'
import { acceptedSlices } from '../../src/volatility/slice.ts'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import { asked, endpointAt, textOf } from '../support/asking.ts'
import { handMade, syntheticMarket } from '../support/markets.ts'
import { chainOf, series } from '../volatility/chains.ts'
import type { SurfaceGridAnswer } from './answers.ts'

const path = '/v1/surface/{symbol}'
const spy = await syntheticMarket('SPY', '2026-06-10', '10:31:17')

test('every node of the grid follows from the fitted slices on both sides of it', () => {
  const { tenors, moneyness, iv, as_of } = asked<SurfaceGridAnswer>(path, spy)!
  const fitted = acceptedSlices(spy.chain)
  expect(as_of).toBe(new Date(spy.chain.asOf).toISOString())
  tenors.forEach((t, row) => {
    const after = fitted.findIndex((slice) => slice.t >= t - 1e-9)
    const [low, high] = [fitted[Math.max(0, after - 1)], fitted[after]]
    moneyness.forEach((k, column) => {
      const [from, to] = [totalVariance(low.svi, k), totalVariance(high.svi, k)]
      const w = low === high ? to : from + ((to - from) * (t - low.t)) / (high.t - low.t)
      const exact = Math.min(300, Math.max(1, 100 * Math.sqrt(w / t)))
      expect(Math.abs(iv[row][column] - exact)).toBeLessThanOrEqual(0.0002)
    })
  })
})

test('the grid spans two years at most, though options are listed beyond', () => {
  const { tenors } = asked<SurfaceGridAnswer>(path, spy)!
  expect(acceptedSlices(spy.chain).at(-1)!.t).toBeGreaterThan(2)
  expect(tenors[49]).toBe(2)
})

test('one fitted expiration is too few for a grid, and so is none', () => {
  const one = { ...spy, chain: chainOf([series('2026-08-28')]) }
  for (const market of [one, handMade('no quotes')]) {
    expect(textOf(endpointAt(path), market)).toEqual({ code: 'insufficient_data' })
  }
})

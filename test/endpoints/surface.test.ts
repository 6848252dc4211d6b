import { describe, expect, test } from 'vitest'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { probabilityAbove, probabilityBelow } from '../../src/volatility/market-smile/distribution.ts'
import { marketSurface } from '../../src/volatility/market-smile/market-surface.ts'
import { totalVarianceAt } from '../../src/volatility/market-smile/smile-curve.ts'
import { marketVariances } from '../../src/volatility/market-smile/whole-variance.ts'
import { acceptedSlices } from '../../src/volatility/smile/slice.ts'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import { modelFreeVolatility } from '../../src/volatility/variance/model-free.ts'
import { asked, endpointAt, textOf } from '../support/asking.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { handMade, recordedMarket, syntheticMarket } from '../support/markets.ts'
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

describe('asked for the market fit', () => {
  const market = { fit: 'market' }
  const answer = asked<SurfaceGridAnswer>(path, spy, market)!
  const smiles = marketSurface(spy.chain).smiles.filter((smile) => smile !== undefined)

  test('the answer without it stays as it was', () => {
    const plain = asked<SurfaceGridAnswer>(path, spy)!
    expect(plain).toEqual(asked<SurfaceGridAnswer>(path, spy, { fit: 'svi' }))
    for (const name of ['fit', 'density', 'refused', 'variance_days_30']) expect(plain).not.toHaveProperty(name)
  })

  test('every node of the grid follows from the market smiles on both sides of it', () => {
    const { tenors, moneyness, iv, slices_used, fit } = answer
    expect([fit, slices_used]).toEqual(['market', smiles.length])
    const inTime = smiles.toSorted((a, b) => a.t - b.t)
    tenors.forEach((t, row) => {
      const after = inTime.findIndex((smile) => smile.t >= t - 1e-9)
      const [low, high] = [inTime[Math.max(0, after - 1)], inTime[after]]
      moneyness.forEach((k, column) => {
        const [from, to] = [totalVarianceAt(low, k), totalVarianceAt(high, k)]
        const w = low === high ? to : from + ((to - from) * (t - low.t)) / (high.t - low.t)
        expect(Math.abs(iv[row][column] - Math.min(300, Math.max(1, 100 * Math.sqrt(w / t))))).toBeLessThanOrEqual(2e-4)
      })
    })
  })

  test('each listing has quantiles that rise, and a probability on both sides of each listed strike', () => {
    expect(answer.density!.length).toBe(smiles.length)
    answer.density!.forEach((listing, n) => {
      const smile = smiles[n]
      const { start, end } = spy.chain.expirations[smile.at]
      expect(listing.strikes).toEqual([...new Set(spy.chain.strike.subarray(start, end))])
      expect(listing.quantiles.map(({ probability }) => probability)).toEqual([1, 5, 10, 25, 50, 75, 90, 95, 99])
      for (const { probability, price } of listing.quantiles) {
        // A price has two decimals: the distribution changes by so much within one.
        const steps = [-0.005, 0.005].map((cent) => probabilityBelow(smile, Math.log((price + cent) / smile.forward)))
        expect(100 * steps[0]).toBeLessThanOrEqual(probability)
        expect(100 * steps[1]).toBeGreaterThanOrEqual(probability)
      }
      listing.strikes.forEach((strike, i) => {
        const k = Math.log(strike / smile.forward)
        expect(Math.abs(listing.below[i] - probabilityBelow(smile, k))).toBeLessThanOrEqual(5.1e-7)
        expect(Math.abs(listing.above[i] - probabilityAbove(smile, k))).toBeLessThanOrEqual(5.1e-7)
        if (i > 0) expect(listing.below[i]).toBeGreaterThanOrEqual(listing.below[i - 1])
      })
      expect(listing.beyond_quotes).toBeLessThan(1)
      const { volatility, beyond } = marketVariances(spy.chain).of.get(smile)!
      expect(Math.abs(listing.variance_vol - volatility)).toBeLessThanOrEqual(5.1e-5)
      expect(Math.abs(listing.variance_beyond_quotes - beyond)).toBeLessThanOrEqual(5.1e-5)
      expect(listing.quotes).toBeGreaterThanOrEqual(3)
    })
  })

  test('has the variance of the next 30 days, tails included, beside that of the strips', () => {
    const { month } = modelFreeVolatility(spy.chain)
    expect(Math.abs(answer.variance_days_30! - marketVariances(spy.chain).month!)).toBeLessThanOrEqual(5.1e-5)
    expect(Math.abs(answer.variance_days_30! - month!)).toBeLessThan(0.5)
  })

  test('a listing that has no smile says why, and one that has expired says nothing', () => {
    const twoQuotes = series('2026-09-18', { strikes: [95, 105] })
    const noQuotes = series('2026-09-25', { quote: () => [Number.NaN, Number.NaN] })
    const chain = chainOf([series('2026-07-28'), series('2026-08-28'), twoQuotes, noQuotes, series('2026-10-16')])
    const { density, refused } = asked<SurfaceGridAnswer>(path, { ...spy, chain }, market)!
    expect(density!.map(({ expiry }) => expiry)).toEqual(['2026-08-28', '2026-10-16'])
    const few = { root: 'TEST', settlement: 'pm', reason: 'few_points' }
    expect(refused).toEqual([
      { expiry: '2026-09-18', ...few },
      { expiry: '2026-09-25', ...few }
    ])
  })

  test('one smile is too few for a grid', () => {
    const one = { ...spy, chain: chainOf([series('2026-08-28')]) as PricedChain }
    expect(textOf(endpointAt(path), one, market)).toEqual({ code: 'insufficient_data' })
  })

  test('AM and PM listings of a day both have theirs', async () => {
    const index = await syntheticMarket('SPX', '2026-09-15', '11:15')
    const { density } = asked<SurfaceGridAnswer>(path, index, market)!
    const sameDay = density!.filter(({ expiry }) => expiry === '2026-09-18')
    expect(sameDay.map(({ root, settlement }) => `${root} ${settlement}`)).toEqual(['SPX am', 'SPXW pm'])
  })

  test.skipIf(recordedPayloads() === undefined)('a recorded index has nearly all its quotes inside', async () => {
    const recorded = await recordedMarket('SPX', '2026-07-31')
    const { density, refused } = asked<SurfaceGridAnswer>(path, recorded!, market)!
    expect(refused).toEqual([])
    const quotes = density!.reduce((sum, listing) => sum + listing.quotes, 0)
    const inside = density!.reduce((sum, listing) => sum + listing.quotes * listing.quotes_inside, 0)
    expect(inside / quotes).toBeGreaterThan(0.99)
  })
})

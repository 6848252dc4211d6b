import { describe, expect, test } from 'vitest'
import { contractListing } from '../../../src/connectors/synthetic/listing/contract-listing.ts'
import { momentAt } from '../../../src/connectors/synthetic/market-moment.ts'
import { priceAt } from '../../../src/connectors/synthetic/prices/price-path.ts'
import { securityOf } from '../../../src/connectors/synthetic/securities/securities.ts'
import { smileOf, ssviVariance, swapVariance } from '../../../src/connectors/synthetic/surface/ssvi-smile.ts'
import { theoryOf } from '../../../src/connectors/synthetic/surface/theory.ts'
import { varianceCurve } from '../../../src/connectors/synthetic/surface/variance-curve.ts'
import { createWorld } from '../../../src/connectors/synthetic/world.ts'
import { addDays, tradingDays } from '../../../src/market/calendar.ts'
import { yearsToExpiry } from '../../../src/market/clock.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { normalCdf } from '../../../src/math/normal.ts'
import { priceChain } from '../../../src/pricing/price-chain.ts'
import { madeUpAssumptions } from '../../support/made-up.ts'
import { eastern, market } from './ask.ts'

const { chain, close } = market()

describe.each([
  ['SPX', '2026-11-18', '12:00'],
  ['SPX', '2020-03-16', '09:30'],
  ['VIX', '2026-11-18', '15:00'],
  ['TSLA', '2022-04-20', '16:00'],
  ['SQQQ', '2026-11-18', '12:00'],
  ['GLD', '2028-06-07', '15:59']
])('theoretical prices of %s at %s %s', (symbol, date, time) => {
  const world = createWorld(1)
  const security = securityOf(symbol)!
  const moment = momentAt(eastern(date, time))!
  const listing = contractListing(world, security, moment.session)
  const spot = priceAt(world, security, moment.session, moment.s)
  const { price } = theoryOf(world, security, listing, moment, spot)

  test('fall, and fall ever slower, from strike to strike: no butterfly arbitrage', () => {
    for (const { start, end } of listing.series) {
      if (Number.isNaN(price[start])) continue
      const dust = 1e-9 * spot
      for (let call = start; call + 2 < end; call += 2) {
        const step = listing.strike[(call >> 1) + 1] - listing.strike[call >> 1]
        const slope = (price[call + 2] - price[call]) / step
        expect(slope).toBeLessThanOrEqual(dust)
        expect(slope).toBeGreaterThanOrEqual(-1 - dust)
        if (call + 4 >= end) continue
        const next =
          (price[call + 4] - price[call + 2]) / (listing.strike[(call >> 1) + 2] - listing.strike[(call >> 1) + 1])
        expect(next).toBeGreaterThanOrEqual(slope - dust)
      }
    }
  })
})

test.each(['SPX', 'AAPL', 'TSLA', 'TLT'])('total variance of %s never falls with time', (symbol) => {
  const world = createWorld(1)
  const security = securityOf(symbol)!
  for (const date of ['2018-02-06', '2024-10-30', '2026-11-18']) {
    const moment = momentAt(eastern(date, '14:00'))!
    const curve = varianceCurve(world, security, moment.session, moment.s)
    let before = 0
    for (const expiration of tradingDays(date as IsoDate, addDays(date as IsoDate, 500))) {
      const now = curve(yearsToExpiry(moment.asOf, expiration, 'pm'), expiration)
      expect(now).toBeGreaterThan(before)
      before = now
    }
  }
})

test('a report ahead lifts the volatility of expirations behind it and is gone the morning after', () => {
  const world = createWorld(1)
  const security = securityOf('NFLX')!
  const sizes: number[] = []
  for (const date of tradingDays('2025-01-02' as IsoDate, '2025-12-30' as IsoDate)) {
    const { session } = momentAt(eastern(date, '16:00'))!
    const week = addDays(date, 7)
    const before = varianceCurve(world, security, session, 1)(7 / 365, week)
    const after = varianceCurve(world, security, session + 1, 0)(6 / 365, week)
    sizes.push(after / before)
  }
  const crushes = sizes.filter((ratio) => ratio < 0.6)
  expect(crushes.length).toBeGreaterThanOrEqual(3)
  expect(crushes.length).toBeLessThanOrEqual(5)
})

test('the variance swap of a smile agrees with the replication by its options', () => {
  const smile = smileOf({ rho: -0.68, eta: 1.05 }, 0.2 ** 2 / 12)
  // 2 times the integral of out-of-the-money prices over K squared, on a forward of 1 without discount.
  let replicated = 0
  const step = 0.0005
  for (let k = -2; k < 0.6; k += step) {
    const w = ssviVariance(smile, k)
    const d1 = -k / Math.sqrt(w) + Math.sqrt(w) / 2
    const put = Math.exp(k) * normalCdf(-d1 + Math.sqrt(w)) - normalCdf(-d1)
    replicated += 2 * step * Math.exp(-k) * (k < 0 ? put : put + 1 - Math.exp(k))
  }
  expect(swapVariance(smile) / replicated).toBeCloseTo(1, 3)
})

test.each([
  'SPX',
  'SPY',
  'AAPL'
])('volatilities inverted from mids of %s run smoothly near the money', async (symbol) => {
  const priced = priceChain(await chain(symbol, '2026-11-18', '11:00'), madeUpAssumptions)
  priced.expirations.forEach(({ start, end }, at) => {
    const { forward, t } = priced.carries[at]
    const sigmas: number[] = []
    for (let call = start; call < end; call += 2) {
      const out = priced.strike[call] >= forward ? call : call + 1
      if (Math.abs(Math.log(priced.strike[call] / forward)) < 0.1 * Math.sqrt(t)) sigmas.push(priced.sigma[out])
    }
    for (let i = 1; i + 1 < sigmas.length; i++) {
      expect(Math.abs(sigmas[i + 1] - 2 * sigmas[i] + sigmas[i - 1])).toBeLessThan(0.01)
    }
  })
})

test('the forward that options imply is the one they were priced on', async () => {
  const priced = priceChain(await close('SPX', '2026-11-18'), madeUpAssumptions)
  for (const { days, fromParity, dividendYield, t } of priced.carries) {
    if (days < 5) continue
    expect(fromParity).toBe(true)
    expect(Math.abs(dividendYield - securityOf('SPX')!.dividendYield) * t).toBeLessThan(2e-4)
  }
})

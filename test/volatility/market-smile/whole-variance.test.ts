import { describe, expect, test } from 'vitest'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { densityAt } from '../../../src/volatility/market-smile/distribution.ts'
import { marketSurface } from '../../../src/volatility/market-smile/market-surface.ts'
import { quoteIntervals } from '../../../src/volatility/market-smile/quote-intervals.ts'
import { type MarketSmile, totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { marketVariances } from '../../../src/volatility/market-smile/whole-variance.ts'
import { modelFreeVolatility } from '../../../src/volatility/variance/model-free.ts'
import { eastern, ladder } from '../../support/hand-made.ts'
import { chainOf, series } from '../chains.ts'
import { hasSession, session, sessions } from './sessions.ts'

const found = (chain: PricedChain) => marketSurface(chain).smiles.filter((smile) => smile !== undefined)

/** The normal distribution by its series, or its continued fraction. */
function normal(x: number): number {
  if (x < 0) return 1 - normal(-x)
  if (x > 6) {
    let fraction = x
    for (let n = 40; n > 0; n--) fraction = x + n / fraction
    return 1 - Math.exp(-0.5 * x * x) / (Math.sqrt(2 * Math.PI) * fraction)
  }
  let [term, sum] = [x, x]
  for (let n = 1; n < 120; n++) sum += term *= (x * x) / (2 * n + 1)
  return 0.5 + (sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI)
}

/** Integrand of 2 ∫ otm(K) / K² dK at K = F e^k per 1.00 of k, by Black's formula. */
function added(smile: MarketSmile, k: number): number {
  const total = Math.sqrt(totalVarianceAt(smile, k))
  const d1 = -k / total + total / 2
  const strike = Math.exp(k)
  const call = normal(d1) - strike * normal(d1 - total)
  return (2 * (k > 0 ? call : call - 1 + strike)) / strike
}

/** The sum over `steps` midpoints. */
function integral(of: (k: number) => number, from: number, to: number, steps: number): number {
  const step = (to - from) / steps
  let sum = 0
  for (let n = 0; n < steps; n++) sum += step * of(from + (n + 0.5) * step)
  return sum
}

/** ln(K / F) of the outermost quotes with both sides. */
function ends(chain: PricedChain, smile: MarketSmile): readonly [number, number] {
  const { k, prices, size } = quoteIntervals(chain, smile.at)
  const quoted = Array.from({ length: size }, (_, i) => i).filter((i) => prices.bid[i] > 0)
  return [k[quoted[0]], k[quoted.at(-1)!]]
}

const wide = (date: string, change: Parameters<typeof series>[1] = {}) =>
  series(date, { strikes: ladder(60, 160, 0.5), sigma: 0.2, ...change })

describe('a chain of one volatility', () => {
  const chain = chainOf([wide('2026-08-21'), wide('2026-08-26'), wide('2026-08-28'), wide('2026-09-04')])
  const { of, month } = marketVariances(chain)

  test('has it in every smile, on the clock of calendar minutes', () => {
    expect(of.size).toBe(4)
    for (const [{ at, date }, { volatility }] of of) {
      const years = (eastern(date, '16:00') - chain.asOf) / 60_000 / 525_600
      expect(volatility / (20 * Math.sqrt(chain.carries[at].t / years))).toBeCloseTo(1, 3)
    }
  })

  test('has its month between the Fridays that the month of the strips lies between', () => {
    const [near, next] = ['2026-08-21', '2026-08-28'].map((date) => {
      const minutes = (eastern(date, '16:00') - chain.asOf) / 60_000
      const [, { volatility }] = [...of].find(([smile]) => smile.date === date)!
      return { minutes, total: ((volatility / 100) ** 2 * minutes) / 525_600 }
    })
    const share = (43_200 - near.minutes) / (next.minutes - near.minutes)
    const total = near.total + share * (next.total - near.total)
    expect(month).toBeCloseTo(100 * Math.sqrt((total * 525_600) / 43_200), 10)
  })

  test('has none of the month where one side of it is not listed', () => {
    expect(marketVariances(chainOf([wide('2026-08-21'), wide('2026-08-26')])).month).toBeUndefined()
  })
})

test('strikes that end early leave to the wings what lies beyond them', () => {
  const shares = [80, 90, 95].map((lowest) => {
    const chain = chainOf([wide('2026-09-18', { strikes: ladder(lowest, 115, 0.5) })])
    const [smile] = found(chain)
    const [from, to] = ends(chain, smile)
    const whole = integral((k) => added(smile, k), -12, 12, 120_000)
    const inside = integral((k) => added(smile, k), from, to, 20_000)
    const { beyond } = marketVariances(chain).of.get(smile)!
    expect(beyond).toBeCloseTo(1 - inside / whole, 5)
    return beyond
  })
  expect(shares[0]).toBeLessThan(shares[1])
  expect(shares[1]).toBeLessThan(shares[2])
  expect(shares[2]).toBeGreaterThan(0.1)
})

describe.runIf(sessions.length > 0)('recorded sessions', () => {
  test.each(
    sessions
  )('%s of %s: the variance of each smile is minus twice the mean of its logarithm', async (symbol, date) => {
    const chain = await session(symbol, date)
    const { of, month } = marketVariances(chain)
    const { strips, month: ofStrips } = modelFreeVolatility(chain)
    const beside: number[] = []
    for (const [smile, { volatility, beyond }] of of) {
      const { root, date: expiry } = chain.expirations[smile.at]
      const strip = strips.find((one) => one.root === root && one.date === expiry)!
      const total = (strip.minutes / 525_600) * (volatility / 100) ** 2
      // Wings of the last days reach a hundred deviations, those of years far beyond |k| = 5: k = s sinh(u), up to 50.
      const end = Math.asinh(50 / smile.scale)
      const weighed = (k: number) => k * densityAt(smile, k)
      const mean = integral((u) => weighed(smile.scale * Math.sinh(u)) * smile.scale * Math.cosh(u), -end, end, 20_000)
      expect(Math.abs((-2 * mean) / total - 1), expiry).toBeLessThan(1e-4)
      expect(beyond).toBeGreaterThanOrEqual(0)
      expect(beyond).toBeLessThan(1)
      // The strip lies between the smile as far as its quotes go and the whole of it.
      const { days } = chain.carries[smile.at]
      if (strip.volatility !== undefined && days > 2 && days <= 45) {
        expect(strip.volatility, expiry).toBeGreaterThan(volatility * Math.sqrt(1 - beyond) - 0.15)
        expect(strip.volatility, expiry).toBeLessThan(volatility + 0.15)
      }
      if (strip.volatility !== undefined && days > 2) beside.push(volatility - strip.volatility)
    }
    const sorted = beside.toSorted((a, b) => a - b)
    console.log(
      `${symbol} ${date}: 30 days by smiles ${month!.toFixed(3)}, by strips ${ofStrips!.toFixed(3)}; smile less strip ` +
        `${sorted[0].toFixed(2)} to ${sorted.at(-1)!.toFixed(2)} points, median ${sorted[sorted.length >> 1].toFixed(2)}`
    )
    if (symbol === 'SPX') expect(Math.abs(month! - ofStrips!)).toBeLessThan(0.05)
    else expect(month!).toBeGreaterThan(ofStrips! - 0.05)
  })

  test.runIf(hasSession('SPX', '2026-07-22'))('30 days of SPX on 2026-07-22 are the published 16.64', async () => {
    const { month } = marketVariances(await session('SPX', '2026-07-22'))
    expect(Math.abs(month! - 16.64)).toBeLessThan(0.05)
  })
})

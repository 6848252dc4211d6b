import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../../src/market/chain.ts'
import { borrowYield, type DividendTerms } from '../../../../src/pricing/american/dividends/dividend-terms.ts'
import {
  earlyExercisePremium,
  type GridResolution,
  type PremiumCurve
} from '../../../../src/pricing/american/dividends/finite-differences.ts'
import { price } from '../../../../src/pricing/bsm.ts'
import { testRecorded } from '../../recorded.ts'
import { twinPremium } from '../dividend-lattice.ts'
import { bivariateNormal, rollGeskeWhaley } from '../one-dividend-call.ts'

/** The curve between its nodes, by the cubic through four of them. */
function read({ start, step, premium }: PremiumCurve, x: number): number {
  const place = (x - start) / step
  const at = Math.min(Math.max(Math.floor(place), 1), premium.length - 3)
  const nodes = [-1, 0, 1, 2]
  return nodes.reduce((sum, i) => {
    const weight = nodes.reduce((product, j) => (j === i ? product : (product * (place - at - j)) / (i - j)), 1)
    return sum + weight * premium[at + i]
  }, 0)
}

/** The premium of an option with strike 1: of the strike over ln(S/K) for a put, made of the spot's for a call. */
function premiumOf(terms: DividendTerms, x: number, sigma: number, resolution?: GridResolution): number {
  const curve = earlyExercisePremium(terms, sigma, resolution)
  return terms.right === CALL ? Math.exp(x) * read(curve, -x) : read(curve, x)
}

const fine: GridResolution = { nodes: 800, steps: 200 }
const day = 1 / 365

interface American {
  readonly rows: readonly {
    readonly right: 'call' | 'put'
    readonly spot: number
    readonly strike: number
    readonly years: number
    readonly rate: number
    readonly dividend_yield: number
    readonly sigma: number
    readonly premium: number
    readonly exercised: boolean
  }[]
}

testRecorded<American>(
  'american.json',
  'without dividends the premium is that of the integral equation',
  ({ rows }) => {
    let compared = 0
    for (const { right, spot, strike, years, rate, dividend_yield, sigma, premium } of rows) {
      if (years > 1) continue
      const terms = {
        right: right === 'call' ? CALL : PUT,
        t: years,
        rate,
        dividendYield: dividend_yield,
        dividends: []
      }
      const found = premiumOf(terms, Math.log(spot / strike), sigma, fine)
      const unit = Math.max(spot / strike, 1)
      const row = `${right} ${strike}, ${years} years, ${rate}, ${dividend_yield}, ${sigma}`
      expect(Math.abs(found - premium / strike) / unit, row).toBeLessThan(1e-5)
      compared++
    }
    expect(compared).toBeGreaterThan(150)
  }
)

describe('with one dividend a call is worth what Roll, Geske and Whaley say', () => {
  test('whose formula gives its published value', () => {
    // Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), 9.1: spot 80, dividend 4 after a quarter.
    const asset = 80 - 4 * Math.exp(-0.06 * 0.25)
    const call = { asset, strike: 82, t: 1 / 3, exDate: 0.25, sigma: 0.3, rate: 0.06, scale: 1, cash: 4 }
    expect(rollGeskeWhaley(call)).toBeCloseTo(4.386, 3)
  })

  test('and whose bivariate normal distribution is right where it is known', () => {
    expect(bivariateNormal(0, 0, -0.5)).toBeCloseTo(1 / 6, 12) // 1/4 + asin(rho) / (2 pi)
    expect(bivariateNormal(1.5, 9, 0.3)).toBeCloseTo(0.933192798731142, 12)
  })

  test.each([
    [0.0025, 10, 12, 0.14],
    [0.0025, 1, 5, 0.14],
    [0.01, 30, 60, 0.3],
    [0.02, 45, 180, 0.2],
    [0.05, 80, 90, 0.6]
  ])('a share of %s, ex in %s days, expiring in %s, sigma %s', (fraction, exDate, expiry, sigma) => {
    const t = expiry * day
    const terms = { right: CALL, t, rate: 0.045, dividendYield: 0, dividends: [{ t: exDate * day, fraction }] }
    for (const deviations of [-2, -1, 0, 1, 2]) {
      const spot = Math.exp(deviations * sigma * Math.sqrt(t))
      const asset = spot * (1 - fraction)
      const option = { right: 'call', spot: asset, strike: 1, t, sigma, rate: 0.045, dividendYield: 0 } as const
      const american = rollGeskeWhaley({ ...option, asset, exDate: exDate * day, scale: 1 / (1 - fraction), cash: 0 })
      const premium = american - price(option)
      expect(Math.abs(premiumOf(terms, Math.log(spot), sigma, fine) - premium), `${deviations}`).toBeLessThan(5e-6)
      expect(Math.abs(premiumOf(terms, Math.log(spot), sigma) - premium), `${deviations}`).toBeLessThan(1.5e-5)
    }
  })
})

describe('the premium is that of a lattice', () => {
  const quarterly = [
    { t: 0.1, fraction: 0.01 },
    { t: 0.35, fraction: 0.01 }
  ]
  test.each([
    ['two dividends of a stock', { t: 0.5, rate: 0.045, dividendYield: 0, dividends: quarterly }, 0.3, 10],
    [
      'with a stock that is dear to borrow',
      { t: 0.5, rate: 0.045, dividendYield: 0.06, dividends: quarterly },
      0.3,
      10
    ],
    ['at a rate of 10 %', { t: 0.5, rate: 0.1, dividendYield: -0.01, dividends: quarterly }, 0.15, 10],
    ['at a rate below zero', { t: 0.5, rate: -0.005, dividendYield: 0.01, dividends: quarterly }, 0.25, 10],
    [
      'of a fund',
      { t: 60 * day, rate: 0.045, dividendYield: 0, dividends: [{ t: 30 * day, fraction: 0.0025 }] },
      0.14,
      2
    ],
    ['ex tomorrow', { t: 5 * day, rate: 0.045, dividendYield: 0, dividends: [{ t: day, fraction: 0.0025 }] }, 0.14, 5],
    ['ex at expiry', { t: 0.1, rate: 0.045, dividendYield: 0, dividends: [{ t: 0.1, fraction: 0.005 }] }, 0.2, 1],
    [
      'a tenth of the price at once',
      { t: 0.25, rate: 0.045, dividendYield: 0, dividends: [{ t: 0.05, fraction: 0.1 }] },
      0.5,
      5
    ]
  ] as const)('%s', (_, expiration, sigma, parts) => {
    for (const right of [CALL, PUT]) {
      const terms = { right, ...expiration }
      for (const deviations of [-1.3, -0.4, 0.2, 1.1]) {
        const x = deviations * sigma * Math.sqrt(terms.t)
        const found = premiumOf(terms, x, sigma)
        const error = (found - twinPremium(terms, x, sigma, parts)) / Math.max(1, Math.exp(x))
        expect(Math.abs(error), `${right === CALL ? 'call' : 'put'} ${deviations}`).toBeLessThan(2e-5)
      }
    }
  })
})

describe('accuracy', () => {
  /** A stock with 1 % a quarter, or a fund with a quarter of that: the cases of the table in the method's page. */
  const cases = [
    { days: 20, exDates: [10], limits: [2.5e-6, 1.2e-6, 3e-7] },
    { days: 60, exDates: [30], limits: [3e-6, 1.5e-6, 4e-7] },
    { days: 180, exDates: [30, 121], limits: [5e-6, 2.5e-6, 7e-7] }
  ]
  const resolutions = [
    { nodes: 300, steps: 60 },
    { nodes: 400, steps: 100 },
    { nodes: 800, steps: 200 }
  ]
  /** The largest difference from a grid three times as fine as the finest of these. */
  function worst(days: number, exDates: readonly number[], resolution: GridResolution): number {
    const errors: number[] = []
    for (const right of [CALL, PUT]) {
      for (const [fraction, sigma] of [
        [0.0025, 0.14],
        [0.01, 0.3]
      ]) {
        const dividends = exDates.map((exDate) => ({ t: exDate * day, fraction }))
        const terms = { right, t: days * day, rate: 0.045, dividendYield: 0, dividends }
        const exact = earlyExercisePremium(terms, sigma, { nodes: 2400, steps: 600 })
        const found = earlyExercisePremium(terms, sigma, resolution)
        for (let k = -50; k <= 50; k++) {
          const x = (k / 12.5) * sigma * Math.sqrt(terms.t)
          errors.push(Math.abs(read(found, x) - read(exact, x)))
        }
      }
    }
    return Math.max(...errors)
  }

  test.each(cases)('of $days days is that of the page', ({ days, exDates, limits }) => {
    for (const [k, resolution] of resolutions.entries()) {
      expect(worst(days, exDates, resolution)).toBeLessThan(limits[k])
    }
  })

  test('grows with the square of nodes and steps', () => {
    const terms = { right: PUT, t: 0.5, rate: 0.045, dividendYield: 0, dividends: [{ t: 0.1, fraction: 0.01 }] }
    const [coarse, middle, dense] = [200, 400, 800].map((nodes) =>
      premiumOf(terms, 0, 0.3, { nodes, steps: nodes / 4 })
    )
    const order = Math.log2(Math.abs(coarse - middle) / Math.abs(middle - dense))
    expect(order).toBeGreaterThan(1.6)
  })
})

test('the borrow yield leaves the forward where it is', () => {
  const terms = { forward: 101, spot: 100, t: 0.4, rate: 0.05 }
  const dividends = [
    { t: 0.1, fraction: 0.01 },
    { t: 0.3, fraction: 0.02 }
  ]
  const q = borrowYield(terms, dividends)
  expect(100 * 0.99 * 0.98 * Math.exp((0.05 - q) * 0.4)).toBeCloseTo(101, 12)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { greeks, impliedVolatility, type Option, price, type Right } from '../../src/pricing/bsm.ts'
import { testRecorded } from './recorded.ts'

/** In the order of Haug's examples: spot, strike, time, rate, cost of carry, volatility. */
const option = (right: Right, spot: number, strike: number, t: number, rate: number, carry: number, sigma: number) => ({
  ...{ right, spot, strike, t, rate, sigma },
  dividendYield: rate - carry
})

const anyOption: fc.Arbitrary<Option> = fc.record({
  right: fc.constantFrom<Right[]>('call', 'put'),
  spot: fc.double({ min: 50, max: 200, noNaN: true }),
  strike: fc.double({ min: 50, max: 200, noNaN: true }),
  t: fc.double({ min: 0.01, max: 3, noNaN: true }),
  sigma: fc.double({ min: 0.05, max: 1.5, noNaN: true }),
  rate: fc.double({ min: -0.05, max: 0.12, noNaN: true }),
  dividendYield: fc.double({ min: -0.05, max: 0.1, noNaN: true })
})

// Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), pp. 3 to 7.
test.each([
  ['Black-Scholes call', option('call', 60, 65, 0.25, 0.08, 0.08, 0.3), 2.1334],
  ['Merton put', option('put', 100, 95, 0.5, 0.1, 0.05, 0.2), 2.4648],
  ['Black-76 call', option('call', 19, 19, 0.75, 0.1, 0, 0.28), 1.7011],
  ['Black-76 put', option('put', 19, 19, 0.75, 0.1, 0, 0.28), 1.7011],
  ['Garman-Kohlhagen call', option('call', 1.56, 1.6, 0.5, 0.06, -0.02, 0.12), 0.0291]
] as const)('the %s price matches the published value', (_, terms, published) => {
  expect(price(terms)).toBeCloseTo(published, 4)
})

// Haug (2007), ch. 2, "Black-Scholes-Merton Greeks", the numerical example of each section.
test.each([
  ['delta', option('call', 105, 100, 0.5, 0.1, 0, 0.36), 0.5946],
  ['delta', option('put', 105, 100, 0.5, 0.1, 0, 0.36), -0.3566],
  ['vanna', option('put', 90, 80, 0.25, 0.05, 0.05, 0.2), -1.0008],
  ['charm', option('put', 105, 90, 0.25, 0.14, 0, 0.24), 0.37],
  ['gamma', option('call', 55, 60, 0.75, 0.1, 0.1, 0.3), 0.0278],
  ['speed', option('call', 50, 48, 1 / 12, 0.06, 0.01, 0.2), -0.0291],
  ['vega', option('call', 55, 60, 0.75, 0.105, 0.0695, 0.3), 18.5027],
  ['vomma', option('call', 90, 130, 0.75, 0.05, 0, 0.28), 92.3444],
  ['theta', option('put', 430, 405, 1 / 12, 0.07, 0.02, 0.2), -31.1924],
  ['rho', option('call', 72, 75, 1, 0.09, 0.09, 0.19), 38.7325]
] as const)('%s of the published example matches it', (name, terms, published) => {
  expect(greeks(terms)[name]).toBeCloseTo(published, 4)
})

test('put-call parity holds to the last digits', () => {
  fc.assert(
    fc.property(anyOption, (terms) => {
      const call = price({ ...terms, right: 'call' })
      const put = price({ ...terms, right: 'put' })
      const forward =
        terms.spot * Math.exp(-terms.dividendYield * terms.t) - terms.strike * Math.exp(-terms.rate * terms.t)
      expect(Math.abs(call - put - forward)).toBeLessThan(1e-12)
    })
  )
})

test('the price of a far strike keeps all its digits', () => {
  // 60-digit arithmetic: a volatility of 1, one week, calls at three and ten times the spot; a put at a third mirrors one.
  const [farCall, fartherCall] = [3.424537253326958e-15, 8.502713069630739e-62]
  const far = { spot: 100, t: 1 / 52, sigma: 1, rate: 0, dividendYield: 0 } as const
  expect(price({ ...far, right: 'call', strike: 300 }) / farCall).toBeCloseTo(1, 12)
  expect(price({ ...far, right: 'call', strike: 1000 }) / fartherCall).toBeCloseTo(1, 12)
  expect(price({ ...far, right: 'put', strike: 100 / 3 }) / (farCall / 3)).toBeCloseTo(1, 12)
})

describe('without time or volatility', () => {
  const terms = { spot: 100, strike: 90, t: 0.5, sigma: 0, rate: 0.04, dividendYield: 0.02 } as const

  test('the price is the present value of what the forward is worth at expiry', () => {
    const worth = 100 * Math.exp(-0.01) - 90 * Math.exp(-0.02)
    expect(price({ ...terms, right: 'call' })).toBeCloseTo(worth, 13)
    expect(price({ ...terms, right: 'put' })).toBe(0)
    expect(price({ ...terms, right: 'call', t: 0, sigma: 0.2 })).toBe(10)
    expect(price({ ...terms, right: 'put', strike: 110, t: 0, sigma: 0.2 })).toBe(10)
  })

  test('a volatility next to none changes nothing', () => {
    for (const sigma of [1e-300, 1e-100, 1e-9]) {
      expect(price({ ...terms, right: 'call', sigma })).toBeCloseTo(price({ ...terms, right: 'call' }), 13)
      expect(price({ ...terms, right: 'put', strike: 70, sigma })).toBe(0)
    }
  })

  test('there are no greeks', () => {
    expect(() => greeks({ ...terms, right: 'call' })).toThrow(RangeError)
    expect(() => greeks({ ...terms, right: 'call', t: 0, sigma: 0.2 })).toThrow(RangeError)
    expect(() => greeks({ ...terms, right: 'call', sigma: Number.NaN })).toThrow(RangeError)
  })
})

test('with ever more volatility the price reaches its upper bound and stays there', () => {
  const terms = { right: 'call', spot: 100, strike: 120, t: 1, rate: 0.04, dividendYield: 0.02 } as const
  const bound = 100 * Math.exp(-0.02)
  const prices = [1, 2, 3, 5, 8, 13, 50, 1e3, 1e200].map((sigma) => price({ ...terms, sigma }))
  expect(prices.every((p, at) => p <= bound && (at === 0 || p >= prices[at - 1]))).toBe(true)
  expect(prices.at(-1)).toBe(bound)
})

describe('the volatility of one price', () => {
  test('is the one it was made with', () => {
    fc.assert(
      fc.property(anyOption, (terms) => {
        const sigma = impliedVolatility(terms, price(terms))
        const { vega } = greeks(terms)
        if (vega > 1e-3) expect(Math.abs(sigma! - terms.sigma)).toBeLessThan(1e-12 / vega + 1e-15)
      })
    )
  })

  test('does not exist outside the European bounds', () => {
    const terms = { right: 'put', spot: 100, strike: 110, t: 1, rate: 0.04, dividendYield: 0.02 } as const
    const [spotPart, strikePart] = [100 * Math.exp(-0.02), 110 * Math.exp(-0.04)]
    expect(impliedVolatility(terms, strikePart - spotPart - 1e-9)).toBeUndefined()
    expect(impliedVolatility(terms, strikePart - spotPart + 1e-9)).toBeGreaterThan(0)
    expect(impliedVolatility(terms, strikePart - 1e-9)).toBeGreaterThan(0)
    expect(impliedVolatility(terms, strikePart + 1e-9)).toBeUndefined()
  })
})

testRecorded<{ vols: number[]; rates: number[]; PRECOMPUTED_CALL_PRICE: number[][][] }>(
  'strata_bs_prices.json',
  'four hundred Black-Scholes prices of Strata agree to 1e-13 of the spot',
  ({ vols, rates, PRECOMPUTED_CALL_PRICE }) => {
    const strikes = [85, 90, 95, 100, 103, 108, 120, 150, 250]
    let compared = 0
    for (const [k, ofStrike] of PRECOMPUTED_CALL_PRICE.entries()) {
      for (const [v, ofVolatility] of ofStrike.entries()) {
        for (const [r, theirs] of ofVolatility.entries()) {
          const terms = option('call', 100, strikes[k], 4.5, rates[r], 0.05, vols[v])
          expect(Math.abs(price(terms) - theirs)).toBeLessThan(1e-11 / 100)
          expect(Math.abs(impliedVolatility(terms, theirs)! - vols[v])).toBeLessThan(2e-13 / greeks(terms).vega + 1e-15)
          compared++
        }
      }
    }
    expect(compared).toBe(441)
  }
)

testRecorded<{ strikes: number[]; vols: number[]; 'prices[strike][vol]': number[][] }>(
  'strata_black76_prices.json',
  'Black-76 prices of Strata agree to their last digits',
  ({ strikes, vols, 'prices[strike][vol]': theirs }) => {
    for (const [k, strike] of strikes.entries()) {
      for (const [v, sigma] of vols.entries()) {
        expect(Math.abs(price(option('call', 104, strike, 4.5, 0, 0, sigma)) - theirs[k][v])).toBeLessThan(5e-14)
      }
    }
  }
)

testRecorded<{ data: number[][] }>(
  'vollib_test_data.json',
  'prices and greeks agree with every digit vollib printed',
  ({ data }) => {
    const close = (ours: number, theirs: number) =>
      expect(Math.abs(ours - theirs)).toBeLessThan(6e-10 + 1e-8 * Math.abs(theirs))
    for (const [spot, strike, rate, t, sigma, call, put, ...theirs] of data) {
      const terms = { spot, strike, rate, t, sigma, dividendYield: 0 }
      for (const [at, right] of (['call', 'put'] as const).entries()) {
        const ours = greeks({ ...terms, right })
        close(ours.price, right === 'call' ? call : put)
        const [delta, gamma, theta, vega, rho] = theirs.slice(5 * at)
        close(ours.delta, delta)
        close(ours.gamma, gamma)
        close(ours.theta, theta)
        close(ours.vega, vega)
        close(ours.rho, rho)
      }
    }
  }
)

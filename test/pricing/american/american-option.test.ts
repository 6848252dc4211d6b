import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  americanGreeks,
  americanImpliedVolatility,
  americanPrice
} from '../../../src/pricing/american/american-option.ts'
import { exactPremium } from '../../../src/pricing/american/exact-premium.ts'
import { exerciseOf, exerciseTerms } from '../../../src/pricing/american/yield/exercise.ts'
import { type Greeks, greeks, type Option, price, type Right } from '../../../src/pricing/bsm.ts'
import { testRecorded } from '../recorded.ts'
import { latticePremium } from './support.ts'

const option = (
  right: Right,
  strike: number,
  t: number,
  rate: number,
  dividendYield: number,
  sigma: number
): Option => ({
  ...{ right, spot: 100, strike, t, rate, dividendYield, sigma }
})

/** Options that are listed, of rights with at most one boundary. */
const anyOption = fc
  .record({
    right: fc.constantFrom<Right[]>('call', 'put'),
    spot: fc.double({ min: 60, max: 160, noNaN: true }),
    strike: fc.constant(100),
    t: fc.double({ min: 0.01, max: 3, noNaN: true }),
    sigma: fc.double({ min: 0.05, max: 1.5, noNaN: true }),
    rate: fc.double({ min: 0, max: 0.1, noNaN: true }),
    dividendYield: fc.double({ min: 0, max: 0.1, noNaN: true })
  })
  .filter((one) => exerciseOf(exerciseTerms(one.right === 'call', one)) !== 'between')

// Andersen, Lake and Offengenden (2016), their example: premium of a put at the money, q 5 %, sigma 25 %, one year.
test.each([
  [0.05, 0.1069527],
  [0.075, 0.3671112]
])('the premium at a rate of %f matches the published value', (rate, published) => {
  const put = option('put', 100, 1, rate, 0.05, 0.25)
  expect(americanPrice(put)! - price(put)).toBeCloseTo(published, 6)
})

// Printed in docs/methods/early-exercise.md; agreed with a lattice of 3,203 steps, extrapolated, to 5e-6 of the strike.
test.each([
  [option('put', 101.07, 0.1, 0.045, 0.012, 0.08), 1.4784748423, 0.0563555572, -0.64380204, 0.169652],
  [option('put', 104.06, 0.1, 0.1, 0, 0.3), 5.7106163476, 0.1700889064, -0.63261577, 0.0443996],
  [option('call', 98.027, 0.1, 0.01, 0.1, 0.15), 2.6194266313, 0.1690703794, 0.65406644, 0.0975376],
  [option('put', 113.57, 0.5, 0.045, 0.012, 0.15), 13.5871019091, 1.093513181, -0.96488222, 0.0363084],
  [option('call', 97.652, 0.5, -0.005, 0.02, 0.08), 3.0595568647, 0.2399320069, 0.65641546, 0.0855326],
  [option('put', 143.33, 1, 0.045, 0.012, 0.3), 43.5111914448, 2.869750661, -0.93114081, 0.0130612],
  [option('call', 69.768, 1, 0.045, 0.06, 0.3), 30.5318190613, 1.587731083, 0.93282352, 0.0082012],
  [option('put', 106.5, 1, 0.1, 0, 0.15), 6.8926556522, 2.662631682, -0.74443469, 0.0752125],
  [option('put', 103.42, 1, 0.05, 0.05, 0.08), 5.0589466149, 0.076761527, -0.6332615, 0.0473712],
  [option('put', 103.42, 1, 0.03, -0.01, 0.08), 3.8610636082, 0.9591349998, -0.68681463, 0.100306]
])('the printed row %# holds', (one, value, premium, delta, gamma) => {
  const found = americanGreeks(one)!
  expect(Math.abs(found.price - value)).toBeLessThan(1e-6)
  expect(Math.abs(found.price - price(one) - premium)).toBeLessThan(1e-6)
  expect(Math.abs(found.delta - delta)).toBeLessThan(1e-6)
  expect(Math.abs(found.gamma / gamma - 1)).toBeLessThan(1e-4)
})

interface Row {
  readonly right: Right
  readonly spot: number
  readonly strike: number
  readonly years: number
  readonly rate: number
  readonly dividend_yield: number
  readonly sigma: number
  readonly price: number
  readonly delta: number
  readonly gamma: number | null
  readonly implied_volatility: number | null
  readonly exercised: boolean
}

testRecorded<{ rows: readonly Row[] }>('american.json', '192 values by finer collocation are met', ({ rows }) => {
  expect(rows.length).toBe(192)
  rows.forEach((row, at) => {
    const one = { ...row, t: row.years, dividendYield: row.dividend_yield }
    const premium = exactPremium(one)!
    const exercised = premium === 'exercised'
    expect(exercised).toBe(row.exercised)
    expect(Math.abs(americanPrice(one)! - row.price)).toBeLessThan(1.01e-8 * row.strike)
    if (!exercised) {
      const { delta, gamma } = greeks(one)
      expect(Math.abs(delta + premium.delta - row.delta)).toBeLessThan(1e-6)
      if (row.gamma !== null) expect(Math.abs((gamma + premium.gamma) / row.gamma - 1)).toBeLessThan(1e-4)
    }
    // A volatility takes a dozen boundaries, and is asked for one row in three.
    if (at % 3 !== 0) return
    const sigma = americanImpliedVolatility(one, row.price)
    if (row.implied_volatility === null) expect(sigma).toBeUndefined()
    else expect(Math.abs(sigma! - row.implied_volatility)).toBeLessThan(1e-7)
  })
})

describe('against a lattice of 401 and 801 steps, extrapolated', () => {
  const terms = [
    [0.1, 0.045, 0.012],
    [0.5, 0.1, 0],
    [1, 0.01, 0.06],
    [1, 0.05, 0.05],
    [2, 0.03, -0.01]
  ] as const
  const rows = terms.flatMap(([t, rate, dividendYield]) =>
    [0.15, 0.6].flatMap((sigma) =>
      (['put', 'call'] as const).map((right) =>
        option(right, right === 'put' ? 106 : 95, t, rate, dividendYield, sigma)
      )
    )
  )
  test.each(rows)('$right $t $rate $dividendYield $sigma', (one) => {
    const [coarse, fine] = [latticePremium(one, 401), latticePremium(one, 801)]
    const premium = americanPrice(one)! - price(one)
    expect(Math.abs(2 * fine - coarse - premium)).toBeLessThan(1e-5 * one.strike)
  })
})

test('a call is the put with spot and strike, rate and yield exchanged', () => {
  fc.assert(
    fc.property(anyOption, (one) => {
      const mirror: Option = {
        ...one,
        right: one.right === 'call' ? 'put' : 'call',
        spot: one.strike,
        strike: one.spot,
        rate: one.dividendYield,
        dividendYield: one.rate
      }
      expect(Math.abs(americanPrice(one)! - americanPrice(mirror)!)).toBeLessThan(1e-12 * 100)
    }),
    { numRuns: 40 }
  )
})

test('an American option is worth at least the European one and its exercise value, and more with σ and time', () => {
  fc.assert(
    fc.property(anyOption, (one) => {
      const value = americanPrice(one)!
      const slack = 1e-8 * one.strike
      const exercise = one.right === 'call' ? one.spot - one.strike : one.strike - one.spot
      expect(value).toBeGreaterThanOrEqual(price(one) - slack)
      expect(value).toBeGreaterThanOrEqual(exercise - slack)
      expect(americanPrice({ ...one, sigma: 1.1 * one.sigma })!).toBeGreaterThanOrEqual(value - slack)
      expect(americanPrice({ ...one, t: 1.1 * one.t })!).toBeGreaterThanOrEqual(value - slack)
    }),
    { numRuns: 50 }
  )
})

test('a call without dividends is never exercised and costs what the European one does', () => {
  for (const dividendYield of [0, -0.01]) {
    const call = option('call', 90, 1, 0.045, dividendYield, 0.2)
    expect(americanPrice(call)).toBe(price(call))
    expect(americanImpliedVolatility(call, price(call))).toBeCloseTo(0.2, 12)
  }
})

test('a right with two boundaries has no answer rather than a wrong one', () => {
  const put = option('put', 100, 1, -0.01, -0.03, 0.2)
  expect(americanPrice(put)).toBeUndefined()
  expect(americanGreeks(put)).toBeUndefined()
  expect(americanImpliedVolatility(put, 8)).toBeUndefined()
  expect(americanPrice({ ...put, right: 'call' })).toBe(price({ ...put, right: 'call' }))
})

test('without time or volatility it is worth the best fixed moment of exercise', () => {
  expect(americanPrice(option('put', 110, 0, 0.05, 0.01, 0.2))).toBe(10)
  expect(americanPrice(option('put', 110, 2, 0.05, 0.01, 0))).toBe(10)
  // Dividends of 8 % on 100 are worth more than interest of 2 % on 110: waits until the end.
  const waiting = option('put', 110, 1, 0.02, 0.08, 0)
  expect(americanPrice(waiting)).toBeCloseTo(110 * Math.exp(-0.02) - 100 * Math.exp(-0.08), 12)
  // Interest catches up when 0.08 · 100 e^(-0.08 u) = 0.07 · 110 e^(-0.07 u).
  const balance = Math.log(8 / 7.7) / 0.01
  const turning = option('put', 110, 10, 0.07, 0.08, 0)
  expect(americanPrice(turning)).toBeCloseTo(110 * Math.exp(-0.07 * balance) - 100 * Math.exp(-0.08 * balance), 12)
  expect(americanPrice({ ...turning, sigma: 1e-4 })).toBeCloseTo(americanPrice(turning)!, 3)
})

describe('every greek is the bumped slope of another', () => {
  const options = [option('put', 110, 0.5, 0.045, 0.012, 0.27), option('call', 90, 1, 0.02, 0.06, 0.27)]
  const slope = (of: (step: number) => number, h: number) => (8 * (of(h) - of(-h)) - of(2 * h) + of(-2 * h)) / (12 * h)
  test.each(options)('$right', (one) => {
    const bumped = (name: keyof Greeks, by: 'spot' | 'strike' | 't' | 'sigma' | 'rate', h: number) =>
      slope((step) => americanGreeks({ ...one, [by]: one[by] + step })![name], h)
    const found = americanGreeks(one)!
    const close = (value: number, wanted: number, part: number) =>
      expect(Math.abs(value - wanted)).toBeLessThan(part * Math.abs(wanted))
    close(found.delta, bumped('price', 'spot', 0.05), 1e-6)
    close(found.gamma, bumped('delta', 'spot', 0.05), 1e-6)
    close(found.vega, bumped('price', 'sigma', 1e-3), 1e-6)
    close(found.theta, -bumped('price', 't', 1e-3), 1e-5)
    close(found.rho, bumped('price', 'rate', 1e-4), 1e-6)
    close(found.vanna, bumped('delta', 'sigma', 1e-3), 1e-5)
    close(found.charm, -bumped('delta', 't', 1e-3), 1e-5)
    close(found.vomma, bumped('vega', 'sigma', 1e-3), 1e-4)
    close(found.dualDelta, bumped('price', 'strike', 0.05), 1e-6)
    close(found.speed, bumped('gamma', 'spot', 0.05), 1e-4)
    close(found.zomma, bumped('gamma', 'sigma', 1e-3), 1e-4)
    close(found.color, bumped('gamma', 't', 1e-3), 1e-4)
    close(found.ultima, bumped('vomma', 'sigma', 1e-3), 1e-2)
    close(found.veta, bumped('vega', 't', 1e-3), 1e-4)
  })
})

test('an exercised option moves with its underlying alone', () => {
  const put = { ...option('put', 140, 0.5, 0.06, 0, 0.15) }
  const found = americanGreeks(put)!
  expect(found).toMatchObject({ price: 40, delta: -1, gamma: 0, theta: 0, vega: 0, rho: 0, vanna: 0, charm: 0 })
  expect(americanImpliedVolatility(put, 40)).toBeUndefined()
  expect(() => greeks({ ...put, t: 0 })).toThrow(RangeError)
  expect(() => americanGreeks({ ...put, t: 0 })).toThrow(RangeError)
})

import { expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { americanGreeks, americanPrice } from '../../../src/pricing/american/american-option.ts'
import { fillAmericanVolatilities } from '../../../src/pricing/american/american-volatility.ts'
import { addEarlyExercise, fillPremiums } from '../../../src/pricing/american/early-exercise.ts'
import { yieldTables } from '../../../src/pricing/american/yield/yield-table.ts'
import { type Option, price } from '../../../src/pricing/bsm.ts'
import { fillGreeks } from '../../../src/pricing/greeks.ts'
import { impliedVolatilities } from '../../../src/pricing/implied-volatility.ts'
import { randomStream } from './support.ts'

const SPOT = 100
const SIZE = 50

function termsOf(t: number, rate: number, dividendYield: number) {
  return {
    spot: SPOT,
    t,
    rate,
    dividendYield,
    forward: SPOT * Math.exp((rate - dividendYield) * t),
    discount: Math.exp(-rate * t)
  }
}

const columns = (size: number) => ({
  delta: new Float64Array(size),
  gamma: new Float64Array(size),
  theta: new Float64Array(size),
  vega: new Float64Array(size),
  rho: new Float64Array(size),
  vanna: new Float64Array(size),
  charm: new Float64Array(size)
})

/** An expiration of random strikes within three deviations, volatilities of 10 to 80 %, and its exact prices. */
function expiration(seed: number) {
  const random = randomStream(seed)
  const terms = termsOf(1000 ** random() / 365, 0.001 + 0.1 * random(), 0.1 * random())
  const strike = new Float64Array(SIZE)
  const right = new Uint8Array(SIZE)
  const sigma = new Float64Array(SIZE)
  const options: Option[] = []
  for (let i = 0; i < SIZE; i++) {
    sigma[i] = 0.1 * 8 ** random()
    strike[i] = SPOT * Math.exp(sigma[i] * Math.sqrt(terms.t) * (-3 + 6 * random()))
    right[i] = i % 2 === 0 ? CALL : PUT
    options.push({ ...terms, right: i % 2 === 0 ? 'call' : 'put', strike: strike[i], sigma: sigma[i] })
  }
  const prices = Float64Array.from(options, (option) => americanPrice(option)!)
  return { terms, strike, right, sigma, options, prices, grids: yieldTables(terms, 0.08, 1) }
}

const unitOf = ({ right, strike }: Option) => (right === 'call' ? SPOT : strike)
const exerciseValue = ({ right, strike }: Option) => Math.max(right === 'call' ? SPOT - strike : strike - SPOT, 0)
const expirations = [11, 12, 13, 14, 15].map(expiration)

test('a volatility from the grid gives its price back to 3e-6 of the strike', () => {
  for (const { terms, grids, strike, right, prices, options } of expirations) {
    const found = new Float64Array(SIZE)
    fillAmericanVolatilities(terms, grids, strike, right, prices, 0, SIZE, found)
    options.forEach((option, i) => {
      const timeValue = prices[i] - exerciseValue(option)
      if (timeValue < 2e-5 * unitOf(option)) return
      const again = americanPrice({ ...option, sigma: found[i] })!
      expect(Math.abs(again - prices[i])).toBeLessThan(3e-6 * unitOf(option))
      const vega = (americanPrice({ ...option, sigma: 1.01 * option.sigma })! - prices[i]) / (0.01 * option.sigma)
      if (vega > 0.02 * unitOf(option)) expect(Math.abs(found[i] - option.sigma)).toBeLessThan(5e-5)
    })
  }
})

test('there is no volatility at or below exercise value, at or above the most an option can be worth, or without a price', () => {
  const terms = termsOf(0.5, 0.05, 0.01)
  const grids = yieldTables(terms, 0.05, 1)
  const strike = Float64Array.of(120, 120, 120, 120, 80, 80, 80)
  const right = Uint8Array.of(PUT, PUT, PUT, PUT, CALL, CALL, CALL)
  const prices = Float64Array.of(20, 19, 120, Number.NaN, 20, 100, 25)
  const found = new Float64Array(7)
  fillAmericanVolatilities(terms, grids, strike, right, prices, 0, 7, found)
  expect(Array.from(found.slice(0, 6))).toEqual(new Array(6).fill(Number.NaN))
  expect(found[6]).toBeGreaterThan(0)
})

test('prices that no grid or no European option reaches are inverted one by one', () => {
  const terms = termsOf(2, 0.08, 0)
  const grids = yieldTables(terms, 0.3, 0.6)
  const options = ([0.15, 0.2, 0.9, 1.5] as const).map(
    (sigma): Option => ({ ...terms, right: 'put', strike: 110, sigma })
  )
  // Worth more than the present value of its strike, which no European put is.
  options.push({ ...terms, right: 'put', strike: 700, sigma: 1.5 })
  const prices = Float64Array.from(options, (option) => americanPrice(option)!)
  expect(prices[4]).toBeGreaterThan(700 * terms.discount)
  const found = new Float64Array(5)
  const strike = Float64Array.from(options, (option) => option.strike)
  fillAmericanVolatilities(terms, grids, strike, new Uint8Array(5).fill(PUT), prices, 0, 5, found)
  options.forEach(({ sigma }, i) => {
    expect(Math.abs(found[i] / sigma - 1)).toBeLessThan(1e-4)
  })
})

test('the greeks of a chain with early exercise are those of its options', () => {
  for (const { terms, grids, strike, right, sigma, options } of expirations) {
    const out = columns(SIZE)
    fillGreeks(terms, strike, right, sigma, 0, SIZE, out)
    addEarlyExercise(terms, grids, strike, right, sigma, 0, SIZE, out)
    options.forEach((option, i) => {
      // Their twin works out nine boundaries for each: one in three will do.
      if (i % 3 !== 0) return
      const exact = americanGreeks(option)!
      // In units of the European greek at the money; the worst lie beside the boundary at low volatility.
      const total = option.sigma * Math.sqrt(terms.t)
      const off = (name: keyof typeof out, unit: number, wanted: number) => Math.abs(out[name][i] - wanted) / unit
      expect(off('delta', 1, exact.delta)).toBeLessThan(1e-4)
      expect(off('gamma', 0.4 / (SPOT * total), exact.gamma)).toBeLessThan(1e-2)
      expect(off('vega', 0.004 * SPOT * Math.sqrt(terms.t), 0.01 * exact.vega)).toBeLessThan(1e-3)
      expect(off('theta', (0.2 * SPOT * total) / terms.t / 365, exact.theta / 365)).toBeLessThan(1e-2)
      expect(off('vanna', 0.4 / option.sigma, exact.vanna)).toBeLessThan(1e-2)
      expect(off('charm', 1 / terms.t / 365, exact.charm / 365)).toBeLessThan(5e-2)
    })
  }
})

test('premiums are American less European prices, nothing where exercise never pays, unknown where it is due', () => {
  for (const { terms, grids, strike, right, sigma, options, prices } of expirations) {
    const premium = new Float64Array(SIZE)
    fillPremiums(terms, grids, strike, right, sigma, 0, SIZE, premium)
    options.forEach((option, i) => {
      const exercised = prices[i] === exerciseValue(option)
      if (exercised) expect(premium[i]).toBeNaN()
      else expect(Math.abs(price(option) + premium[i] - prices[i])).toBeLessThan(1e-5 * unitOf(option))
    })
  }
  const terms = termsOf(0.5, 0.05, 0)
  const out = new Float64Array(3)
  const strike = Float64Array.of(90, 140, 100)
  const sigma = Float64Array.of(0.2, 0.2, Number.NaN)
  fillPremiums(terms, yieldTables(terms, 0.1, 0.5), strike, Uint8Array.of(CALL, PUT, PUT), sigma, 0, 3, out)
  expect(Array.from(out)).toEqual([0, Number.NaN, Number.NaN])
})

test('a contract that is exercised at once, as the volatility of its twin can say, has delta 1 or -1 and no more', () => {
  const terms = termsOf(0.5, 0.06, 0.08)
  const grids = yieldTables(terms, 0.1, 0.5)
  const strike = Float64Array.of(60, 160)
  const right = Uint8Array.of(CALL, PUT)
  const sigma = Float64Array.of(0.15, 0.15)
  const out = columns(2)
  fillGreeks(terms, strike, right, sigma, 0, 2, out)
  addEarlyExercise(terms, grids, strike, right, sigma, 0, 2, out)
  expect(Array.from(out.delta)).toEqual([1, -1])
  for (const name of ['gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const) {
    expect(Array.from(out[name])).toEqual([0, 0])
  }
})

test('contracts off the grid get the same greeks one by one', () => {
  const terms = termsOf(1, 0.06, 0.02)
  const strike = Float64Array.of(105, 95)
  const right = Uint8Array.of(PUT, CALL)
  const sigma = Float64Array.of(0.3, 0.3)
  const [on, off] = [columns(2), columns(2)]
  for (const [out, grids] of [
    [on, yieldTables(terms, 0.2, 0.5)],
    [off, yieldTables(terms, 0.1, 0.2)]
  ] as const) {
    fillGreeks(terms, strike, right, sigma, 0, 2, out)
    addEarlyExercise(terms, grids, strike, right, sigma, 0, 2, out)
  }
  for (const name of ['delta', 'gamma', 'theta', 'vega', 'vanna', 'charm'] as const) {
    for (const i of [0, 1]) expect(Math.abs(off[name][i] / on[name][i] - 1)).toBeLessThan(1e-3)
  }
})

test('where exercise never pays volatilities and greeks are European to the last digit', () => {
  const terms = termsOf(0.5, 0.05, 0)
  const grids = yieldTables(terms, 0.1, 0.5)
  const strike = Float64Array.of(80, 95, 100, 105, 120)
  const right = new Uint8Array(5).fill(CALL)
  const prices = Float64Array.from(strike, (k) => price({ ...terms, right: 'call', strike: k, sigma: 0.25 }))
  const [american, european] = [new Float64Array(5), new Float64Array(5)]
  fillAmericanVolatilities(terms, grids, strike, right, prices, 0, 5, american)
  impliedVolatilities(terms, strike, right, prices, 0, 5, european)
  expect(american).toEqual(european)
  const [with_, without] = [columns(5), columns(5)]
  for (const out of [with_, without]) fillGreeks(terms, strike, right, american, 0, 5, out)
  addEarlyExercise(terms, grids, strike, right, american, 0, 5, with_)
  expect(with_).toEqual(without)
})

import { expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { type Option, price as priceOf } from '../../../src/pricing/bsm.ts'
import { type AllGreekColumns, fillAllGreeks, fillGreeks, type SpotTerms } from '../../../src/pricing/greeks.ts'
import { type ForwardTerms, impliedVolatilities } from '../../../src/pricing/implied-volatility.ts'
import { textbookGreeks } from '../textbook.ts'

/** A seeded stream of numbers from 0 to 1 (Lehmer, minimal standard). */
let state = 17
const random = () => (state = (state * 48271) % 2147483647) / 2147483647
const between = (low: number, high: number) => low + (high - low) * random()
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]

interface Options {
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly sigma: Float64Array
  readonly price: Float64Array
}

const odd = [0, -1, 5e-324, 1e-310, 1e-200, 1e-70, 1, 1e200, 1.7e308, Number.POSITIVE_INFINITY, Number.NaN]

/** Options of one expiration within five deviations; `wildness` is the share of those that no market ever had. */
function options(size: number, terms: SpotTerms, wildness: number): Options {
  const [strike, sigma, price] = Array.from({ length: 3 }, () => new Float64Array(size))
  const right = new Uint8Array(size)
  const { forward, t } = forwardTerms(terms)
  for (let i = 0; i < size; i++) {
    sigma[i] = 10 ** between(-2, 0.5)
    const width = 5 * sigma[i] * Math.sqrt(t)
    // Neighbours of one strike, as in a chain, and others.
    strike[i] = i % 2 === 1 && random() < 0.7 ? strike[i - 1] : forward * Math.exp(between(-width, width))
    right[i] = random() < 0.5 ? CALL : PUT
    price[i] = priceOf(optionAt(terms, { strike, right, sigma }, i))
    if (random() < wildness) oneOf([strike, sigma, price])[i] = oneOf(odd)
  }
  return { strike, right, sigma, price }
}

const optionAt = (terms: SpotTerms, { strike, right, sigma }: Omit<Options, 'price'>, i: number): Option => ({
  ...terms,
  right: right[i] === CALL ? 'call' : 'put',
  strike: strike[i],
  sigma: sigma[i]
})

const someTerms = (): SpotTerms => ({
  spot: 10 ** between(0, 4),
  t: 10 ** between(-4, 0.7),
  rate: between(-0.05, 0.12),
  dividendYield: between(-0.05, 0.1)
})

const forwardTerms = ({ spot, t, rate, dividendYield }: SpotTerms): ForwardTerms => ({
  forward: spot * Math.exp((rate - dividendYield) * t),
  discount: Math.exp(-rate * t),
  t
})

const seven = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
const others = ['price', 'vomma', 'dualDelta', 'speed', 'zomma', 'color', 'ultima', 'veta'] as const
const names = [...seven, ...others]
const columns = (size: number) =>
  Object.fromEntries(names.map((name) => [name, new Float64Array(size).fill(-777)])) as unknown as AllGreekColumns

/** Largest size of each greek over strikes, in the terms and the volatility of an option: what its error is measured in. */
function naturalSizes({ spot, strike, t, sigma, rate, dividendYield }: Option): Record<(typeof names)[number], number> {
  const total = sigma * Math.sqrt(t)
  const [spotSide, strikeSide] = [spot * Math.exp(-dividendYield * t), strike * Math.exp(-rate * t)]
  const gamma = spotSide / (spot * spot * total)
  const vega = spotSide * Math.sqrt(t)
  const carry = Math.abs(rate - dividendYield)
  const perTime = Math.abs(dividendYield) + carry / total + 1 / t
  return {
    price: Math.max(spotSide, strikeSide),
    delta: spotSide / spot,
    gamma,
    theta: Math.abs(dividendYield) * spotSide + Math.abs(rate) * strikeSide + (vega * sigma) / t,
    vega,
    rho: t * strikeSide,
    vanna: vega / (spot * total),
    charm: (spotSide / spot) * perTime,
    vomma: vega / sigma,
    dualDelta: strikeSide / strike,
    speed: gamma / (spot * total),
    zomma: gamma / sigma,
    color: gamma * perTime,
    ultima: vega / (sigma * sigma),
    veta: vega * perTime
  }
}

test('greeks are those of the textbook within 1e-12 of their natural size', () => {
  const worst: Partial<Record<string, number>> = {}
  for (let at = 0; at < 300; at++) {
    const terms = someTerms()
    const size = Math.floor(between(1, oneOf([4, 40, 600])))
    const made = options(size, terms, 0)
    const out = columns(size)
    fillAllGreeks(terms, made.strike, made.right, made.sigma, 0, size, out, 'mathematical')
    for (let i = 0; i < size; i++) {
      const option = optionAt(terms, made, i)
      const wanted = textbookGreeks(option)
      const sizes = naturalSizes(option)
      for (const name of names) {
        const error = Math.abs(out[name][i] - wanted[name]) / sizes[name]
        worst[name] = Math.max(worst[name] ?? 0, error)
      }
    }
  }
  for (const name of names) expect(worst[name], name).toBeLessThan(1e-12)
})

test('the seven greeks of a chain are the first of all fifteen columns, in desk units', () => {
  const terms = someTerms()
  const { strike, right, sigma } = options(301, terms, 0.05)
  const [all, few] = [columns(301), columns(301)]
  fillAllGreeks(terms, strike, right, sigma, 3, 299, all)
  fillGreeks(terms, strike, right, sigma, 3, 299, few)
  for (const name of seven) expect(few[name]).toEqual(all[name])
  for (const name of others) expect(few[name].every((value) => value === -777)).toBe(true)
})

test('no input, however wild, makes a volatility that does not give back its price', () => {
  let [found, none] = [0, 0]
  for (let at = 0; at < 300; at++) {
    const terms = someTerms()
    const size = Math.floor(between(1, oneOf([4, 40, 600])))
    const made = options(size, terms, 0.3)
    const on = forwardTerms(terms)
    const sigma = new Float64Array(size)
    impliedVolatilities(on, made.strike, made.right, made.price, 0, size, sigma)
    for (let i = 0; i < size; i++) {
      if (Number.isNaN(sigma[i])) none++
      else {
        found++
        const again = priceOf(optionAt(terms, { ...made, sigma }, i))
        const unit = on.discount * Math.max(on.forward, made.strike[i])
        expect(Math.abs(again - made.price[i])).toBeLessThan(4e-15 * unit)
      }
    }
  }
  expect(found).toBeGreaterThan(10_000)
  expect(none).toBeGreaterThan(1000)
})

test('no answer depends on the place of its option or on its neighbour', () => {
  const terms = { spot: 580, t: 0.3, rate: 0.045, dividendYield: 0.013 }
  const size = 200
  const { strike, right, sigma, price } = options(size, terms, 0.2)
  const answersOf = (order: readonly number[]) => {
    const pick = <Column extends Float64Array | Uint8Array>(column: Column) => {
      const out = column.slice(0, order.length) as Column
      for (let i = 0; i < order.length; i++) out[i] = column[order[i]]
      return out
    }
    const [volatility, greeks] = [new Float64Array(order.length), columns(order.length)]
    impliedVolatilities(forwardTerms(terms), pick(strike), pick(right), pick(price), 0, order.length, volatility)
    fillAllGreeks(terms, pick(strike), pick(right), pick(sigma), 0, order.length, greeks)
    return order.map((_, i) => [volatility[i], ...names.map((name) => greeks[name][i])])
  }
  const singles = Array.from({ length: size }, (_, i) => answersOf([i])[0])
  for (let shift = 0; shift < 40; shift++) {
    // Each option after another one, at even places and at odd ones.
    const order = Array.from({ length: size }, (_, i) => (i * 7 + shift) % size)
    expect(answersOf(order)).toEqual(order.map((from) => singles[from]))
  }
})

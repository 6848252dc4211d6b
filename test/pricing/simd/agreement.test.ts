import { expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { price as priceOf } from '../../../src/pricing/bsm.ts'
import type { AllGreekColumns, SpotTerms } from '../../../src/pricing/greeks.ts'
import type { ForwardTerms } from '../../../src/pricing/implied-volatility.ts'
import { fillAllPlainGreeks, fillPlainGreeks } from '../../../src/pricing/plain-greeks.ts'
import { plainVolatilities } from '../../../src/pricing/plain-volatilities.ts'
import { quickKernels } from '../../../src/pricing/simd/kernels.ts'
import { fillAllQuickGreeks, fillQuickGreeks } from '../../../src/pricing/simd/quick-greeks.ts'
import { quickVolatilities } from '../../../src/pricing/simd/quick-volatilities.ts'

// The kernels in WebAssembly and the plain ones say the same to the last bit, whatever they are given.

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

/** Options of one expiration; `wildness` is the share of those that no market ever had. */
function options(size: number, terms: SpotTerms, wildness: number): Options {
  const strike = new Float64Array(size)
  const right = new Uint8Array(size)
  const sigma = new Float64Array(size)
  const price = new Float64Array(size)
  const { forward, t } = forwardTerms(terms)
  for (let i = 0; i < size; i++) {
    const level = 10 ** between(-2, 0.9)
    const width = oneOf([0.3, 3, 3, 12]) * level * Math.sqrt(Math.abs(t))
    // Neighbours of one strike, as in a chain, and others.
    strike[i] = i % 2 === 1 && random() < 0.7 ? strike[i - 1] : forward * Math.exp(between(-width, width))
    right[i] = random() < 0.5 ? CALL : PUT
    sigma[i] = level
    price[i] = priceOf({ ...terms, right: right[i] === CALL ? 'call' : 'put', strike: strike[i], sigma: level })
    if (random() < 0.1) price[i] = Number.NaN
    if (random() < 0.1) price[i] *= between(0.9, 1.1)
    if (random() >= wildness) continue
    const column = oneOf([strike, sigma, price])
    column[i] = oneOf(odd)
  }
  return { strike, right, sigma, price }
}

function someTerms(wildness: number): SpotTerms {
  const wild = (usual: number) => (random() < wildness / 4 ? oneOf(odd) : usual)
  return {
    spot: wild(10 ** between(0, 4)),
    t: wild(10 ** between(-6, 1)),
    rate: wild(between(-0.05, 0.12)),
    dividendYield: wild(between(-0.05, 0.1))
  }
}

const forwardTerms = ({ spot, t, rate, dividendYield }: SpotTerms): ForwardTerms => ({
  forward: spot * Math.exp((rate - dividendYield) * t),
  discount: Math.exp(-rate * t),
  t
})

const names = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
const others = ['price', 'vomma', 'dualDelta', 'speed', 'zomma', 'color', 'ultima', 'veta'] as const
const columns = (size: number) =>
  Object.fromEntries(
    [...names, ...others].map((name) => [name, new Float64Array(size).fill(-777)])
  ) as unknown as AllGreekColumns

/** Bit for bit, the sign of a zero included; one NaN is as good as another. */
function expectSame(quick: Float64Array, plain: Float64Array, told: (i: number) => string): void {
  for (let i = 0; i < plain.length; i++) {
    if (!Object.is(quick[i], plain[i])) expect(quick[i], told(i)).toBe(plain[i])
  }
}

const CASES = 1500
/** A machine that is busy otherwise may take long. */
const PATIENCE = 300_000

test(
  'every price has the volatility that the plain kernel gives it',
  () => {
    let [found, refused] = [0, 0]
    const kernels = quickKernels()
    for (let at = 0; at < CASES; at++) {
      const wildness = oneOf([0, 0, 0.02, 0.3])
      const terms = someTerms(wildness)
      const size = Math.floor(between(1, oneOf([4, 40, 600])))
      const { strike, right, price } = options(size, terms, wildness)
      const [start, end] = [Math.floor(between(0, Math.min(size, 3))), size - Math.floor(between(0, Math.min(size, 3)))]
      const [quick, plain] = [new Float64Array(size).fill(-777), new Float64Array(size).fill(-777)]
      const on = forwardTerms(terms)
      quickVolatilities(on, strike, right, price, start, end, quick)
      plainVolatilities(on, strike, right, price, start, end, plain)
      expectSame(quick, plain, (i) => `${JSON.stringify(on)} strike ${strike[i]} right ${right[i]} price ${price[i]}`)
      found += plain.filter((sigma) => sigma > 0).length
      const last = Math.min(kernels.block, end - start)
      if (last > 0) refused += kernels.answers[0].subarray(0, last).filter((sigma) => sigma === kernels.refused).length
    }
    expect(found).toBeGreaterThan(50_000)
    expect(refused / found).toBeLessThan(0.1)
  },
  PATIENCE
)

test(
  'every option has the greeks that the plain kernel gives it',
  () => {
    let compared = 0
    for (let at = 0; at < CASES; at++) {
      const wildness = oneOf([0, 0, 0.02, 0.3])
      const terms = someTerms(wildness)
      const size = Math.floor(between(1, oneOf([4, 40, 600])))
      const { strike, right, sigma } = options(size, terms, wildness)
      const [start, end] = [Math.floor(between(0, Math.min(size, 3))), size - Math.floor(between(0, Math.min(size, 3)))]
      const units = oneOf(['desk', 'mathematical'] as const)
      const [quick, plain] = [columns(size), columns(size)]
      fillAllQuickGreeks(terms, strike, right, sigma, start, end, quick, units)
      fillAllPlainGreeks(terms, strike, right, sigma, start, end, plain, units)
      const told = (name: string) => (i: number) =>
        `${name} of ${JSON.stringify(terms)} strike ${strike[i]} right ${right[i]} sigma ${sigma[i]}`
      for (const name of [...names, ...others]) expectSame(quick[name], plain[name], told(name))
      const [quickSeven, plainSeven] = [columns(size), columns(size)]
      fillQuickGreeks(terms, strike, right, sigma, start, end, quickSeven)
      fillPlainGreeks(terms, strike, right, sigma, start, end, plainSeven)
      for (const name of [...names, ...others]) expectSame(quickSeven[name], plainSeven[name], told(name))
      compared += plain.gamma.filter((gamma) => gamma > 0).length
    }
    expect(compared).toBeGreaterThan(50_000)
  },
  PATIENCE
)

test(
  'no answer depends on the place of its option or on its neighbour',
  () => {
    const terms = { spot: 580, t: 0.3, rate: 0.045, dividendYield: 0.013 }
    const size = 200
    const { strike, right, sigma, price } = options(size, terms, 0.2)
    const alone = (i: number) => {
      const [volatility, greeks] = [new Float64Array(1), columns(1)]
      const one = <Column extends Float64Array | Uint8Array>(column: Column) => column.slice(i, i + 1) as Column
      quickVolatilities(forwardTerms(terms), one(strike), one(right), one(price), 0, 1, volatility)
      fillAllQuickGreeks(terms, one(strike), one(right), one(sigma), 0, 1, greeks, 'desk')
      return [volatility[0], ...[...names, ...others].map((name) => greeks[name][0])]
    }
    const singles = Array.from({ length: size }, (_, i) => alone(i))
    for (let shift = 0; shift < 40; shift++) {
      // Each option after another one, at even places and at odd ones.
      const order = Array.from({ length: size }, (_, i) => (i * 7 + shift) % size)
      const shuffled = <Column extends Float64Array | Uint8Array>(column: Column) =>
        column.map((_, i) => column[order[i]]) as Column
      const [strikes, rights] = [shuffled(strike), shuffled(right)]
      const [volatility, greeks] = [new Float64Array(size), columns(size)]
      quickVolatilities(forwardTerms(terms), strikes, rights, shuffled(price), 0, size, volatility)
      fillAllQuickGreeks(terms, strikes, rights, shuffled(sigma), 0, size, greeks, 'desk')
      const together = order.map((_, i) => [volatility[i], ...[...names, ...others].map((name) => greeks[name][i])])
      expect(together).toEqual(order.map((from) => singles[from]))
    }
  },
  PATIENCE
)

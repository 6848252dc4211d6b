import { CALL, PUT } from '../src/market/chain.ts'
import { price } from '../src/pricing/bsm.ts'
import { type AllGreekColumns, fillAllGreeks, fillGreeks } from '../src/pricing/greeks.ts'
import { impliedVolatilities } from '../src/pricing/implied-volatility.ts'
import { type Figure, report } from './figure.ts'

// The kernels under every answer. A tick of a 12,000-contract index chain inverts and prices each contract once: at
// 200 ns for both that is 2.4 ms, and every endpoint waits for it.

const SLICES = 6667
const CONTRACTS = 150
const SIZE = SLICES * CONTRACTS
const RUNS = 7

interface Slice {
  readonly spot: number
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
  readonly forward: number
  readonly discount: number
  readonly start: number
  readonly end: number
}

interface Market {
  readonly slices: readonly Slice[]
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly sigma: Float64Array
  readonly price: Float64Array
}

/** A seeded stream of numbers from 0 to 1 (Lehmer, minimal standard). */
function randomStream(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

/**
 * One million options in slices of 75 strikes, call and put: an hour to 2.5 years, 5 % to 150 % volatility at the money
 * with a skew, strikes within three standard deviations of the forward.
 */
function market(): Market {
  const random = randomStream(20)
  const between = (low: number, high: number) => low * (high / low) ** random()
  const columns = {
    strike: new Float64Array(SIZE),
    right: new Uint8Array(SIZE),
    sigma: new Float64Array(SIZE),
    price: new Float64Array(SIZE)
  }
  const slices = Array.from({ length: SLICES }, (_, at) => {
    const [t, atTheMoney] = [between(1 / 8760, 2.5), between(0.05, 1.5)]
    const terms = { spot: between(20, 6000), t, rate: 0.045, dividendYield: 0.013 }
    const forward = terms.spot * Math.exp((terms.rate - terms.dividendYield) * t)
    const start = at * CONTRACTS
    for (let c = 0; c < CONTRACTS; c++) {
      const i = start + c
      const deviations = -3 + (6 * Math.floor(c / 2)) / (CONTRACTS / 2 - 1)
      columns.strike[i] = forward * Math.exp(deviations * atTheMoney * Math.sqrt(t))
      columns.right[i] = c % 2 === 0 ? CALL : PUT
      columns.sigma[i] = atTheMoney * (1 - 0.05 * deviations + 0.01 * deviations ** 2)
      const right = c % 2 === 0 ? 'call' : 'put'
      columns.price[i] = price({ ...terms, right, strike: columns.strike[i], sigma: columns.sigma[i] })
    }
    return { ...terms, forward, discount: Math.exp(-terms.rate * t), start, end: start + CONTRACTS }
  })
  return { slices, ...columns }
}

function emptyColumns(): AllGreekColumns {
  const column = () => new Float64Array(SIZE)
  return {
    price: column(),
    delta: column(),
    gamma: column(),
    theta: column(),
    vega: column(),
    rho: column(),
    vanna: column(),
    charm: column(),
    vomma: column(),
    dualDelta: column(),
    speed: column(),
    zomma: column(),
    color: column(),
    ultima: column(),
    veta: column()
  }
}

/** Median nanoseconds per option over several runs. */
function nanoseconds(work: () => void): number {
  const runs = Array.from({ length: RUNS }, () => {
    const begin = performance.now()
    work()
    return ((performance.now() - begin) * 1e6) / SIZE
  })
  return runs.sort((a, b) => a - b)[RUNS >> 1]
}

export function run(): readonly Figure[] {
  const { slices, strike, right, sigma, price: quoted } = market()
  const found = new Float64Array(SIZE)
  const columns = emptyColumns()
  const unit = 'ns per option'
  const invert = () => {
    for (const slice of slices) impliedVolatilities(slice, strike, right, quoted, slice.start, slice.end, found)
  }
  const seven = () => {
    for (const slice of slices) fillGreeks(slice, strike, right, sigma, slice.start, slice.end, columns)
  }
  const all = () => {
    for (const slice of slices) fillAllGreeks(slice, strike, right, sigma, slice.start, slice.end, columns)
  }
  return [
    { name: 'implied volatility', value: nanoseconds(invert), unit, atMost: 130 },
    { name: 'the seven greeks of a chain', value: nanoseconds(seven), unit, atMost: 90 },
    { name: 'price and all fourteen greeks', value: nanoseconds(all), unit, atMost: 90 }
  ]
}

await report(import.meta.url, run)

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CALL, PUT } from '../src/market/chain.ts'
import { price } from '../src/pricing/bsm.ts'
import { type AllGreekColumns, fillAllGreeks, fillGreeks } from '../src/pricing/greeks.ts'
import { impliedVolatilities } from '../src/pricing/implied-volatility.ts'
import { type Figure, median, report } from './figure.ts'

// The kernels under every answer. A tick of a 12,000-contract index chain inverts and prices each contract once: at
// 200 ns for both that is 2.4 ms, and every endpoint waits for it. How a process compiles them is decided once and may
// cost half of their speed, so they are measured in several processes, the median of which counts.

const SLICES = 6667
const CONTRACTS = 150
const SIZE = SLICES * CONTRACTS
const RUNS = 7
const PROCESSES = 5

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
  return median(runs)
}

/** The kernels, the nanoseconds that each may take for an option, and how many it takes in this process. */
const atMost = { 'implied volatility': 130, 'the seven greeks of a chain': 90, 'price and all fourteen greeks': 90 }
type Kernel = keyof typeof atMost

function measured(): Readonly<Record<Kernel, number>> {
  const { slices, strike, right, sigma, price: quoted } = market()
  const found = new Float64Array(SIZE)
  const columns = emptyColumns()
  const invert = () => {
    for (const slice of slices) impliedVolatilities(slice, strike, right, quoted, slice.start, slice.end, found)
  }
  const seven = () => {
    for (const slice of slices) fillGreeks(slice, strike, right, sigma, slice.start, slice.end, columns)
  }
  const all = () => {
    for (const slice of slices) fillAllGreeks(slice, strike, right, sigma, slice.start, slice.end, columns)
  }
  return {
    'implied volatility': nanoseconds(invert),
    'the seven greeks of a chain': nanoseconds(seven),
    'price and all fourteen greeks': nanoseconds(all)
  }
}

export function run(): readonly Figure[] {
  const file = fileURLToPath(import.meta.url)
  const processes = Array.from({ length: PROCESSES }, () => {
    const printed = execFileSync(process.execPath, [...process.execArgv, file, 'measure'], { encoding: 'utf8' })
    return JSON.parse(printed) as Readonly<Record<Kernel, number>>
  })
  return (Object.keys(atMost) as Kernel[]).map((name) => {
    const values = processes.map((kernels) => kernels[name])
    const range = `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`
    return {
      name,
      value: median(values),
      unit: `ns per option (${range} in ${PROCESSES} processes)`,
      atMost: atMost[name]
    }
  })
}

if (process.argv[2] === 'measure') process.stdout.write(JSON.stringify(measured()))
else await report(import.meta.url, run)

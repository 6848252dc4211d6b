import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CALL, PUT } from '../src/market/chain.ts'
import { price } from '../src/pricing/bsm.ts'
import { type AllGreekColumns, fillAllGreeks, fillGreeks } from '../src/pricing/greeks.ts'
import { impliedVolatilities } from '../src/pricing/implied-volatility.ts'
import { type Figure, median, report } from './support/figure.ts'

// The kernels under every answer. A tick of a 12,000-contract index chain inverts and prices each contract once: at 100 ns
// for both that is 1.2 ms, and every endpoint waits for it. How a process compiles their callers is decided once and may
// cost much of their speed, so they are measured in several processes, the median of which counts.

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

/** Nanoseconds that each kernel may take for an option. */
const bounds = {
  'implied volatility': 80,
  'the seven greeks of a chain': 45,
  'price and all fourteen greeks': 60
}
type Kernel = keyof typeof bounds

/** Nanoseconds per option. */
function measured(): Readonly<Record<Kernel, number>> {
  const { slices, strike, right, sigma, price: quoted } = market()
  const found = new Float64Array(SIZE)
  const columns = emptyColumns()
  const timed = (work: (slice: Slice) => void) => {
    const runs = Array.from({ length: RUNS }, () => {
      const startedAt = performance.now()
      for (const slice of slices) work(slice)
      return ((performance.now() - startedAt) * 1e6) / SIZE
    })
    return median(runs)
  }
  return {
    'implied volatility': timed((slice) => {
      impliedVolatilities(slice, strike, right, quoted, slice.start, slice.end, found)
    }),
    'the seven greeks of a chain': timed((slice) => {
      fillGreeks(slice, strike, right, sigma, slice.start, slice.end, columns)
    }),
    'price and all fourteen greeks': timed((slice) => {
      fillAllGreeks(slice, strike, right, sigma, slice.start, slice.end, columns)
    })
  }
}

export function run(): readonly Figure[] {
  const file = fileURLToPath(import.meta.url)
  const processes = Array.from({ length: PROCESSES }, () => {
    const printed = execFileSync(process.execPath, [...process.execArgv, file, 'measure'], { encoding: 'utf8' })
    return JSON.parse(printed) as Readonly<Record<Kernel, number>>
  })
  return (Object.keys(bounds) as Kernel[]).map((name): Figure => {
    const values = processes.map((kernels) => kernels[name])
    const range = `${Math.min(...values).toPrecision(3)} to ${Math.max(...values).toPrecision(3)}`
    const unit = `ns per option (${range} in ${PROCESSES} processes)`
    return { name, value: median(values), unit, atMost: bounds[name] }
  })
}

if (process.argv[2] === 'measure') process.stdout.write(JSON.stringify(measured()))
else await report(import.meta.url, run)

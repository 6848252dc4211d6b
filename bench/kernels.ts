import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CALL, PUT } from '../src/market/chain.ts'
import { price } from '../src/pricing/bsm.ts'
import type { AllGreekColumns } from '../src/pricing/greeks.ts'
import { fillAllPlainGreeks, fillPlainGreeks } from '../src/pricing/plain-greeks.ts'
import { plainVolatilities } from '../src/pricing/plain-volatilities.ts'
import { fillAllQuickGreeks, fillQuickGreeks } from '../src/pricing/simd/quick-greeks.ts'
import { quickVolatilities } from '../src/pricing/simd/quick-volatilities.ts'
import { type Figure, median, report } from './support/figure.ts'

// The kernels under every answer, in WebAssembly and plain, turn about, so that both have the same share of the machine. A
// tick of a 12,000-contract index chain inverts and prices each contract once: at 100 ns for both that is 1.2 ms, and every
// endpoint waits for it. How a process compiles them is decided once and may cost half of their speed, so they are measured
// in several processes, the median of which counts.

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

/** The kernels, the nanoseconds that each may take for an option, and how many times as fast as the plain one it has to be. */
const bounds = {
  'implied volatility': { atMost: 80, gain: 1.8 },
  'the seven greeks of a chain': { atMost: 45, gain: 2 },
  'price and all fourteen greeks': { atMost: 60, gain: 2 }
}
type Kernel = keyof typeof bounds

/** Nanoseconds per option. */
interface Measured {
  readonly quick: number
  readonly plain: number
}

function measured(): Readonly<Record<Kernel, Measured>> {
  const { slices, strike, right, sigma, price: quoted } = market()
  const found = new Float64Array(SIZE)
  const columns = emptyColumns()
  const inverted =
    (invert: typeof plainVolatilities): Work =>
    (slice) =>
      invert(slice, strike, right, quoted, slice.start, slice.end, found)
  const seven =
    (fill: typeof fillPlainGreeks): Work =>
    (slice) =>
      fill(slice, strike, right, sigma, slice.start, slice.end, columns)
  const all =
    (fill: typeof fillAllPlainGreeks): Work =>
    (slice) =>
      fill(slice, strike, right, sigma, slice.start, slice.end, columns, 'desk')
  return {
    'implied volatility': turnAbout(slices, inverted(quickVolatilities), inverted(plainVolatilities)),
    'the seven greeks of a chain': turnAbout(slices, seven(fillQuickGreeks), seven(fillPlainGreeks)),
    'price and all fourteen greeks': turnAbout(slices, all(fillAllQuickGreeks), all(fillAllPlainGreeks))
  }
}

type Work = (slice: Slice) => void

/** Medians over several runs, in each of which the two take turns slice by slice, and turns at being the first. */
function turnAbout(slices: readonly Slice[], quick: Work, plain: Work): Measured {
  const runs = Array.from({ length: RUNS }, () => {
    const times = [0, 0]
    slices.forEach((slice, at) => {
      for (const which of at % 2 === 0 ? [0, 1] : [1, 0]) {
        const begin = performance.now()
        ;(which === 0 ? quick : plain)(slice)
        times[which] += performance.now() - begin
      }
    })
    return times.map((time) => (time * 1e6) / SIZE)
  })
  return { quick: median(runs.map(([time]) => time)), plain: median(runs.map(([, time]) => time)) }
}

export function run(): readonly Figure[] {
  const file = fileURLToPath(import.meta.url)
  const processes = Array.from({ length: PROCESSES }, () => {
    const printed = execFileSync(process.execPath, [...process.execArgv, file, 'measure'], { encoding: 'utf8' })
    return JSON.parse(printed) as Readonly<Record<Kernel, Measured>>
  })
  return (Object.keys(bounds) as Kernel[]).flatMap((name): readonly Figure[] => {
    const { atMost, gain } = bounds[name]
    const figure = (of: (measured: Measured) => number) => {
      const values = processes.map((kernels) => of(kernels[name]))
      const range = `${Math.min(...values).toPrecision(3)} to ${Math.max(...values).toPrecision(3)}`
      return { value: median(values), range: `(${range} in ${PROCESSES} processes)` }
    }
    const [quick, plain] = [figure((measured) => measured.quick), figure((measured) => measured.plain)]
    const times = figure((measured) => measured.plain / measured.quick)
    return [
      { name, value: quick.value, unit: `ns per option ${quick.range}`, atMost },
      { name: 'the same without WebAssembly', value: plain.value, unit: `ns per option ${plain.range}` },
      { name: 'times as fast', value: times.value, unit: times.range, atLeast: gain }
    ]
  })
}

if (process.argv[2] === 'measure') process.stdout.write(JSON.stringify(measured()))
else await report(import.meta.url, run)

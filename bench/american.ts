import { liveScope } from '../src/exposure/scope.ts'
import { gammaFlip } from '../src/exposure/spot-ladder/gamma-flip.ts'
import { CALL, PUT } from '../src/market/chain.ts'
import { fillAmericanVolatilities } from '../src/pricing/american/american-volatility.ts'
import { addEarlyExercise, fillPremiums } from '../src/pricing/american/early-exercise.ts'
import { americanForward, termsWithForward } from '../src/pricing/american/forward/american-forward.ts'
import type { QuotedPairs } from '../src/pricing/american/forward/weighted-forward.ts'
import { premiumGammaAt, premiumGammas } from '../src/pricing/american/premium-gamma.ts'
import { premiumTables, volatilityRange } from '../src/pricing/american/premium-table.ts'
import { boundarySystem, guessBoundary, solveBoundary } from '../src/pricing/american/yield/boundary.ts'
import { patchShapes } from '../src/pricing/american/yield/patch-shape.ts'
import { yieldTable, yieldTables } from '../src/pricing/american/yield/yield-table.ts'
import { type Assumptions, defaultAssumptions } from '../src/pricing/assumptions.ts'
import { price } from '../src/pricing/bsm.ts'
import { fillGreeks } from '../src/pricing/greeks.ts'
import { impliedVolatilities } from '../src/pricing/implied-volatility.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { type Figure, medianMilliseconds, report } from './support/figure.ts'
import { areRecorded, recorded, synthetic } from './support/recorded-chain.ts'

// Early exercise of a chain like SPY's: 35 expirations from a day to two and a half years, 14,000 contracts, of which a
// third are too deep in the money for their price to tell a volatility and take that of their twin. A tick inverts and
// prices them with grids at hand; a start, or a new rate, makes forwards and grids first. Answers wait for both.

const SPOT = 770
/** Deviations in the money from which on quotes of a call or put tell no volatility. */
const DEEP = 0.8
const RATE = 0.045
const YIELD = 0.011
const EXPIRATIONS = 35
const STRIKES = 200
const CONTRACTS = 2 * STRIKES

interface Slice {
  readonly terms: ReturnType<typeof termsWithForward>
  readonly start: number
  readonly end: number
  readonly pairs: QuotedPairs
}

function chain() {
  const size = EXPIRATIONS * CONTRACTS
  const strike = new Float64Array(size)
  const right = new Uint8Array(size)
  const sigma = new Float64Array(size)
  const quoted = new Float64Array(size)
  const slices = Array.from({ length: EXPIRATIONS }, (_, at): Slice => {
    const t = at < 15 ? (at + 1) / 365 : 0.05 * 50 ** ((at - 15) / 19)
    const terms = termsWithForward({ spot: SPOT, t, rate: RATE }, SPOT * Math.exp((RATE - YIELD) * t))
    const start = at * CONTRACTS
    const end = start + CONTRACTS
    for (let c = 0; c < CONTRACTS; c++) {
      const deviations = -4 + (6 * (c >> 1)) / (STRIKES - 1)
      strike[start + c] = Math.round(terms.forward * Math.exp(0.16 * deviations * Math.sqrt(t)))
      right[start + c] = c % 2 === 0 ? CALL : PUT
      sigma[start + c] = 0.16 * (1 - 0.15 * deviations + 0.01 * deviations ** 2)
    }
    fillPremiums(terms, yieldTables(terms, 0.05, 0.6), strike, right, sigma, start, end, quoted)
    for (let i = start; i < end; i++) {
      const european = { ...terms, right: right[i] === CALL ? ('call' as const) : ('put' as const), strike: strike[i] }
      quoted[i] += price({ ...european, sigma: sigma[i] })
    }
    const pairs = pairsOf(strike, quoted, start, end)
    for (let i = start; i < end; i++) {
      const depth = Math.log(terms.forward / strike[i]) / (0.16 * Math.sqrt(t))
      if ((right[i] === CALL ? depth : -depth) > DEEP) quoted[i] = Number.NaN
    }
    return { terms, start, end, pairs }
  })
  return { size, strike, right, sigma, quoted, slices }
}

/** Pairs of which neither side is exercised at once, a nickel wide. */
function pairsOf(strike: Float64Array, quoted: Float64Array, start: number, end: number): QuotedPairs {
  const calls = Array.from({ length: (end - start) / 2 }, (_, k) => start + 2 * k)
  const quotedPairs = calls.filter((i) => quoted[i] > 0.05 && quoted[i + 1] > 0.05)
  return {
    strike: Float64Array.from(quotedPairs, (i) => strike[i]),
    call: Float64Array.from(quotedPairs, (i) => quoted[i]),
    put: Float64Array.from(quotedPairs, (i) => quoted[i + 1]),
    halfSpreads: Float64Array.from(quotedPairs, () => 0.05)
  }
}

/** Parity of the raw prices at the strike whose call and put cost the most alike. */
function rawForward(
  { t, rate }: { readonly t: number; readonly rate: number },
  { strike, call, put }: QuotedPairs
): number {
  const gap = (k: number) => Math.abs(call[k] - put[k])
  const nearest = strike.reduce((best, _, k) => (gap(k) < gap(best) ? k : best), 0)
  return strike[nearest] + (call[nearest] - put[nearest]) * Math.exp(rate * t)
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

function boundaryMicroseconds(): number {
  const system = boundarySystem({ t: 1, rate: RATE, dividendYield: YIELD }, patchShapes.LONG_DATED.boundary)
  const solve = () => {
    for (let k = 0; k < 100; k++) {
      const vol = 0.1 + 0.005 * k
      solveBoundary(system, vol, guessBoundary(system, vol), 1e-5)
    }
  }
  return medianMilliseconds(solve) * 10
}

function gridMilliseconds(name: keyof typeof patchShapes, t: number, low: number, high: number): number {
  return medianMilliseconds(() => yieldTable({ t, rate: RATE, dividendYield: YIELD }, low, high, patchShapes[name]))
}

/** A tick of SPY as European and as American options, and the flip of the latter. */
async function chainFigures(): Promise<readonly Figure[]> {
  const spy = areRecorded ? await recorded('SPY', '2026-07-29') : await synthetic('SPY')
  const european: Assumptions = { ...defaultAssumptions, exercise: 'european' }
  const american: Assumptions = { ...defaultAssumptions, exercise: 'american' }
  const priced = priceChain(spy, american)
  const name = `SPY, ${spy.size} contracts`
  return [
    { name: `${name}: priced as European`, value: medianMilliseconds(() => priceChain(spy, european)), unit: 'ms' },
    {
      name: `${name}: priced as American, grids at hand`,
      value: medianMilliseconds(() => priceChain(spy, american)),
      unit: 'ms'
    },
    {
      name: `${name}: gamma flip as American`,
      value: medianMilliseconds(() => gammaFlip(liveScope({ ...priced }))),
      unit: 'ms'
    }
  ]
}

export async function run(): Promise<readonly Figure[]> {
  const { size, strike, right, sigma, quoted, slices } = chain()
  const quotedCount = quoted.filter((value) => value > 0).length
  const found = new Float64Array(size)
  const out = columns(size)
  const weight = new Float64Array(size).fill(1)

  /** Forwards, ranges of volatility and grids from quotes alone; grids are at hand for a rate that was asked before. */
  const start = (rate: number) =>
    slices.map(({ terms: { spot, t }, start, end, pairs }) => {
      const terms = { spot, t, rate }
      const first = rawForward(terms, pairs)
      impliedVolatilities(termsWithForward(terms, first), strike, right, quoted, start, end, found)
      const range = volatilityRange(found.subarray(start, end))!
      const { dividendYield } = americanForward(terms, pairs, first, range)!
      return { grids: premiumTables({ t, rate, dividendYield }, range) }
    })
  const startedAt = performance.now()
  const forwards = start(RATE)
  const first = performance.now() - startedAt
  let rate = RATE
  const cold = () => start((rate += 1e-8))

  const volatilities = medianMilliseconds(() => {
    slices.forEach(({ terms, start, end }, at) => {
      fillAmericanVolatilities(terms, forwards[at].grids, strike, right, quoted, start, end, found)
    })
  })
  const greeks = medianMilliseconds(() => {
    slices.forEach(({ terms, start, end }, at) => {
      fillGreeks(terms, strike, right, sigma, start, end, out)
      addEarlyExercise(terms, forwards[at].grids, strike, right, sigma, start, end, out)
    })
  })
  let premiums = 0
  const profile = medianMilliseconds(
    () => {
      const gammas = slices.map(({ terms, start, end }, at) =>
        premiumGammas(terms, forwards[at].grids, strike, right, sigma, weight, start, end, 0.7 * SPOT, 1.3 * SPOT)
      )
      premiums = gammas.reduce((sum, { size }) => sum + size, 0)
      for (let k = 0; k <= 200; k++) {
        const logSpot = Math.log(SPOT * (0.7 + 0.003 * k))
        for (const one of gammas) premiumGammaAt(one, logSpot)
      }
    },
    { runs: 11, warmUp: 10 }
  )
  return [
    { name: 'a boundary from nothing, 8 points', value: boundaryMicroseconds(), unit: 'us', atMost: 150 },
    { name: 'grid of a right, short-dated', value: gridMilliseconds('SHORT_DATED', 0.05, 0.08, 0.8), unit: 'ms' },
    { name: 'grid of a right, long-dated', value: gridMilliseconds('LONG_DATED', 1, 0.08, 0.8), unit: 'ms' },
    { name: 'grid of a right, wide', value: gridMilliseconds('WIDE', 1, 0.04, 1.5), unit: 'ms' },
    { name: `volatilities of ${quotedCount} contracts, warm`, value: volatilities, unit: 'ms' },
    { name: `seven greeks of ${size} contracts, warm`, value: greeks, unit: 'ms' },
    {
      name: 'volatility and seven greeks of a contract, warm',
      value: ((volatilities + greeks) * 1000) / size,
      unit: 'us',
      atMost: 0.45
    },
    { name: `forwards and grids of ${EXPIRATIONS} expirations, first time`, value: first, unit: 'ms' },
    {
      name: `forwards and grids of ${EXPIRATIONS} expirations`,
      value: medianMilliseconds(cold, { runs: 11, warmUp: 5 }),
      unit: 'ms',
      atMost: 80
    },
    {
      name: `forwards of ${EXPIRATIONS} expirations, grids at hand`,
      value: medianMilliseconds(() => start(RATE), { runs: 11, warmUp: 5 }),
      unit: 'ms'
    },
    { name: `gamma of ${premiums} premiums at 201 spots`, value: profile, unit: 'ms' },
    ...(await chainFigures())
  ]
}

await report(import.meta.url, run)

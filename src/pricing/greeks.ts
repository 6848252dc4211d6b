import { CALL } from '../market/chain.ts'
import {
  d1,
  d2,
  density,
  type GreekWork,
  mills1,
  mills2,
  perTotal,
  preparation,
  signedN1,
  signedN2
} from './greek-block.ts'
import { runStages } from './stages.ts'

/** What the options of one expiration share. */
export interface SpotTerms {
  readonly spot: number
  /** Years to expiry. */
  readonly t: number
  /** Continuously compounded, annual fractions. */
  readonly rate: number
  readonly dividendYield: number
}

/**
 * The greeks of a chain, per share, in desk units: theta and charm per calendar day passing (a year is 365), vega and
 * rho per 0.01, vanna the change of delta per 1.00 of volatility.
 */
export interface GreekColumns {
  readonly delta: Float64Array
  readonly gamma: Float64Array
  readonly theta: Float64Array
  readonly vega: Float64Array
  readonly rho: Float64Array
  readonly vanna: Float64Array
  readonly charm: Float64Array
}

/**
 * The further columns of `fillAllGreeks`, in mathematical units whatever the units of the others: per 1.00 of
 * volatility, and color and veta per year of time to expiry, so with the sign opposite to theta and charm.
 */
export interface AllGreekColumns extends GreekColumns {
  readonly price: Float64Array
  /** dVega / dσ. */
  readonly vomma: Float64Array
  /** dPrice / dStrike. */
  readonly dualDelta: Float64Array
  /** dGamma / dSpot. */
  readonly speed: Float64Array
  /** dGamma / dσ. */
  readonly zomma: Float64Array
  /** dGamma / dτ, τ the time to expiry. */
  readonly color: Float64Array
  /** dVomma / dσ. */
  readonly ultima: Float64Array
  /** dVega / dτ. */
  readonly veta: Float64Array
}

/** Desk: theta and charm per calendar day, vega and rho per 0.01. Mathematical: per year and per 1.00. */
export type GreekUnits = 'desk' | 'mathematical'

const CHAIN_STAGES = [...preparation, fillTrendGreeks, fillVolatilityGreeks]
const ALL_STAGES = [...CHAIN_STAGES, fillPrices, fillThirdOrderInSpot, fillThirdOrderInVolatility]

/**
 * Fills the seven greeks of a chain from `start` to `end`, which are contracts of one expiration. NaN where `sigma` is
 * NaN or zero, and everywhere when no time is left.
 *
 * Source: Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), ch. 2.
 */
export function fillGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: GreekColumns
): void {
  runStages(workOf(terms, strike, right, sigma, out, 'desk'), start, end, CHAIN_STAGES)
}

/** Fills price, the seven greeks in the units asked for, and seven of higher order; as `fillGreeks` otherwise. */
export function fillAllGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: AllGreekColumns,
  units: GreekUnits = 'desk'
): void {
  runStages(workOf(terms, strike, right, sigma, out, units), start, end, ALL_STAGES)
}

function workOf<Columns>(
  { spot, t, rate, dividendYield }: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  out: Columns,
  units: GreekUnits
): GreekWork<Columns> {
  return {
    spot,
    t,
    rate,
    dividendYield,
    rootT: t > 0 ? Math.sqrt(t) : Number.NaN,
    carried: Math.exp(-dividendYield * t),
    discount: Math.exp(-rate * t),
    forward: spot * Math.exp((rate - dividendYield) * t),
    timeUnit: units === 'desk' ? 1 / 365 : 1,
    pointUnit: units === 'desk' ? 0.01 : 1,
    strike,
    right,
    sigma,
    out,
    from: 0,
    count: 0
  }
}

/** delta, theta, rho and charm: what moves with the probabilities of ending in the money. */
function fillTrendGreeks(work: GreekWork<GreekColumns>): void {
  const { spot, t, rate, dividendYield, carried, discount, rootT, timeUnit, pointUnit, strike, sigma, from } = work
  const { delta, theta, rho, charm } = work.out
  const drift = 2 * (rate - dividendYield) * t
  const halfInverseT = 0.5 / t
  const halfInverseRootT = 0.5 / rootT
  for (let q = 0; q < work.count; q++) {
    const i = from + q
    const carriedDensity = carried * density[q]
    const spotDelta = carried * signedN1[q]
    const strikePart = discount * strike[i] * signedN2[q]
    const decay = spot * carriedDensity * sigma[i] * halfInverseRootT
    const clock = halfInverseT * (drift * perTotal[q] - d2[q])
    delta[i] = spotDelta
    theta[i] = timeUnit * (dividendYield * spot * spotDelta - rate * strikePart - decay)
    rho[i] = pointUnit * t * strikePart
    charm[i] = timeUnit * (dividendYield * spotDelta - carriedDensity * clock)
  }
}

/** gamma, vega and vanna: what moves with the density, the same for a call and a put. */
function fillVolatilityGreeks(work: GreekWork<GreekColumns>): void {
  const { spot, carried, rootT, pointUnit, from } = work
  const { gamma, vega, vanna } = work.out
  const perSpot = 1 / spot
  const vegaUnit = pointUnit * spot * rootT
  for (let q = 0; q < work.count; q++) {
    const i = from + q
    const carriedDensity = carried * density[q]
    const spread = carriedDensity * perTotal[q]
    gamma[i] = spread * perSpot
    vega[i] = vegaUnit * carriedDensity
    vanna[i] = -spread * rootT * d2[q]
  }
}

/**
 * Price as intrinsic plus out-of-the-money value, through the Mills ratios at hand: right to 1e-15 of the spot, and far
 * from the money to 1e-13 of itself. `price` in bsm.ts keeps every digit.
 */
function fillPrices({ spot, carried, discount, strike, right, from, count, out }: GreekWork<AllGreekColumns>): void {
  const spotPart = spot * carried
  const price = out.price
  for (let q = 0; q < count; q++) {
    const i = from + q
    const strikePart = discount * strike[i]
    const intrinsic = Math.max(right[i] === CALL ? spotPart - strikePart : strikePart - spotPart, 0)
    const vega = spotPart * density[q]
    const sameSide = d1[q] > 0 === d2[q] > 0
    const bound = Math.min(spotPart, strikePart)
    const spread = vega * Math.abs(mills1[q] - mills2[q])
    const timeValue = sameSide ? spread : Math.max(bound - vega * (mills1[q] + mills2[q]), 0)
    price[i] = intrinsic + timeValue
  }
}

/** dualDelta, speed and color. */
function fillThirdOrderInSpot(work: GreekWork<AllGreekColumns>): void {
  const { spot, t, rate, dividendYield, carried, discount, from } = work
  const { dualDelta, speed, color } = work.out
  const drift = 2 * (rate - dividendYield) * t
  const halfInverseT = 0.5 / t
  const perSpot = 1 / spot
  const carriedPerSpot = carried * perSpot
  for (let q = 0; q < work.count; q++) {
    const i = from + q
    const gamma = carriedPerSpot * density[q] * perTotal[q]
    const clock = halfInverseT * (drift * perTotal[q] - d2[q])
    dualDelta[i] = -discount * signedN2[q]
    speed[i] = -gamma * perSpot * (d1[q] * perTotal[q] + 1)
    color[i] = -gamma * (dividendYield + halfInverseT + d1[q] * clock)
  }
}

/** vomma, zomma, ultima and veta. */
function fillThirdOrderInVolatility(work: GreekWork<AllGreekColumns>): void {
  const { spot, t, rate, dividendYield, carried, rootT, from } = work
  const { vomma, zomma, ultima, veta } = work.out
  const carry = rate - dividendYield
  const halfInverseT = 0.5 / t
  const perSpot = 1 / spot
  for (let q = 0; q < work.count; q++) {
    const i = from + q
    const perSigma = perTotal[q] * rootT
    const product = d1[q] * d2[q]
    const carriedDensity = carried * density[q]
    const vega = spot * rootT * carriedDensity
    vomma[i] = vega * product * perSigma
    zomma[i] = carriedDensity * perTotal[q] * perSpot * (product - 1) * perSigma
    ultima[i] = -vega * perSigma * perSigma * (product * (1 - product) + d1[q] * d1[q] + d2[q] * d2[q])
    veta[i] = -vega * (dividendYield + carry * d1[q] * perTotal[q] - (1 + product) * halfInverseT)
  }
}

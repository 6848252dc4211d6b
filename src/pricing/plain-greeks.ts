import { CALL } from '../market/chain.ts'
import { expirationConstants } from './expiration-constants.ts'
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
import type { AllGreekColumns, GreekColumns, GreekUnits, SpotTerms } from './greeks.ts'
import { runStages } from './stages.ts'

const CHAIN_STAGES = [...preparation, fillTrendGreeks, fillVolatilityGreeks]
const ALL_STAGES = [...CHAIN_STAGES, fillPrices, fillThirdOrderInSpot, fillThirdOrderInVolatility]

/** `fillGreeks` without WebAssembly. */
export function fillPlainGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: GreekColumns
): void {
  const constants = expirationConstants(terms, 'desk')
  runStages({ ...constants, strike, right, sigma, out, from: 0, count: 0 }, start, end, CHAIN_STAGES)
}

/** `fillAllGreeks` without WebAssembly. */
export function fillAllPlainGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: AllGreekColumns,
  units: GreekUnits
): void {
  const constants = expirationConstants(terms, units)
  runStages({ ...constants, strike, right, sigma, out, from: 0, count: 0 }, start, end, ALL_STAGES)
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

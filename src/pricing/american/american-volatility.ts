import { CALL, PUT } from '../../market/chain.ts'
import { exponential } from '../../math/exponential.ts'
import { impliedVolatilities } from '../implied-volatility.ts'
import { logMoneyness } from '../log-moneyness.ts'
import { BLOCK } from '../stages.ts'
import { europeanPrice, fillMillsDifferences, fillMillsSeries } from '../time-value.ts'
import { americanImpliedVolatility } from './american-option.ts'
import type { AmericanTerms } from './american-terms.ts'
import { slot } from './contract-block.ts'
import { gridShapes } from './grid-shape.ts'
import { EXERCISED, logSpot, OFF_GRID, place, readPremiums, sigmaSlope, value, volatility } from './premium-block.ts'
import type { PremiumGrid, PremiumGrids } from './premium-grid.ts'

/** A step this small a part of σ is the last: the next would be its square. */
const LAST_STEP = 5e-4
const MAX_ROUNDS = 60
const INV_SQRT_2PI = 0.3989422804014327
/** A bracket just above the European volatility marks a start there. */
const STARTED = 1 + 1e-9
const OFF_GRID_SHAPE = gridShapes.LONG_DATED.boundary

// Scratch of one block: ln(F/K), the bracket of σ, and at σ: European value less price and vega, USD per share, σ√t,
// |ln(F/K)| / (σ√t), and value over vega.
const moneyness = new Float64Array(BLOCK)
const lower = new Float64Array(BLOCK)
const upper = new Float64Array(BLOCK)
const excess = new Float64Array(BLOCK)
const vega = new Float64Array(BLOCK)
const total = new Float64Array(BLOCK)
const distance = new Float64Array(BLOCK)
const ratio = new Float64Array(BLOCK)

/**
 * Fills `sigma` from `start` to `end`, contracts of one expiration, with the volatilities (annual fractions) at which
 * American options cost `price`. NaN where there is none: no price, one at or below what exercise brings at once, one at
 * or above spot (call) or strike (put). Rights that are never exercised, or that have two boundaries, get European ones.
 *
 * Method: the European volatility, never below the true one, then Newton's method on European value plus premium.
 * Prices come back within 3e-6 of the strike (put) or spot (call).
 */
export function fillAmericanVolatilities(
  terms: AmericanTerms,
  grids: PremiumGrids,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  sigma: Float64Array
): void {
  impliedVolatilities(terms, strike, right, price, start, end, sigma)
  for (let from = start; from < end; from += BLOCK) {
    for (let flag = CALL; flag <= PUT; flag++) {
      const grid = flag === CALL ? grids.call : grids.put
      if (grid.exercise !== 'below') continue
      let count = gatherPrices(terms, grid, flag, strike, right, price, from, Math.min(from + BLOCK, end), sigma)
      for (let round = 0; count > 0 && round < MAX_ROUNDS; round++) {
        readPremiums(grid, count)
        fillVegas(terms, count)
        if (round === 0) fillFirstExcess(terms, flag, strike, price, count)
        else fillExcess(terms, flag, strike, price, count)
        count = step(terms, flag, strike, price, count, sigma)
      }
      for (let q = 0; q < count; q++) sigma[slot[q]] = Number.NaN
    }
  }
}

/** Contracts whose price may hold a premium, each with a start and a bracket; the others get their answer at once. */
function gatherPrices(
  { spot, forward }: AmericanTerms,
  grid: PremiumGrid,
  flag: number,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  from: number,
  to: number,
  sigma: Float64Array
): number {
  const isCall = flag === CALL
  let count = 0
  for (let i = from; i < to; i++) {
    if (right[i] !== flag) continue
    const k = strike[i]
    const x = isCall ? logMoneyness(k, spot) : logMoneyness(spot, k)
    const possible = price[i] > Math.max(isCall ? spot - k : k - spot, 0) && price[i] < (isCall ? spot : k)
    if (!possible) {
      sigma[i] = Number.NaN
      continue
    }
    const european = sigma[i]
    slot[count] = i
    logSpot[count] = x
    moneyness[count] = logMoneyness(forward, k)
    lower[count] = 0
    upper[count] = european > 0 ? european * STARTED : Number.POSITIVE_INFINITY
    // Above the present value of the strike there is no European volatility.
    volatility[count] = european <= grid.high ? Math.max(european, grid.low) : grid.high
    count++
  }
  return count
}

/** European vega at each volatility, and what the tail of the formula needs. */
function fillVegas({ spot, t, dividendYield }: AmericanTerms, count: number): void {
  const rootT = Math.sqrt(t)
  const spotPart = spot * Math.exp(-dividendYield * t)
  for (let q = 0; q < count; q++) {
    const s = volatility[q] * rootT
    const perTotal = 1 / s
    const d1 = moneyness[q] * perTotal + 0.5 * s
    total[q] = s
    distance[q] = Math.abs(moneyness[q]) * perTotal
    vega[q] = spotPart * rootT * INV_SQRT_2PI * exponential(-0.5 * d1 * d1)
  }
}

/** European value less price in the first round: nothing, save where the start is not the European volatility. */
function fillFirstExcess(terms: AmericanTerms, flag: number, strike: Float64Array, price: Float64Array, count: number) {
  for (let q = 0; q < count; q++) {
    const european = upper[q] <= volatility[q] * STARTED && upper[q] >= volatility[q]
    excess[q] = european ? 0 : europeanValue(terms, flag, strike[slot[q]], q) - price[slot[q]]
  }
}

/** The same in the other rounds: intrinsic value and vega times a ratio of tails, as in time-value.ts. */
function fillExcess(
  terms: AmericanTerms,
  flag: number,
  strike: Float64Array,
  price: Float64Array,
  count: number
): void {
  fillMillsDifferences(distance, total, count, ratio)
  fillMillsSeries(distance, total, count, ratio)
  const { forward, discount, t } = terms
  const sign = flag === CALL ? discount : -discount
  const perRootT = 1 / Math.sqrt(t)
  for (let q = 0; q < count; q++) {
    const i = slot[q]
    const outside = total[q] - 2 * distance[q] > 2
    const intrinsic = Math.max(sign * (forward - strike[i]), 0)
    const value = outside ? europeanValue(terms, flag, strike[i], q) : intrinsic + perRootT * vega[q] * ratio[q]
    excess[q] = value - price[i]
  }
}

/** One European value, for the few that the loops above leave out. */
function europeanValue(
  { spot, t, rate, dividendYield }: AmericanTerms,
  flag: number,
  strike: number,
  q: number
): number {
  const spotPart = spot * Math.exp(-dividendYield * t)
  const density = vega[q] / (spotPart * Math.sqrt(t))
  return europeanPrice(flag === CALL, spotPart, strike * Math.exp(-rate * t), distance[q], total[q], density)
}

/** One step for each contract. Those that have come to rest leave the block; answers how many stay. */
function step(
  terms: AmericanTerms,
  flag: number,
  strike: Float64Array,
  price: Float64Array,
  count: number,
  sigma: Float64Array
): number {
  let left = 0
  for (let q = 0; q < count; q++) {
    const i = slot[q]
    const here = volatility[q]
    const unit = flag === CALL ? terms.spot : strike[i]
    const miss = excess[q] + unit * value[q]
    let next: number
    if (place[q] === OFF_GRID) {
      sigma[i] = offGridVolatility(terms, flag, strike[i], price[i])
      continue
    }
    if (place[q] === EXERCISED) {
      lower[q] = here
      next = Number.NaN
    } else {
      if (miss > 0) upper[q] = here
      else lower[q] = here
      next = here - miss / (vega[q] + unit * sigmaSlope[q])
      if (Math.abs(next - here) <= LAST_STEP * here) {
        sigma[i] = next
        continue
      }
    }
    if (!(next > lower[q] && next < upper[q])) next = 0.5 * (lower[q] + upper[q])
    slot[left] = i
    logSpot[left] = logSpot[q]
    moneyness[left] = moneyness[q]
    lower[left] = lower[q]
    upper[left] = upper[q]
    volatility[left] = next
    left++
  }
  return left
}

function offGridVolatility(terms: AmericanTerms, flag: number, strike: number, price: number): number {
  const option = { ...terms, right: flag === CALL ? ('call' as const) : ('put' as const), strike }
  return americanImpliedVolatility(option, price, OFF_GRID_SHAPE) ?? Number.NaN
}

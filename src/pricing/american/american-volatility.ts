import { CALL, PUT } from '../../market/chain.ts'
import { exponential } from '../../math/exponential.ts'
import { impliedVolatilities } from '../implied-volatility.ts'
import { logMoneyness } from '../log-moneyness.ts'
import { BLOCK } from '../stages.ts'
import { americanImpliedVolatility } from './american-option.ts'
import type { AmericanTerms } from './american-terms.ts'
import { slot } from './contract-block.ts'
import { gridShapes } from './grid-shape.ts'
import { cumulativeNormal } from './normal-table.ts'
import { EXERCISED, logSpot, OFF_GRID, place, sigmaSlope, value, volatility } from './premium-block.ts'
import { leastValue, type Premiums, type RightPremiums, readPremiums } from './right-premiums.ts'

/** A step this small a part of σ is the last: the next would be its square. */
const LAST_STEP = 5e-4
const MAX_ROUNDS = 60
const LEAST_SIGMA = 1e-3
const INV_SQRT_2PI = 0.3989422804014327
/** A bracket just above the European volatility marks a start there. */
const STARTED = 1 + 1e-9
const OFF_GRID_SHAPE = gridShapes.LONG_DATED.boundary

// Scratch of one block: ln(F/K), the bracket of σ, and at σ European value less price and vega, USD per share.
const moneyness = new Float64Array(BLOCK)
const lower = new Float64Array(BLOCK)
const upper = new Float64Array(BLOCK)
const excess = new Float64Array(BLOCK)
const vega = new Float64Array(BLOCK)

/**
 * Fills `sigma` from `start` to `end`, contracts of one expiration, with the volatilities (annual fractions) at which
 * American options cost `price`. NaN where there is none: no price, one at or below what exercise brings at once, one at
 * or above spot (call) or strike (put). Rights that are never exercised, or that have two boundaries, get European ones.
 *
 * Method: the European volatility, never below the true one, then Newton's method on European value plus premium.
 * Prices come back within 3e-6 of the strike (put) or spot (call). A volatility that the grids do not cover is worked out
 * without them, a thousand times slower, unless there is to be none.
 */
export function fillAmericanVolatilities(
  terms: AmericanTerms,
  grids: Premiums,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  sigma: Float64Array,
  beyondGrids: 'exact' | 'none' = 'exact'
): void {
  impliedVolatilities(terms, strike, right, price, start, end, sigma)
  for (let from = start; from < end; from += BLOCK) {
    for (let flag = CALL; flag <= PUT; flag++) {
      const grid = flag === CALL ? grids.call : grids.put
      if (grid.exercise !== 'below') continue
      let count = gatherPrices(terms, grid, flag, strike, right, price, from, Math.min(from + BLOCK, end), sigma)
      for (let round = 0; count > 0 && round < MAX_ROUNDS; round++) {
        readPremiums(grid, count)
        fillEuropean(terms, flag, strike, price, count, round === 0)
        count = step(terms, flag, strike, price, count, sigma, beyondGrids === 'exact')
      }
      for (let q = 0; q < count; q++) sigma[slot[q]] = Number.NaN
    }
  }
}

/** Contracts whose price may hold a premium, each with a start and a bracket; the others get their answer at once. */
function gatherPrices(
  { spot, forward }: AmericanTerms,
  grid: RightPremiums,
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
    const [received, given] = isCall ? [spot, k] : [k, spot]
    const possible = price[i] > leastValue(grid, received, given) && price[i] < received
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

/**
 * European value less price, and European vega, at each volatility. In the first round most volatilities are the European
 * ones, where the value is the price to its last digit; later ones need no more digits than the grid has.
 */
function fillEuropean(
  { spot, t, rate, dividendYield }: AmericanTerms,
  flag: number,
  strike: Float64Array,
  price: Float64Array,
  count: number,
  first: boolean
): void {
  const sign = flag === CALL ? 1 : -1
  const rootT = Math.sqrt(t)
  const spotPart = spot * Math.exp(-dividendYield * t)
  const discount = Math.exp(-rate * t)
  for (let q = 0; q < count; q++) {
    const i = slot[q]
    const s = volatility[q] * rootT
    const d1 = moneyness[q] / s + 0.5 * s
    const spotSide = spotPart * cumulativeNormal(sign * d1)
    const strikeSide = discount * strike[i] * cumulativeNormal(sign * (d1 - s))
    const known = first && upper[q] >= volatility[q] && upper[q] <= volatility[q] * STARTED
    excess[q] = known ? 0 : sign * (spotSide - strikeSide) - price[i]
    vega[q] = spotPart * rootT * INV_SQRT_2PI * exponential(-0.5 * d1 * d1)
  }
}

/** One step for each contract. Those that have come to rest leave the block; answers how many stay. */
function step(
  terms: AmericanTerms,
  flag: number,
  strike: Float64Array,
  price: Float64Array,
  count: number,
  sigma: Float64Array,
  isExact: boolean
): number {
  let left = 0
  for (let q = 0; q < count; q++) {
    const i = slot[q]
    const here = volatility[q]
    // Tables go on below their lowest volatility, down to where prices no longer tell one.
    if (upper[q] < LEAST_SIGMA) {
      sigma[i] = Number.NaN
      continue
    }
    const unit = flag === CALL ? terms.spot : strike[i]
    const miss = excess[q] + unit * value[q]
    let next: number
    if (place[q] === OFF_GRID) {
      sigma[i] = isExact ? offGridVolatility(terms, flag, strike[i], price[i]) : Number.NaN
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

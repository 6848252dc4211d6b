import { CALL, PUT } from '../../market/chain.ts'
import type { SpotTerms } from '../greeks.ts'
import { type ForwardTerms, impliedVolatilities } from '../implied-volatility.ts'
import { logMoneyness } from '../log-moneyness.ts'
import { americanImpliedVolatility } from './american-option.ts'
import { type ContractBlock, contractBlock, EXERCISED, OFF_TABLE } from './contract-block.ts'
import {
  certainShares,
  certainValue,
  type PremiumTable,
  type PremiumTables,
  readPremiumValues
} from './premium-table.ts'
import { BLOCK, premiumKernels } from './simd/premium-kernels.ts'
import { patchShapes } from './yield/patch-shape.ts'

/**
 * Terms shared by the American options of one expiration. Spot, forward, rate and yield must be consistent with each
 * other.
 */
export interface AmericanTerms extends SpotTerms, ForwardTerms {}

/** A Newton step shorter than this share of σ is the last one: the next step would only be about its square. */
const LAST_STEP = 5e-4
/**
 * Like `LAST_STEP`, for `fillPremiumsOfPrices`. The error that it leaves changes a premium by about 1e-7 of the strike.
 */
const LAST_STEP_OF_PREMIUM = 4e-3
const MAX_ROUNDS = 60
const MIN_SIGMA = 1e-3
/**
 * Factor by which the upper bound of the search exceeds the European volatility. An upper bound of this size also marks
 * a contract whose search starts at its European volatility.
 */
const STARTED = 1 + 1e-9
const OFF_TABLE_SHAPE = patchShapes.LONG_DATED.boundary

/**
 * Fills `sigma` with the volatilities (annual fractions) at which American options cost `price`, for contracts `start`
 * to `end`, all of one expiration. NaN if the price is missing, is not above the value of exercise at once, or is not
 * below spot (call) or strike (put). A right that is never exercised early, or that has two exercise boundaries, gets
 * European volatilities.
 * Method: it starts from the European volatility, which is never below the true one. Then Newton's method solves for
 * European value plus premium. Prices are recovered to within 3e-6 of the strike (put) or spot (call). A volatility
 * outside the tables is computed without them, which is a thousand times slower, unless `beyondTables` is `none`.
 */
export function fillAmericanVolatilities(
  terms: AmericanTerms,
  tables: PremiumTables,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  sigma: Float64Array,
  beyondTables: 'exact' | 'none' = 'exact'
): void {
  impliedVolatilities(terms, strike, right, price, start, end, sigma)
  const block = contractBlock()
  for (let from = start; from < end; from += BLOCK) {
    for (let flag = CALL; flag <= PUT; flag++) {
      const table = flag === CALL ? tables.call : tables.put
      if (table.exercise !== 'below') continue
      const to = Math.min(from + BLOCK, end)
      let count = gatherPrices(terms, block, table, flag, strike, right, price, from, to, sigma, true)
      for (let round = 0; count > 0 && round < MAX_ROUNDS; round++) {
        readPremiumValues(table, count)
        fillEuropeans(terms, flag, count, round === 0)
        count = step(terms, block, table, flag, count, sigma, beyondTables === 'exact')
      }
      for (let q = 0; q < count; q++) sigma[block.slot[q]] = Number.NaN
    }
  }
}

/**
 * Fills `premium` with the early-exercise premiums contained in `price`, USD per share, for contracts `start` to `end`,
 * all of one expiration. On entry `sigma` holds a nearby volatility of each contract. On return it holds the volatility
 * of its price, with a relative error below 2e-5. A premium is NaN if `fillAmericanVolatilities` finds no volatility or
 * the tables do not cover it. It is 0 if exercise is never worth it.
 */
export function fillPremiumsOfPrices(
  terms: AmericanTerms,
  tables: PremiumTables,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  sigma: Float64Array,
  premium: Float64Array
): void {
  fillNoPremiums(terms, strike, right, price, start, end, premium)
  const block = contractBlock()
  for (let from = start; from < end; from += BLOCK) {
    for (let flag = CALL; flag <= PUT; flag++) {
      const table = flag === CALL ? tables.call : tables.put
      if (table.exercise !== 'below') continue
      const to = Math.min(from + BLOCK, end)
      for (let i = from; i < to; i++) if (right[i] === flag) premium[i] = Number.NaN
      let count = gatherPrices(terms, block, table, flag, strike, right, price, from, to, sigma, false)
      for (let round = 0; count > 0 && round < MAX_ROUNDS; round++) {
        readPremiumValues(table, count)
        fillEuropeans(terms, flag, count, false)
        count = step(terms, block, table, flag, count, sigma, false, premium)
      }
    }
  }
}

function fillNoPremiums(
  { forward, discount }: AmericanTerms,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  premium: Float64Array
): void {
  for (let i = start; i < end; i++) {
    const isCall = right[i] === CALL
    const least = discount * Math.max(isCall ? forward - strike[i] : strike[i] - forward, 0)
    const most = discount * (isCall ? forward : strike[i])
    premium[i] = price[i] > least && price[i] < most ? 0 : Number.NaN
  }
}

/**
 * Puts those contracts into the block whose price may contain an early-exercise premium; all others get NaN. Each gets
 * a volatility to start from and an interval that contains the result. Starting values come from `sigma`. If `isBound`,
 * these are European volatilities, and the result is never above them.
 */
function gatherPrices(
  { spot, forward }: AmericanTerms,
  block: ContractBlock,
  table: PremiumTable,
  flag: number,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  from: number,
  to: number,
  sigma: Float64Array,
  isBound: boolean
): number {
  const { low, high } = table
  const { slot, logSpot, moneyness, lower, upper, volatility } = block
  const isCall = flag === CALL
  const sign = isCall ? -1 : 1
  const carry = logMoneyness(forward, spot)
  const shares = certainShares(table)
  let count = 0
  for (let i = from; i < to; i++) {
    if (right[i] !== flag) continue
    const k = strike[i]
    const received = isCall ? spot : k
    const given = isCall ? k : spot
    const possible = price[i] > certainValue(shares, received, given) && price[i] < received
    if (!possible) {
      sigma[i] = Number.NaN
      continue
    }
    const x = logMoneyness(spot, k)
    const near = sigma[i]
    slot[count] = i
    logSpot[count] = sign * x
    moneyness[count] = x + carry
    block.strike[count] = k
    block.price[count] = price[i]
    lower[count] = 0
    upper[count] = isBound && near > 0 ? near * STARTED : Number.POSITIVE_INFINITY
    // A price above the present value of the strike has no European volatility.
    volatility[count] = near <= high ? Math.max(near, low) : high
    count++
  }
  return count
}

/**
 * Fills `excess` (European value minus price) and `vega` (European) at each volatility of the block, USD per share. In
 * the first round (`isFirst`) most volatilities are those at which the European value equals the price, so the excess
 * is 0. In later rounds, the accuracy of the tables is enough.
 */
function fillEuropeans({ spot, t, rate, dividendYield }: AmericanTerms, flag: number, count: number, isFirst: boolean) {
  const spotPart = spot * Math.exp(-dividendYield * t)
  premiumKernels().fillEuropeans(count, flag === CALL ? 1 : -1, spotPart, Math.exp(-rate * t), Math.sqrt(t), isFirst)
}

/**
 * Takes one Newton step for each contract of the block. A contract that has converged leaves the block; its volatility
 * and, if requested, its premium are stored. Returns how many contracts stay.
 */
function step(
  terms: AmericanTerms,
  block: ContractBlock,
  { low, high }: PremiumTable,
  flag: number,
  count: number,
  sigma: Float64Array,
  isExact: boolean,
  premium?: Float64Array
): number {
  const { slot, logSpot, volatility, place, value, sigmaSlope } = block
  const { moneyness, strike, price, lower, upper, excess, vega } = block
  const last = premium === undefined ? LAST_STEP : LAST_STEP_OF_PREMIUM
  let left = 0
  for (let q = 0; q < count; q++) {
    const i = slot[q]
    const here = volatility[q]
    // Dividend tables continue below their lowest volatility, down to where prices no longer depend on volatility.
    if (upper[q] < MIN_SIGMA) {
      sigma[i] = Number.NaN
      continue
    }
    const unit = flag === CALL ? terms.spot : strike[q]
    const miss = excess[q] + unit * value[q]
    let next: number
    if (place[q] === OFF_TABLE) {
      sigma[i] = isExact ? offTableVolatility(terms, flag, strike[q], price[q]) : Number.NaN
      continue
    }
    if (place[q] === EXERCISED) {
      lower[q] = here
      next = Number.NaN
    } else {
      if (miss > 0) upper[q] = here
      else lower[q] = here
      next = here - miss / (vega[q] + unit * sigmaSlope[q])
      if (Math.abs(next - here) <= last * here) {
        sigma[i] = next
        if (premium !== undefined) premium[i] = unit * (value[q] + (next - here) * sigmaSlope[q])
        continue
      }
    }
    if (!(next > lower[q] && next < upper[q])) next = 0.5 * (lower[q] + upper[q])
    if (next > high && here < high) next = high
    else if (next < low && here > low) next = low
    slot[left] = i
    logSpot[left] = logSpot[q]
    moneyness[left] = moneyness[q]
    strike[left] = strike[q]
    price[left] = price[q]
    lower[left] = lower[q]
    upper[left] = upper[q]
    volatility[left] = next
    left++
  }
  return left
}

function offTableVolatility(terms: AmericanTerms, flag: number, strike: number, price: number): number {
  const option = { ...terms, right: flag === CALL ? ('call' as const) : ('put' as const), strike }
  return americanImpliedVolatility(option, price, OFF_TABLE_SHAPE) ?? Number.NaN
}

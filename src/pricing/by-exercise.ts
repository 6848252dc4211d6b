import { CALL, PUT } from '../market/chain.ts'
import { fillAmericanVolatilities } from './american/american-volatility.ts'
import { leastValue, yieldOfDividends } from './american/dividends/dividend-terms.ts'
import { addEarlyExercise } from './american/early-exercise.ts'
import { type PremiumTables, premiumTables } from './american/premium-table.ts'
import type { Carry } from './carry.ts'
import { fillGreeks, type GreekColumns } from './greeks.ts'
import { impliedVolatilities } from './implied-volatility.ts'

/** Early-exercise premium tables of an expiration; undefined if its options are European. */
export function premiumTablesOf(carry: Carry): PremiumTables | undefined {
  return carry.american && premiumTables(carry, carry.american)
}

/**
 * Returns a function that gives, for a strike and a right, the least that an option of an expiration is worth at any
 * volatility, USD per share. The rest of an option's price is its time value. For a European option out of the money
 * the result is negative.
 */
export function leastValueOf(carry: Carry, isAmerican: boolean): (strike: number, right: number) => number {
  const { t, rate, spot, forward, discount, dividends } = carry
  if (dividends.length > 0) {
    const dividendYield = carry.dividendYield - yieldOfDividends(dividends, t)
    const [call, put] = [CALL, PUT].map((right) => leastValue({ right, t, rate, dividendYield, dividends }))
    return (strike, right) => (right === CALL ? call : put)(spot, strike)
  }
  return (strike, right) => {
    const sign = right === CALL ? 1 : -1
    const held = sign * discount * (forward - strike)
    return isAmerican ? Math.max(held, sign * (spot - strike)) : held
  }
}

/**
 * Fills `sigma` with the volatilities (annual fractions) at which contracts `start` to `end`, all of one expiration,
 * cost `price`.
 */
export function fillVolatilities(
  carry: Carry,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  sigma: Float64Array
): void {
  const tables = premiumTablesOf(carry)
  if (tables === undefined) impliedVolatilities(carry, strike, right, price, start, end, sigma)
  else fillAmericanVolatilities(carry, tables, strike, right, price, start, end, sigma)
}

/**
 * Fills the seven greeks of contracts `start` to `end`, all of one expiration. They are computed with `dividendYield`,
 * which is by default the one of `carry`.
 */
export function fillGreeksOf(
  carry: Carry,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: GreekColumns,
  dividendYield: number = carry.dividendYield
): void {
  const { spot, t, rate, dividends } = carry
  const terms = { spot, t, rate, dividendYield }
  fillGreeks(terms, strike, right, sigma, start, end, out)
  const tables = premiumTablesOf(carry)
  if (tables === undefined) return
  const borrow = dividendYield - yieldOfDividends(dividends, t)
  if (dividends.length > 0) payOnExDates(spot, dividendYield - borrow, start, end, out)
  // Volatilities beyond the tables belong to strikes far from all quotes, where early exercise is worth nothing or
  // everything.
  addEarlyExercise({ ...terms, dividendYield: borrow }, tables, strike, right, sigma, start, end, out, 'edge')
  keepSigns(right, start, end, out)
}

/**
 * Removes the yield that represents discrete dividends from theta and charm of European options: dividends are paid on
 * ex-dates and not a little every day. In the Black-Scholes equation that yield is the term q S delta.
 */
function payOnExDates(
  spot: number,
  paid: number,
  start: number,
  end: number,
  { delta, gamma, theta, charm }: GreekColumns
): void {
  for (let i = start; i < end; i++) {
    theta[i] -= (paid * spot * delta[i]) / 365
    charm[i] -= (paid * (delta[i] + spot * gamma[i])) / 365
  }
}

/**
 * Sets delta, gamma and vega to 0 if they have an impossible sign. Far from the money, the European greek and the greek
 * of the early-exercise premium nearly cancel, so errors of the table would decide the sign of their sum.
 */
function keepSigns(right: Uint8Array, start: number, end: number, { delta, gamma, vega }: GreekColumns): void {
  for (let i = start; i < end; i++) {
    if (right[i] === CALL ? delta[i] < 0 : delta[i] > 0) delta[i] = 0
    if (gamma[i] < 0) gamma[i] = 0
    if (vega[i] < 0) vega[i] = 0
  }
}

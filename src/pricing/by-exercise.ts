import { CALL } from '../market/chain.ts'
import { fillAmericanVolatilities } from './american/american-volatility.ts'
import { addEarlyExercise } from './american/early-exercise.ts'
import { gridsUnder } from './american/forward.ts'
import type { PremiumGrids } from './american/premium-grid.ts'
import type { Carry } from './carry.ts'
import { fillGreeks, type GreekColumns } from './greeks.ts'
import { impliedVolatilities } from './implied-volatility.ts'

// What is computed one way for European options and another for American ones.

/** The grids of the premium of early exercise of an expiration; undefined where its options are European. */
export function premiumGridsOf(carry: Carry): PremiumGrids | undefined {
  return carry.american && gridsUnder(carry, carry.american)
}

/** Fills `sigma` from `start` to `end`, contracts of one expiration, with the volatilities at which they cost `price`. */
export function fillVolatilities(
  carry: Carry,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  sigma: Float64Array
): void {
  const grids = premiumGridsOf(carry)
  if (grids === undefined) impliedVolatilities(carry, strike, right, price, start, end, sigma)
  else fillAmericanVolatilities(carry, grids, strike, right, price, start, end, sigma)
}

/** Fills the seven greeks from `start` to `end`, contracts of one expiration, with another yield than the carry's if given. */
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
  const { spot, t, rate } = carry
  const terms = { spot, t, rate, dividendYield }
  fillGreeks(terms, strike, right, sigma, start, end, out)
  const grids = premiumGridsOf(carry)
  // Volatilities beyond the grids are those of strikes far from all quotes, where early exercise is worth nothing or all.
  if (grids === undefined) return
  addEarlyExercise(terms, grids, strike, right, sigma, start, end, out, 'edge')
  keepSigns(right, start, end, out)
}

/** Far from the money next to nothing is left of either part, and the error of a grid would decide the sign of the sum. */
function keepSigns(right: Uint8Array, start: number, end: number, { delta, gamma, vega }: GreekColumns): void {
  for (let i = start; i < end; i++) {
    if (right[i] === CALL ? delta[i] < 0 : delta[i] > 0) delta[i] = 0
    if (gamma[i] < 0) gamma[i] = 0
    if (vega[i] < 0) vega[i] = 0
  }
}

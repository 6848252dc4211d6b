import type { Option } from '../bsm.ts'
import { logMoneyness } from '../log-moneyness.ts'
import { boundarySystem, guessBoundary, solveBoundary } from './yield/boundary.ts'
import type { BoundaryShape } from './yield/boundary-tables.ts'
import { exerciseOf, exerciseTerms } from './yield/exercise.ts'
import { fillPremiumIntegral, type PremiumSlopes, premiumIntegral, premiumSlopesAt } from './yield/premium-integral.ts'

/**
 * Shape for exact premiums: errors are below 2e-8 of the strike for any option that is listed, and mostly below 1e-9.
 */
export const EXACT: BoundaryShape = { points: 16, inner: 32, outer: 128 }
const TOLERANCE = 1e-7

export interface SpotPremium {
  readonly value: number
  readonly delta: number
  readonly gamma: number
  readonly speed: number
}

const NONE: SpotPremium = { value: 0, delta: 0, gamma: 0, speed: 0 }

/**
 * Computes the early-exercise premium of one option without a table. The option must have time and volatility left.
 * Returns `exercised` if the spot is at or beyond the exercise boundary, where the option is worth its exercise value.
 * Undefined if there are two boundaries.
 */
export function exactPremium(option: Option, shape: BoundaryShape = EXACT): SpotPremium | 'exercised' | undefined {
  const { right, spot, strike, sigma } = option
  const isCall = right === 'call'
  const terms = exerciseTerms(isCall, option)
  const exercise = exerciseOf(terms)
  if (exercise === 'never') return NONE
  if (exercise === 'between') return undefined
  const system = boundarySystem(terms, shape)
  const depth = guessBoundary(system, sigma)
  solveBoundary(system, sigma, depth, TOLERANCE)
  const integral = fillPremiumIntegral(system, sigma, depth, premiumIntegral(system))
  const x = isCall ? logMoneyness(strike, spot) : logMoneyness(spot, strike)
  if (x <= integral.logBoundary) return 'exercised'
  return spotPremium(isCall, spot, strike, premiumSlopesAt(integral, x))
}

/**
 * Early-exercise premium of a contract and its derivatives in spot. The premium is K P(ln S/K) for a put and S P(ln
 * K/S) for a call, where P (`slopes`) is the premium of a put with strike 1.
 */
function spotPremium(isCall: boolean, spot: number, strike: number, slopes: PremiumSlopes): SpotPremium {
  const { value, first, second, third } = slopes
  if (isCall) {
    return {
      value: spot * value,
      delta: value - first,
      gamma: (second - first) / spot,
      speed: (first - third) / (spot * spot)
    }
  }
  const k = strike / spot
  return {
    value: strike * value,
    delta: k * first,
    gamma: (k * (second - first)) / spot,
    speed: (k * (third - 3 * second + 2 * first)) / (spot * spot)
  }
}

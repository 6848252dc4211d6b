import { volatilitiesOf } from '../../pricing/quote-volatility.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import type { Scope } from '../scope.ts'
import { volatilityStep } from './liquidity.ts'

/** Age of a snapshot, in seconds, at which it loses all 20 points for timeliness. */
const MAX_AGE = 300
/** Mean volatility step between neighboring strikes, in vol points, at which smoothness is 0. */
const ROUGH_STEP = 5

/** Whether any contract of a scope has greeks. Without greeks an exposure is unknown rather than zero. */
export function hasGreeks({ chain, slots }: Scope): boolean {
  return slots.some((i) => chain.sigmaSource[i] !== NO_SIGMA)
}

/**
 * Reliability of a scope's figures, 0 to 100, not rounded: 40 points for contracts with greeks, 40 for contracts whose
 * own quote implies a volatility, 20 for a recent snapshot. Source: the wire contract.
 */
export function dataQualityScore(scope: Scope): number {
  const { chain, slots } = scope
  const withoutGreeks = slots.filter((i) => chain.sigmaSource[i] === NO_SIGMA).length / slots.length
  const withoutVolatility = unquoted(scope) / slots.length
  return 100 - 40 * withoutGreeks - 40 * withoutVolatility - 20 * Math.min(1, chain.delay / MAX_AGE)
}

/** Number of contracts whose own quote implies no volatility. */
function unquoted({ chain, expirations }: Scope): number {
  return expirations.reduce((sum, at) => sum + volatilitiesOf(chain, at, 'mid').filter(Number.isNaN).length, 0)
}

/**
 * Smoothness of volatility over the strikes within `window` of spot (a fraction of spot), 0 to 100, not rounded: 100
 * without any step between neighbors, 0 for a mean step of 5 vol points. Undefined with fewer than three strikes.
 */
export function greekSmoothness(scope: Scope, window: number): number | undefined {
  const step = volatilityStep(scope, window)
  return step === undefined ? undefined : 100 * Math.max(0, 1 - step / ROUGH_STEP)
}

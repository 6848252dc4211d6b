import { volatilitiesOf } from '../../pricing/quote-volatility.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import type { Scope } from '../scope.ts'
import { volatilityStep } from './liquidity.ts'

/** Age of a snapshot in seconds from which it gets none of the 20 points for timeliness. */
const MAX_AGE = 300
/** If volatility changes by this many vol points on average from one strike to the next, smoothness is 0. */
const ROUGH_STEP = 5

/** Whether any contract of a scope has greeks. If none has, an exposure is not zero but unknown. */
export function hasGreeks({ chain, slots }: Scope): boolean {
  return slots.some((i) => chain.sigmaSource[i] !== NO_SIGMA)
}

/**
 * How reliable the figures of a scope are, 0 to 100, not rounded. Up to 40 points for the share of contracts with
 * greeks, 40 for the share whose own quote implies a volatility, and 20 for a recent snapshot. Source: the published
 * API contract.
 */
export function dataQualityScore(scope: Scope): number {
  const { chain, slots } = scope
  const withoutGreeks = slots.filter((i) => chain.sigmaSource[i] === NO_SIGMA).length / slots.length
  const withoutVolatility = unquoted(scope) / slots.length
  return 100 - 40 * withoutGreeks - 40 * withoutVolatility - 20 * Math.min(1, chain.delay / MAX_AGE)
}

/** Number of contracts in a scope whose own quote implies no volatility. */
function unquoted({ chain, expirations }: Scope): number {
  return expirations.reduce((sum, at) => sum + volatilitiesOf(chain, at, 'mid').filter(Number.isNaN).length, 0)
}

/**
 * How smoothly volatility changes across the strikes within `window` of spot, 0 to 100, not rounded. 100: no change
 * between neighboring strikes. 0: a mean change of 5 vol points or more. `window` is a fraction of spot. Undefined with
 * fewer than three strikes.
 */
export function greekSmoothness(scope: Scope, window: number): number | undefined {
  const step = volatilityStep(scope, window)
  return step === undefined ? undefined : 100 * Math.max(0, 1 - step / ROUGH_STEP)
}

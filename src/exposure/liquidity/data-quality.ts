import { volatilitiesOf } from '../../pricing/quote-volatility.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import type { Scope } from '../scope.ts'
import { volatilityStep } from './liquidity.ts'

/** A snapshot this old, in seconds, has lost the whole of its mark for age. */
const MAX_AGE = 300
/** Where neighbouring volatilities differ by so many vol points on average, greeks are not smooth at all. */
const ROUGH_STEP = 5

/** Whether any contract of a scope has greeks. Without one no exposure can be stated, not even that it is zero. */
export function hasGreeks({ chain, slots }: Scope): boolean {
  return slots.some((i) => chain.sigmaSource[i] !== NO_SIGMA)
}

/**
 * How far a scope's figures can be trusted, 0 to 100 and not rounded: 40 for contracts with greeks, 40 for contracts
 * whose own quote has a volatility, 20 for a snapshot that is young. Source: the wire contract.
 */
export function dataQualityScore(scope: Scope): number {
  const { chain, slots } = scope
  const withoutGreeks = slots.filter((i) => chain.sigmaSource[i] === NO_SIGMA).length / slots.length
  const withoutVolatility = unquoted(scope) / slots.length
  return 100 - 40 * withoutGreeks - 40 * withoutVolatility - 20 * Math.min(1, chain.delay / MAX_AGE)
}

/** Contracts of a scope whose own quote says nothing about volatility. */
function unquoted({ chain, expirations }: Scope): number {
  return expirations.reduce((sum, at) => sum + volatilitiesOf(chain, at, 'mid').filter(Number.isNaN).length, 0)
}

/**
 * How smoothly volatility runs over the strikes within `window` of spot, a fraction of it: 100 for no step between
 * neighbours, 0 for 5 vol points on average; not rounded. Undefined with fewer than three strikes.
 */
export function greekSmoothness(scope: Scope, window: number): number | undefined {
  const step = volatilityStep(scope, window)
  return step === undefined ? undefined : 100 * Math.max(0, 1 - step / ROUGH_STEP)
}

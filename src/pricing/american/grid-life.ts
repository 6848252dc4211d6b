import type { AmericanTerms } from './american-terms.ts'
import type { ImpliedForward } from './forward.ts'
import type { PremiumGrid, PremiumGrids } from './premium-grid.ts'

/** How far premiums may have moved, as a part of the strike, before a grid is made anew. */
const LARGEST_DRIFT = 2.5e-6
/** The part of the pairs' weighted spread within which a newly implied forward does not move the one that is held. */
const HELD_SPREAD = 0.25

/**
 * Whether the premiums of a grid have moved too far by the time t years are left: by no more than the larger of rate and
 * yield times the time that went by. At 4.5 % that is some eight minutes of trading.
 */
export function isStale({ terms }: PremiumGrid, t: number): boolean {
  const { rate, dividendYield } = terms
  return Math.max(Math.abs(rate), Math.abs(dividendYield)) * Math.abs(terms.t - t) > LARGEST_DRIFT
}

/** Whether grids are still right for the rate and time of an expiration and cover volatilities from `low` to `high`. */
export function servesStill(
  { put, call }: PremiumGrids,
  { t, rate }: Pick<AmericanTerms, 't' | 'rate'>,
  low: number,
  high: number
): boolean {
  return put.terms.rate === rate && put.low <= low && put.high >= high && !isStale(put, t) && !isStale(call, t)
}

/**
 * Whether the yield behind `held`, the forward at the yield of the grids at hand, is to be kept though the pairs now imply
 * another: while that lies within a quarter of their weighted spread. Forward, premiums and all that follows then share
 * one yield, and are calmer than the quotes.
 */
export function holdsForward(held: number, { forward, spread }: ImpliedForward): boolean {
  return Math.abs(forward - held) <= HELD_SPREAD * spread
}

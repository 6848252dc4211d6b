/**
 * Terms of the put with strike 1 that represents an option. Rates are continuously compounded, annual fractions. By
 * put-call symmetry, a call on S with strike K is a put on K with strike S, with rate and yield exchanged. So both
 * calls and puts of an expiration can have such terms, see `exerciseTerms`.
 */
export interface ExerciseTerms {
  /** Years to expiry. */
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
}

/**
 * Spots at which a put is worth exercising early. `below`: all those below one boundary. `never`: none, because waiting
 * earns more than the strike would. `between`: those between two boundaries, which exist if rate and yield are negative
 * and the yield is below the rate. `between` is not supported.
 */
export type Exercise = 'below' | 'never' | 'between'

/**
 * Returns the terms of the put that represents an option in questions of early exercise. For a put these are its own
 * terms; for a call, rate and yield change places.
 * Source: McDonald and Schroder (1998), A Parity Result for American Options, Journal of Computational Finance 1(3).
 */
export function exerciseTerms(isCall: boolean, { t, rate, dividendYield }: ExerciseTerms): ExerciseTerms {
  return isCall ? { t, rate: dividendYield, dividendYield: rate } : { t, rate, dividendYield }
}

/** A rate or yield below this size counts as 0: in a year it earns less than a ten-millionth of the strike. */
const NOTHING = 1e-7

/**
 * Determines from rate and yield where a put is worth exercising early.
 * Source: Andersen and Lake (2021), Fast American Option Pricing: The Double-Boundary Case, Wilmott 2021(116), 30-41.
 */
export function exerciseOf({ rate, dividendYield }: ExerciseTerms): Exercise {
  if (rate > NOTHING) return 'below'
  if (dividendYield >= Math.min(rate, -NOTHING)) return 'never'
  return rate < -NOTHING ? 'between' : 'below'
}

/** ln X, where X = min(1, r/q) is the exercise boundary, just before expiry, of a put with strike 1. */
export function logBoundaryAtExpiry({ rate, dividendYield }: ExerciseTerms): number {
  return dividendYield > rate && rate > 0 ? Math.log(rate / dividendYield) : 0
}

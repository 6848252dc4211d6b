/**
 * Terms of the put that represents an option: strike 1, rates continuously compounded, annual fractions. A call on S
 * struck at K is, by put-call symmetry, a put on K struck at S with rate and yield exchanged, so both rights of an
 * expiration have such terms, see `exerciseTerms`.
 */
export interface ExerciseTerms {
  /** Years to expiry. */
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
}

/**
 * Regions in which a put is worth exercising early. `below`: below one boundary. `never`: waiting earns more than the
 * strike would. `between`: between two boundaries, if rate and yield are negative and the yield is below the rate; not
 * supported.
 */
export type Exercise = 'below' | 'never' | 'between'

/**
 * Terms of the put that represents an option for early exercise.
 * Source: McDonald and Schroder (1998), A Parity Result for American Options, Journal of Computational Finance 1(3).
 */
export function exerciseTerms(isCall: boolean, { t, rate, dividendYield }: ExerciseTerms): ExerciseTerms {
  return isCall ? { t, rate: dividendYield, dividendYield: rate } : { t, rate, dividendYield }
}

/** A rate or yield counts as 0 if it cannot earn a ten-millionth of the strike in a year. */
const NOTHING = 1e-7

/**
 * Classifies a put by its rates.
 * Source: Andersen and Lake (2021), Fast American Option Pricing: The Double-Boundary Case, Wilmott 2021(116), 30-41.
 */
export function exerciseOf({ rate, dividendYield }: ExerciseTerms): Exercise {
  if (rate > NOTHING) return 'below'
  if (dividendYield >= Math.min(rate, -NOTHING)) return 'never'
  return rate < -NOTHING ? 'between' : 'below'
}

/** ln X, where X = min(1, r/q) is the boundary of a put with strike 1 just before expiry. */
export function logBoundaryAtExpiry({ rate, dividendYield }: ExerciseTerms): number {
  return dividendYield > rate && rate > 0 ? Math.log(rate / dividendYield) : 0
}

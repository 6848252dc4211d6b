/**
 * The terms of the put that stands for an option: strike 1, rates continuously compounded, annual fractions. A call on
 * S struck at K is, by put-call symmetry, a put on K struck at S with rate and yield exchanged, so the two rights of an
 * expiration are two such terms: see `exerciseTerms`.
 */
export interface ExerciseTerms {
  /** Years to expiry. */
  readonly t: number
  readonly rate: number
  readonly dividendYield: number
}

/**
 * When a put is worth exercising early. `below` one boundary: at once when spot is below it. `never`: waiting earns
 * more than the strike would. `between` two boundaries: both rates negative, the yield below the rate; no method here.
 */
export type Exercise = 'below' | 'never' | 'between'

/**
 * The put that an option is, for early exercise.
 * Source: McDonald and Schroder (1998), A Parity Result for American Options, Journal of Computational Finance 1(3).
 */
export function exerciseTerms(isCall: boolean, { t, rate, dividendYield }: ExerciseTerms): ExerciseTerms {
  return isCall ? { t, rate: dividendYield, dividendYield: rate } : { t, rate, dividendYield }
}

/** A rate or yield that cannot earn a ten-millionth of the strike in a year earns nothing. */
const NOTHING = 1e-7

/**
 * Source: Andersen and Lake (2021), Fast American Option Pricing: The Double-Boundary Case, Wilmott 2021(116), 30-41.
 */
export function exerciseOf({ rate, dividendYield }: ExerciseTerms): Exercise {
  if (rate > NOTHING) return 'below'
  if (dividendYield >= Math.min(rate, -NOTHING)) return 'never'
  return rate < -NOTHING ? 'between' : 'below'
}

/** ln X, where X = min(1, r/q) is the boundary of a put with strike 1 at the moment before expiry. */
export function logBoundaryAtExpiry({ rate, dividendYield }: ExerciseTerms): number {
  return dividendYield > rate && rate > 0 ? Math.log(rate / dividendYield) : 0
}

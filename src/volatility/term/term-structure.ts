import type { PricedChain } from '../../pricing/price-chain.ts'
import { tenorVolatility } from './tenor.ts'

export const termStates = ['contango', 'backwardation', 'mixed', 'unknown'] as const
export type TermState = (typeof termStates)[number]

export interface VolatilityTermStructure {
  /**
   * Slope from 7 to 30 days in percent: 100 (iv30 - iv7) / iv7. Undefined if one of the two volatilities is unknown.
   */
  readonly nearSlope: number | undefined
  /**
   * Slope from 30 to 90 days in percent: 100 (iv90 - iv30) / iv30. Undefined if one of the two volatilities is unknown.
   */
  readonly farSlope: number | undefined
  readonly state: TermState
}

/** Slopes and shape of a chain's volatility term structure. Source: the published API contract. */
export function volatilityTermStructure(chain: PricedChain): VolatilityTermStructure {
  const [week, month, quarter] = [7, 30, 90].map((days) => tenorVolatility(chain, days))
  const [nearSlope, farSlope] = [slope(week, month), slope(month, quarter)]
  return { nearSlope, farSlope, state: termState(nearSlope, farSlope) }
}

function slope(early: number | undefined, late: number | undefined): number | undefined {
  return early === undefined || late === undefined ? undefined : (100 * (late - early)) / early
}

/**
 * Shape of a term structure: contango if its slopes are positive, backwardation if they are negative, mixed otherwise.
 * Unknown without the near slope.
 */
export function termState(near: number | undefined, far: number | undefined): TermState {
  if (near === undefined) return 'unknown'
  const slopes = far === undefined ? [near] : [near, far]
  if (slopes.every((slope) => slope > 0)) return 'contango'
  return slopes.every((slope) => slope < 0) ? 'backwardation' : 'mixed'
}

import type { PricedChain } from '../../pricing/price-chain.ts'
import { tenorVolatility } from './tenor.ts'

export const termStates = ['contango', 'backwardation', 'mixed', 'unknown'] as const
export type TermState = (typeof termStates)[number]

/** How volatility at the forward changes with time to expiry. */
export interface VolatilityTermStructure {
  /** Volatility of 30 days over that of 7 days, percent of the latter. Undefined where a tenor has none. */
  readonly nearSlope: number | undefined
  /** The same of 90 days over 30 days. */
  readonly farSlope: number | undefined
  readonly state: TermState
}

/** The slopes of a chain's term structure and its shape. Source: the wire contract. */
export function volatilityTermStructure(chain: PricedChain): VolatilityTermStructure {
  const [week, month, quarter] = [7, 30, 90].map((days) => tenorVolatility(chain, days))
  const [nearSlope, farSlope] = [slope(week, month), slope(month, quarter)]
  return { nearSlope, farSlope, state: termState(nearSlope, farSlope) }
}

/** How much more the later volatility is, percent of the earlier. */
function slope(early: number | undefined, late: number | undefined): number | undefined {
  return early === undefined || late === undefined ? undefined : (100 * (late - early)) / early
}

/** The shape from the slopes of the near and the far part; without the near part it is not known. */
export function termState(near: number | undefined, far: number | undefined): TermState {
  if (near === undefined) return 'unknown'
  const slopes = far === undefined ? [near] : [near, far]
  if (slopes.every((slope) => slope > 0)) return 'contango'
  return slopes.every((slope) => slope < 0) ? 'backwardation' : 'mixed'
}

import type { AcceptedSlice } from './slice.ts'
import { totalVariance } from './svi/svi.ts'
import { fairVariance } from './variance-swap.ts'

/** A variance swap to one expiration beside its volatility at the money. */
export interface FairVolatility {
  /** Total to expiry, not annualised. */
  readonly fairVariance: number
  /** √(fairVariance / T), percent. */
  readonly fairVolatility: number
  /** At the forward, percent. */
  readonly atmVolatility: number
  /** fairVolatility - atmVolatility, vol points: what the wings add. */
  readonly convexity: number
}

/** The fair level of a variance swap on a fitted slice. Source: the wire contract. */
export function fairVolatilityOf({ t, svi }: AcceptedSlice): FairVolatility {
  const fair = fairVariance(svi)
  const [fairVolatility, atmVolatility] = [fair, totalVariance(svi, 0)].map((w) => 100 * Math.sqrt(w / t))
  return { fairVariance: fair, fairVolatility, atmVolatility, convexity: fairVolatility - atmVolatility }
}

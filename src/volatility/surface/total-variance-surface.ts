import type { AcceptedSlice } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'

export const HALF_WIDTH = 0.5
export const NODE_STEP = 0.025

/** Log-moneyness `steps` × 0.025 from the forward, as the double nearest to the decimal. */
export const moneynessAt = (steps: number) => (25 * steps) / 1000

export const surfaceMoneyness: readonly number[] = Array.from({ length: 41 }, (_, j) => moneynessAt(j - 20))

/** Fitted slices on one moneyness axis: one row per slice, one column per entry of `surfaceMoneyness`. */
export interface TotalVarianceSurface {
  readonly totalVariance: readonly (readonly number[])[]
  /** Implied volatilities in percent. */
  readonly impliedVolatility: readonly (readonly number[])[]
}

/**
 * Total variance and volatility of each slice at every moneyness; beyond the quoted strikes they are extrapolated by
 * the fit.
 */
export function totalVarianceSurface(accepted: readonly AcceptedSlice[]): TotalVarianceSurface {
  const rows = accepted.map(({ svi }) => surfaceMoneyness.map((k) => totalVariance(svi, k)))
  return {
    totalVariance: rows,
    impliedVolatility: rows.map((row, i) => row.map((w) => 100 * Math.sqrt(w / accepted[i].t)))
  }
}

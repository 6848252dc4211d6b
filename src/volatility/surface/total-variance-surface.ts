import type { AcceptedSlice } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'

export const HALF_WIDTH = 0.5
export const NODE_STEP = 0.025

/** Log-moneyness `steps` × 0.025, computed so that it is the double nearest to the decimal number. */
export const moneynessAt = (steps: number) => (25 * steps) / 1000

export const surfaceMoneyness: readonly number[] = Array.from({ length: 41 }, (_, j) => moneynessAt(j - 20))

/**
 * Total variances of the fitted smiles at equal log-moneynesses: one row per smile, one column per entry of
 * `surfaceMoneyness`.
 */
export interface TotalVarianceSurface {
  readonly totalVariance: readonly (readonly number[])[]
  /** Implied volatilities in percent. */
  readonly impliedVolatility: readonly (readonly number[])[]
}

/**
 * Total variance and volatility of each fitted smile at every moneyness of the grid. Beyond the quoted strikes they are
 * extrapolated by the fitted curve.
 */
export function totalVarianceSurface(accepted: readonly AcceptedSlice[]): TotalVarianceSurface {
  const rows = accepted.map(({ svi }) => surfaceMoneyness.map((k) => totalVariance(svi, k)))
  return {
    totalVariance: rows,
    impliedVolatility: rows.map((row, i) => row.map((w) => 100 * Math.sqrt(w / accepted[i].t)))
  }
}

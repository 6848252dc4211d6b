import type { AcceptedSlice } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'

export const HALF_WIDTH = 0.5
export const NODE_STEP = 0.025

/** So many steps of 0.025 from the forward, the double nearest to the decimal. */
export const moneynessAt = (steps: number) => (25 * steps) / 1000

/** Log-moneyness from -0.5 to 0.5 in steps of 0.025. */
export const surfaceMoneyness: readonly number[] = Array.from({ length: 41 }, (_, j) => moneynessAt(j - 20))

/** The fitted slices over one moneyness axis: a row per slice, a column per entry of `surfaceMoneyness`. */
export interface TotalVarianceSurface {
  readonly totalVariance: readonly (readonly number[])[]
  /** Percent. */
  readonly impliedVolatility: readonly (readonly number[])[]
}

/** Total variance and volatility of each slice at every moneyness. Beyond a slice's strikes it is its extrapolation. */
export function totalVarianceSurface(accepted: readonly AcceptedSlice[]): TotalVarianceSurface {
  const rows = accepted.map(({ svi }) => surfaceMoneyness.map((k) => totalVariance(svi, k)))
  return {
    totalVariance: rows,
    impliedVolatility: rows.map((row, i) => row.map((w) => 100 * Math.sqrt(w / accepted[i].t)))
  }
}

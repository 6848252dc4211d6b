import type { AcceptedSlice } from './slice.ts'
import { totalVariance } from './svi/svi.ts'

export const GRID_SIZE = 50 as const

/** A volatility surface on an even grid. */
export interface SurfaceGrid {
  /** Years, ascending. */
  readonly tenors: readonly number[]
  /** ln(K / F), -0.5 to 0.5. */
  readonly moneyness: readonly number[]
  /** Percent, by tenor and then by moneyness. */
  readonly iv: readonly (readonly number[])[]
  readonly slicesUsed: number
}

const MIN_YEARS = 1 / 365
const MAX_YEARS = 2
const HALF_WIDTH = 0.5
const MIN_IV = 1
const MAX_IV = 300

/**
 * The surface of a chain from its fitted slices, ascending: total variance linear in years between neighbours at equal k.
 *
 * Tenors run from the first slice to the last, a day and two years being the bounds; volatilities are limited to 1 to
 * 300 %. Undefined with fewer than two slices, or where none of their time lies between the bounds.
 */
export function surfaceGrid(accepted: readonly AcceptedSlice[]): SurfaceGrid | undefined {
  if (accepted.length < 2) return undefined
  const from = Math.max(MIN_YEARS, accepted[0].t)
  const to = Math.min(MAX_YEARS, accepted[accepted.length - 1].t)
  if (!(from < to)) return undefined
  const tenors = even(from, to)
  const moneyness = even(-HALF_WIDTH, HALF_WIDTH)
  const rows = accepted.map(({ svi }) => moneyness.map((k) => totalVariance(svi, k)))
  let high = 1
  const iv = tenors.map((t) => {
    while (high < accepted.length - 1 && accepted[high].t < t) high++
    const [before, after] = [accepted[high - 1].t, accepted[high].t]
    const share = (t - before) / (after - before)
    return moneyness.map((_, j) => {
      const w = rows[high - 1][j] + share * (rows[high][j] - rows[high - 1][j])
      return Math.min(MAX_IV, Math.max(MIN_IV, 100 * Math.sqrt(w / t)))
    })
  })
  return { tenors, moneyness, iv, slicesUsed: accepted.length }
}

function even(from: number, to: number): readonly number[] {
  return Array.from({ length: GRID_SIZE }, (_, n) =>
    n === GRID_SIZE - 1 ? to : from + ((to - from) * n) / (GRID_SIZE - 1)
  )
}

import { type MarketSmile, totalVarianceAt } from '../market-smile/smile-curve.ts'
import type { AcceptedSlice } from '../smile/slice.ts'
import { totalVariance } from '../svi/svi.ts'

export const GRID_SIZE = 50 as const

export interface SurfaceGrid {
  /** Times to expiry in years, ascending. */
  readonly tenors: readonly number[]
  /** Log-moneyness ln(K / F), -0.5 to 0.5. */
  readonly moneyness: readonly number[]
  /** Volatilities in percent: one row per tenor, one column per moneyness. */
  readonly iv: readonly (readonly number[])[]
  readonly slicesUsed: number
}

const MIN_YEARS = 1 / 365
const MAX_YEARS = 2
const HALF_WIDTH = 0.5
const MIN_IV = 1
const MAX_IV = 300

/**
 * Volatility surface of a chain from its fitted smiles, which must ascend by expiration. Undefined under the conditions
 * of `gridOf`.
 */
export function surfaceGrid(accepted: readonly AcceptedSlice[]): SurfaceGrid | undefined {
  return gridOf(accepted.map(({ t, svi }) => ({ t, varianceAt: (k) => totalVariance(svi, k) })))
}

/**
 * Volatility surface of a chain from its market smiles, in any order. If two expire at the same time, only one of them
 * is used.
 */
export function marketGrid(smiles: readonly MarketSmile[]): SurfaceGrid | undefined {
  const inTime = smiles.toSorted((a, b) => a.t - b.t).filter(({ t }, n, all) => n === 0 || t > all[n - 1].t)
  return gridOf(inTime.map((smile) => ({ t: smile.t, varianceAt: (k) => totalVarianceAt(smile, k) })))
}

/** The smile at one time to expiry: total variance as a function of k = ln(K / F). */
interface GridSmile {
  readonly t: number
  readonly varianceAt: (k: number) => number
}

/**
 * Volatilities on a grid of tenors and strikes. Between neighboring smiles, total variance at equal k is interpolated
 * linearly in time. Tenors range from the first smile to the last, but at least one day and at most two years.
 * Volatilities are limited to 1 to 300 %. Undefined with fewer than two smiles or if no tenor is left.
 */
function gridOf(smiles: readonly GridSmile[]): SurfaceGrid | undefined {
  if (smiles.length < 2) return undefined
  const from = Math.max(MIN_YEARS, smiles[0].t)
  const to = Math.min(MAX_YEARS, smiles[smiles.length - 1].t)
  if (!(from < to)) return undefined
  const tenors = even(from, to)
  const moneyness = even(-HALF_WIDTH, HALF_WIDTH)
  const rows = smiles.map(({ varianceAt }) => moneyness.map(varianceAt))
  let high = 1
  const iv = tenors.map((t) => {
    while (high < smiles.length - 1 && smiles[high].t < t) high++
    const [before, after] = [smiles[high - 1].t, smiles[high].t]
    const share = (t - before) / (after - before)
    return moneyness.map((_, j) => {
      const w = rows[high - 1][j] + share * (rows[high][j] - rows[high - 1][j])
      return Math.min(MAX_IV, Math.max(MIN_IV, 100 * Math.sqrt(w / t)))
    })
  })
  return { tenors, moneyness, iv, slicesUsed: smiles.length }
}

function even(from: number, to: number): readonly number[] {
  return Array.from({ length: GRID_SIZE }, (_, n) =>
    n === GRID_SIZE - 1 ? to : from + ((to - from) * n) / (GRID_SIZE - 1)
  )
}

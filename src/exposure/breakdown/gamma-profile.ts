import { netGex, type StrikeRow } from '../by-strike.ts'
import { nearer } from '../levels/key-levels.ts'

type Row = StrikeRow

/**
 * Curvature of the gamma profile at the middle one of three neighboring strikes: the second difference of net gamma, in
 * USD per 1 % move and per USD².
 */
export function gammaCurvature([low, middle, high]: readonly [Row, Row, Row]): number {
  const right = (netGex(high) - netGex(middle)) / (high.strike - middle.strike)
  const left = (netGex(middle) - netGex(low)) / (middle.strike - low.strike)
  return (2 * (right - left)) / (high.strike - low.strike)
}

/**
 * The strike at which the curvature of net gamma has the largest absolute value. Undefined with fewer than three
 * strikes, or if the profile is straight.
 */
export function inflectionStrike(rows: readonly Row[], spot: number): number | undefined {
  let best: number | undefined
  let most = 0
  for (let k = 1; k + 1 < rows.length; k++) {
    const bend = Math.abs(gammaCurvature([rows[k - 1], rows[k], rows[k + 1]]))
    const { strike } = rows[k]
    if (bend > most || (bend === most && best !== undefined && nearer(strike, best, spot))) {
      best = strike
      most = bend
    }
  }
  return best
}

/** Curvature of net gamma over the three strikes nearest to spot. Undefined with fewer than three strikes. */
export function curvatureAtSpot(rows: readonly Row[], spot: number): number | undefined {
  if (rows.length < 3) return undefined
  const nearest = rows.toSorted((a, b) => (nearer(a.strike, b.strike, spot) ? -1 : 1)).slice(0, 3)
  const [low, middle, high] = nearest.sort((a, b) => a.strike - b.strike)
  return gammaCurvature([low, middle, high])
}

export interface GammaPeak {
  readonly row: Row
  /** |net gamma| at the peak divided by the largest |net gamma| of all strikes, from 0.1 to 1. */
  readonly strength: number
}

/**
 * Peaks of the gamma profile, strongest first. A strike is a peak if its |net gamma| is not below either neighbor's and
 * is at least a tenth of the largest.
 */
export function gammaPeaks(rows: readonly Row[]): readonly GammaPeak[] {
  const sizes = rows.map((row) => Math.abs(netGex(row)))
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  if (largest === 0) return []
  return rows
    .map((row, k) => ({ row, k, strength: sizes[k] / largest }))
    .filter(({ k, strength }) => {
      const peak = sizes[k] >= (sizes[k - 1] ?? 0) && sizes[k] >= (sizes[k + 1] ?? 0)
      return peak && strength >= 0.1
    })
    .sort((a, b) => b.strength - a.strength || a.row.strike - b.row.strike)
    .map(({ row, strength }) => ({ row, strength }))
}

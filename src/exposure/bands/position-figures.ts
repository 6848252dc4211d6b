/**
 * How open interest changes during a trading session: mean and standard deviation of (present - last settled open
 * interest) / volume.
 */
export interface PositionFigures {
  readonly mean: number
  readonly deviation: number
}

/**
 * Figures measured over 996 trading sessions of 17 symbols together, in 2026. Each row applies to contracts with up to
 * `last` days to expiry. Source: the published API contract.
 */
const measured: readonly (PositionFigures & { readonly last: number })[] = [
  { last: 0, mean: 0, deviation: 0 }, // contracts that expire with the session
  { last: 1, mean: 0.11, deviation: 0.08 },
  { last: 3, mean: 0.16, deviation: 0.14 },
  { last: 7, mean: 0.3, deviation: 0.3 },
  { last: 21, mean: 0.25, deviation: 0.42 },
  { last: 60, mean: 0.26, deviation: 0.5 },
  { last: Number.POSITIVE_INFINITY, mean: 0.31, deviation: 0.64 }
]
export const MEASURED_SESSIONS = 996

/**
 * Factor by which deviations are increased for sums of contracts, because the contracts of a symbol tend to change
 * together.
 */
export const WIDENING = 2

export function positionFigures(days: number): PositionFigures {
  return measured.find(({ last }) => days <= last)!
}

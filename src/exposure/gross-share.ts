import { sumOf } from './by-strike.ts'

/** Each figure's size in percent of the sum of all sizes, in their order; 0 for each where that sum is 0. */
export function grossShares(figures: readonly number[]): readonly number[] {
  const gross = sumOf(figures, Math.abs)
  return figures.map((figure) => (gross === 0 ? 0 : (100 * Math.abs(figure)) / gross))
}

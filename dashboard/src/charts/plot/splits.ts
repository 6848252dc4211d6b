/** Distances of axis values: 1, 2, 2.5 and 5 times powers of ten. */
const ROUND = [1, 2, 2.5, 5] as const

/**
 * Round values from `min` to `max`, at most `most` of them. `distances`: those to choose from, ascending; the last one where
 * none is wide enough.
 */
export function roundSplits(min: number, max: number, most: number, distances?: readonly number[]): readonly number[] {
  const span = max - min
  if (!(span > 0) || !Number.isFinite(span)) return []
  const least = span / Math.max(1, most)
  const step =
    distances === undefined ? roundAbove(least) : (distances.find((each) => each >= least) ?? distances.at(-1)!)
  const first = Math.ceil(min / step - 1e-9)
  const count = Math.floor(max / step + 1e-9) - first + 1
  // Twelve digits are exact for all steps, and hide the error of a sum of fractions.
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

function roundAbove(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const unit = ROUND.find((each) => each * power >= least * (1 - 1e-9)) ?? 10
  return unit * power
}

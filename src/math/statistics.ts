/** Arithmetic mean; undefined for an empty list. */
export function mean(values: ArrayLike<number>): number | undefined {
  if (values.length === 0) return undefined
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum / values.length
}

/** The middle value, or the mean of the two middle ones; undefined for an empty list. */
export function median(values: ArrayLike<number>): number | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** Standard deviation of a sample, with n - 1 in the denominator; undefined for fewer than two values. */
export function sampleStandardDeviation(values: ArrayLike<number>): number | undefined {
  if (values.length < 2) return undefined
  const centre = mean(values)!
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (values[i] - centre) ** 2
  return Math.sqrt(squares / (values.length - 1))
}

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

/**
 * The value with half of the weight on either side: the smallest whose weight and that of all smaller ones reach half, or
 * its mean with the next where they meet it exactly. Equal weights give the median. Undefined for an empty list.
 */
export function weightedMedian(values: ArrayLike<number>, weights: ArrayLike<number>): number | undefined {
  if (values.length === 0) return undefined
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b])
  let half = 0
  for (const i of order) half += weights[i] / 2
  let below = 0
  for (const [at, i] of order.entries()) {
    below += weights[i]
    if (below > half * (1 + EQUAL)) return values[i]
    if (below >= half * (1 - EQUAL) && at + 1 < order.length) return (values[i] + values[order[at + 1]]) / 2
  }
  return values[order[order.length - 1]]
}

/** What sums of weights may differ by through rounding alone. */
const EQUAL = 1e-12

/** Standard deviation of a sample, with n - 1 in the denominator; undefined for fewer than two values. */
export function sampleStandardDeviation(values: ArrayLike<number>): number | undefined {
  if (values.length < 2) return undefined
  const centre = mean(values)!
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (values[i] - centre) ** 2
  return Math.sqrt(squares / (values.length - 1))
}

/**
 * Normal equations of a least-squares problem in which each row involves four neighboring unknowns. Entry (i, i + d) of
 * the matrix is `band[4 i + d]`. The memory is allocated once, large enough for every expiration, and reused by all
 * fits.
 */
export interface BandEquations {
  readonly band: Float64Array
  readonly right: Float64Array
}

export function emptyBandEquations(size: number): BandEquations {
  return { band: new Float64Array(4 * size), right: new Float64Array(size) }
}

/**
 * Adds one row to the equations: the term `weight` × (row · unknowns - `target`)². The four entries of the row begin at
 * `offset`; `at` is the index of its first unknown.
 */
export function addRow(
  { band, right }: BandEquations,
  at: number,
  row: Float64Array,
  offset: number,
  weight: number,
  target: number
): void {
  const b0 = row[offset]
  const b1 = row[offset + 1]
  const b2 = row[offset + 2]
  const b3 = row[offset + 3]
  const p = 4 * at
  const w0 = weight * b0
  const w1 = weight * b1
  const w2 = weight * b2
  const w3 = weight * b3
  band[p] += w0 * b0
  band[p + 1] += w0 * b1
  band[p + 2] += w0 * b2
  band[p + 3] += w0 * b3
  band[p + 4] += w1 * b1
  band[p + 5] += w1 * b2
  band[p + 6] += w1 * b3
  band[p + 8] += w2 * b2
  band[p + 9] += w2 * b3
  band[p + 12] += w3 * b3
  right[at] += w0 * target
  right[at + 1] += w1 * target
  right[at + 2] += w2 * target
  right[at + 3] += w3 * target
}

/** Product of a row with the four unknowns that it involves. */
export function rowTimes(row: Float64Array, offset: number, unknowns: Float64Array, at: number): number {
  return (
    row[offset] * unknowns[at] +
    row[offset + 1] * unknowns[at + 1] +
    row[offset + 2] * unknowns[at + 2] +
    row[offset + 3] * unknowns[at + 3]
  )
}

/**
 * Solves the equations by Cholesky's method within the band, which overwrites them, and writes the first `size`
 * unknowns to `out`. Returns false if the matrix is not positive definite.
 * Source: Golub and Van Loan, Matrix Computations, 4th ed. (2013), 4.3.5.
 */
export function solve({ band, right }: BandEquations, size: number, out: Float64Array): boolean {
  for (let i = 0; i < size; i++) {
    const p = 4 * i
    const pivot = band[p]
    if (!(pivot > 0)) return false
    const perPivot = 1 / pivot
    const rest = Math.min(3, size - 1 - i)
    for (let d = 1; d <= rest; d++) {
      const share = band[p + d] * perPivot
      for (let e = d; e <= rest; e++) band[p + 4 * d + e - d] -= share * band[p + e]
      right[i + d] -= share * right[i]
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    const p = 4 * i
    let sum = right[i]
    for (let d = Math.min(3, size - 1 - i); d >= 1; d--) sum -= band[p + d] * out[i + d]
    out[i] = sum / band[p]
  }
  return true
}

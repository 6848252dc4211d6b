import { gaussian } from './random.ts'

/**
 * Root of a covariance matrix V: the lower triangle L with V = L Lᵀ. Both are stored row by row in one array. Rounding
 * may leave a variance that should be 0 slightly below it; it is then taken as 0.
 * Source: Golub and Van Loan, Matrix Computations, 4th ed. (2013), 4.2, Cholesky.
 */
export function covarianceRoot(covariance: Float64Array, size: number): Float64Array {
  const root = new Float64Array(size * size)
  let largest = 0
  for (let i = 0; i < size; i++) largest = Math.max(largest, covariance[i * size + i])
  for (let j = 0; j < size; j++) {
    let pivot = covariance[j * size + j]
    for (let k = 0; k < j; k++) pivot -= root[j * size + k] ** 2
    if (!(pivot > NEGLIGIBLE * largest)) continue
    const diagonal = Math.sqrt(pivot)
    root[j * size + j] = diagonal
    for (let i = j + 1; i < size; i++) {
      let left = covariance[i * size + j]
      for (let k = 0; k < j; k++) left -= root[i * size + k] * root[j * size + k]
      root[i * size + j] = left / diagonal
    }
  }
  return root
}

/** A variance below this share of the largest variance counts as 0, since it may be a rounding error. */
const NEGLIGIBLE = 1e-12

/**
 * Makes random draw number `draw` of jointly normal variables from their means and the root of their covariance (see
 * `covarianceRoot`). Equal `key` and `draw` give equal numbers.
 */
export function normalDraw(mean: Float64Array, root: Float64Array, key: number, draw: number): Float64Array {
  const size = mean.length
  const z = new Float64Array(size)
  for (let k = 0; k < size; k++) z[k] = gaussian(key, draw, k)
  const drawn = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    let sum = mean[i]
    for (let k = 0; k <= i; k++) sum += root[i * size + k] * z[k]
    drawn[i] = sum
  }
  return drawn
}

/**
 * A column counts as a combination of earlier columns if its part that they do not explain is below this share of its
 * length.
 */
const DEPENDENT = 1e-10

/**
 * Ordinary least squares: finds the weights for which the weighted sum of the columns is nearest to the target.
 * Undefined if there are fewer rows than columns, or if a column is a combination of the others.
 * Method: Householder reflections, which keep twice as many digits as the normal equations. Source: Golub and Van Loan,
 * Matrix Computations, 4th ed. (2013), 5.2.2 and 5.3.2.
 */
export function leastSquares(
  columns: readonly ArrayLike<number>[],
  target: ArrayLike<number>
): Float64Array | undefined {
  const rows = target.length
  const size = columns.length
  if (rows < size) return undefined
  const a = columns.map((column) => Float64Array.from(column))
  const b = Float64Array.from(target)
  const diagonal = new Float64Array(size)
  for (let k = 0; k < size; k++) {
    const length = norm(a[k], 0)
    const rest = norm(a[k], k)
    if (!(rest > DEPENDENT * length)) return undefined
    diagonal[k] = a[k][k] > 0 ? -rest : rest
    a[k][k] -= diagonal[k]
    for (let j = k + 1; j < size; j++) reflect(a[k], a[j], k)
    reflect(a[k], b, k)
  }
  const weights = new Float64Array(size)
  for (let k = size - 1; k >= 0; k--) {
    let value = b[k]
    for (let j = k + 1; j < size; j++) value -= a[j][k] * weights[j]
    weights[k] = value / diagonal[k]
  }
  return weights.every(Number.isFinite) ? weights : undefined
}

function norm(column: Float64Array, start: number): number {
  let squares = 0
  for (let i = start; i < column.length; i++) squares += column[i] * column[i]
  return Math.sqrt(squares)
}

function reflect(mirror: Float64Array, column: Float64Array, start: number): void {
  let [along, squares] = [0, 0]
  for (let i = start; i < column.length; i++) {
    along += mirror[i] * column[i]
    squares += mirror[i] * mirror[i]
  }
  const twice = (2 * along) / squares
  for (let i = start; i < column.length; i++) column[i] -= twice * mirror[i]
}

/** The n + 1 Chebyshev-Lobatto points between 0 and 1, in ascending order. They include 0 and 1. */
export function lobattoPoints(n: number): Float64Array {
  return Float64Array.from({ length: n + 1 }, (_, k) => Math.sin((Math.PI * k) / (2 * n)) ** 2)
}

/**
 * Weights with which n + 1 values at the Lobatto points are summed to interpolate at `z`, from 0 to 1. The sum is the
 * value at `z` of the polynomial through all of them.
 * Source: Berrut and Trefethen (2004), Barycentric Lagrange Interpolation, SIAM Review 46(3), 501-517.
 */
export function interpolationRow(n: number, z: number): Float64Array {
  const points = lobattoPoints(n)
  const row = new Float64Array(n + 1)
  const at = points.indexOf(z)
  if (at !== -1) {
    row[at] = 1
    return row
  }
  let sum = 0
  for (let k = 0; k <= n; k++) {
    const end = k === 0 || k === n ? 0.5 : 1
    row[k] = (k % 2 === 0 ? end : -end) / (z - points[k])
    sum += row[k]
  }
  return row.map((weight) => weight / sum)
}

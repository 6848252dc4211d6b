/** Points and weights for numerical integration: the integral of f is the sum of weight times f(point). */
export interface Quadrature {
  readonly points: Float64Array
  readonly weights: Float64Array
}

/**
 * Points and weights of Gauss-Legendre integration from `lo` to `hi`. There are `count` points, in ascending order. The
 * result is exact for polynomials up to degree 2 count - 1.
 * Source: Abramowitz and Stegun, 25.4.29; the points by Newton's method on the Legendre polynomial.
 */
export function gaussLegendre(count: number, lo: number, hi: number): Quadrature {
  const points = new Float64Array(count)
  const weights = new Float64Array(count)
  const half = (hi - lo) / 2
  for (let k = 0; k < count; k++) {
    let x = -Math.cos((Math.PI * (k + 0.75)) / (count + 0.5))
    let slope = 1
    for (let round = 0; round < 100; round++) {
      let [before, here] = [1, x]
      for (let n = 2; n <= count; n++) [before, here] = [here, ((2 * n - 1) * x * here - (n - 1) * before) / n]
      slope = (count * (x * here - before)) / (x * x - 1)
      const step = here / slope
      x -= step
      if (Math.abs(step) < 1e-15) break
    }
    points[k] = lo + half * (1 + x)
    weights[k] = (2 * half) / ((1 - x * x) * slope * slope)
  }
  return { points, weights }
}

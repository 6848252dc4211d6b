/**
 * Computes the cubic spline through `values`, which lie at x = 0, 1, ..., n - 1, as weights of n + 2 B-splines. The
 * weight of the B-spline centered at x = i has index i + 1. At each end the spline has the second derivative of the
 * cubic through the four outermost values, so the error for a smooth function falls with the fourth power of the
 * spacing everywhere. Needs at least four values.
 * Source: de Boor, A Practical Guide to Splines, rev. ed. (2001), ch. IV and IX.
 */
export function splineWeights(values: ArrayLike<number>): Float64Array {
  const n = values.length
  const curve = (at: number, by: number) =>
    2 * values[at] - 5 * values[at + by] + 4 * values[at + 2 * by] - values[at + 3 * by]
  const first = curve(0, 1)
  const last = curve(n - 1, -1)
  const weights = new Float64Array(n + 2)
  weights[1] = values[0] - first / 6
  weights[n] = values[n - 1] - last / 6
  // Inside, weights[i - 1] + 4 weights[i] + weights[i + 1] = 6 values[i - 1].
  const pivot = new Float64Array(n)
  pivot[2] = 4
  weights[2] = 6 * values[1] - weights[1]
  for (let i = 3; i < n; i++) {
    pivot[i] = 4 - 1 / pivot[i - 1]
    weights[i] = 6 * values[i - 1] - weights[i - 1] / pivot[i - 1]
  }
  for (let i = n - 1; i > 1; i--) weights[i] = (weights[i] - weights[i + 1]) / pivot[i]
  weights[0] = 2 * weights[1] - weights[2] + first
  weights[n + 1] = 2 * weights[n] - weights[n - 1] + last
  return weights
}

/**
 * Evaluates the four B-splines that are not zero between two neighboring places, a share `u` (0 to 1) of the way from
 * one to the other. Fills `basis` with 16 numbers: their four values, then their four first, second and third
 * derivatives.
 */
export function splineBasis(u: number, basis: Float64Array): void {
  const rest = 1 - u
  basis[0] = (rest * rest * rest) / 6
  basis[1] = (4 - 6 * u * u + 3 * u * u * u) / 6
  basis[2] = (4 - 6 * rest * rest + 3 * rest * rest * rest) / 6
  basis[3] = (u * u * u) / 6
  basis[4] = (-rest * rest) / 2
  basis[5] = (u * (3 * u - 4)) / 2
  basis[6] = (rest * (4 - 3 * rest)) / 2
  basis[7] = (u * u) / 2
  basis[8] = rest
  basis[9] = 3 * u - 2
  basis[10] = 3 * rest - 2
  basis[11] = u
  basis[12] = -1
  basis[13] = 3
  basis[14] = -3
  basis[15] = 1
}

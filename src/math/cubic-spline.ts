/**
 * Cubic spline through values at whole places 0 to n - 1, as n + 2 weights of B-splines; the weight of place i is at i
 * + 1. At each end the second derivative is that of the cubic through the outermost four values, so smooth functions
 * are met to the fourth power of the spacing everywhere. Needs at least four values.
 *  Source: de Boor, A Practical Guide to Splines, rev. ed. (2001), ch. IV and IX.
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
 * Fills `basis` with the four B-splines at a share `u` of the way between two places, followed by their first, second
 * and third derivatives: 4 values each.
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

// One grid of knots for every listing of every symbol, in deviations z = k / s: 0.2 apart at the money and ever wider
// further out, where quotes are few.
//
//     z_j = α sinh(j Δ / α)

/** α: distance from the money, in deviations, at which the knots begin to spread. */
export const SPREADING = 2.5
/** Δ: distance between knots at the money, in deviations. */
export const STEP = 0.2
/** Intervals on each side of the money; they end beyond 2,700 deviations. */
const SIDE = 96
export const INTERVALS = 2 * SIDE

/** Knot j in deviations, for j from 0 to `INTERVALS` and by the same formula beyond. */
function knotAt(j: number): number {
  return SPREADING * Math.sinh(((j - SIDE) * STEP) / SPREADING)
}

export const knots = Float64Array.from({ length: INTERVALS + 2 }, (_, j) => knotAt(j))

/** Index of the interval that contains z, clamped to the grid. */
export function intervalOf(z: number): number {
  const i = Math.floor((SPREADING * Math.asinh(z / SPREADING)) / STEP) + SIDE
  return Math.min(INTERVALS - 1, Math.max(0, i))
}

/** Distance between knots around z, divided by the distance at the money. */
export function stretch(z: number): number {
  return Math.sqrt(1 + (z / SPREADING) ** 2)
}

/**
 * Cubic B-splines of the grid as polynomials. For each interval i there are four splines that are not zero, in order of
 * their first knot; each has four coefficients (ascending powers of z - z_i). One more interval provides the last knot.
 * Method: the recursion of de Boor (1978), A Practical Guide to Splines, chapter IX, on polynomials.
 */
export const pieces = Float64Array.from({ length: INTERVALS + 1 }, (_, i) => i).reduce(
  (all, i) => {
    all.set(piecesOf(i), 16 * i)
    return all
  },
  new Float64Array(16 * (INTERVALS + 1))
)

function piecesOf(i: number): readonly number[] {
  const left = knotAt(i)
  let splines: readonly (readonly number[])[] = [[1]]
  for (let degree = 1; degree <= 3; degree++) {
    const next = Array.from({ length: degree + 1 }, () => new Array<number>(degree + 1).fill(0))
    splines.forEach((spline, n) => {
      // The spline of one degree less that begins at knot i - degree + 1 + n enters with a rising and a falling part.
      const begin = knotAt(i - degree + 1 + n)
      const end = knotAt(i + 1 + n)
      const per = 1 / (end - begin)
      spline.forEach((a, power) => {
        next[n + 1][power] += a * (left - begin) * per
        next[n + 1][power + 1] += a * per
        next[n][power] += a * (end - left) * per
        next[n][power + 1] -= a * per
      })
    })
    splines = next
  }
  return splines.flat()
}

/** Writes the values of the four splines of interval i at z to `out` from `offset`. */
export function fillSplines(i: number, z: number, out: Float64Array, offset: number): void {
  const x = z - knots[i]
  for (let r = 0; r < 4; r++) {
    const at = 16 * i + 4 * r
    out[offset + r] = pieces[at] + x * (pieces[at + 1] + x * (pieces[at + 2] + x * pieces[at + 3]))
  }
}

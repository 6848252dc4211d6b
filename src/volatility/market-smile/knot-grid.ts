// One grid of knots for every listing of every symbol, in deviations z = k / s: 0.2 apart at the money and ever wider
// further out, where quotes are few.
//
//     z_j = α sinh(j Δ / α)

/** α: the distance from the money, in standard deviations, at which the knots begin to move further apart. */
export const SPREADING = 2.5
/** Δ: the distance between knots at the money, in standard deviations. */
export const STEP = 0.2
/**
 * Number of intervals on each side of the money. The outermost knots are more than 2,700 standard deviations from the
 * money.
 */
const SIDE = 96
export const INTERVALS = 2 * SIDE

/**
 * Position of knot `j` in standard deviations, for j from 0 to `INTERVALS`. The formula also holds outside this range.
 */
function knotAt(j: number): number {
  return SPREADING * Math.sinh(((j - SIDE) * STEP) / SPREADING)
}

export const knots = Float64Array.from({ length: INTERVALS + 2 }, (_, j) => knotAt(j))

/** Index of the interval that contains z. Outside the grid, the nearest interval. */
export function intervalOf(z: number): number {
  const i = Math.floor((SPREADING * Math.asinh(z / SPREADING)) / STEP) + SIDE
  return Math.min(INTERVALS - 1, Math.max(0, i))
}

/** Distance between the knots around z, as a multiple of the distance at the money. */
export function stretch(z: number): number {
  return Math.sqrt(1 + (z / SPREADING) ** 2)
}

/**
 * Cubic B-splines of the grid, stored as polynomials. On each interval i, four splines are not zero; they are in the
 * order of their first knots. Each has four coefficients of ascending powers of z - z_i. One additional interval
 * provides values at the last knot.
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

/** Writes the values at z of the four splines of interval i to `out`, beginning at index `offset`. */
export function fillSplines(i: number, z: number, out: Float64Array, offset: number): void {
  const x = z - knots[i]
  for (let r = 0; r < 4; r++) {
    const at = 16 * i + 4 * r
    out[offset + r] = pieces[at] + x * (pieces[at + 1] + x * (pieces[at + 2] + x * pieces[at + 3]))
  }
}

import { type Svi, sviBounds } from './svi.ts'

// Five coordinates in which the constraints of a slice become bounds. v is the slice's least variance, m and ln σ are
// its parameters, and with x = k - m and R = √(x² + σ²)
//
//     w = v + r² (R + x)/2 + l² (R - x)/2 - σ l r
//
// where l and r are the roots of the wing slopes b (1 - ρ) and b (1 + ρ). |ρ| <= 0.999 means that neither root falls
// below a certain fraction of the other: l = λ + share μ and r = μ + share λ with λ and μ not negative. λ and μ are the
// remaining two coordinates.

export const SIZE = 5
export const [V, L, R, M, S] = [0, 1, 2, 3, 4]

const { steepestRho, smallestSigma, steepestWing } = sviBounds
/** The smaller of the two roots l and r is at least this share of the other. */
export const MIN_SHARE = Math.sqrt((1 - steepestRho) / (1 + steepestRho))
const MAX_WING_ROOT = Math.sqrt(steepestWing)

export interface CoordinateBounds {
  readonly lowest: Float64Array
  readonly highest: Float64Array
}

/** Bounds of the coordinates, for a slice whose m lies between `from` and `to` and whose σ is at most `widest`. */
export function boundsBetween(from: number, to: number, widest: number): CoordinateBounds {
  return {
    lowest: Float64Array.of(1e-12, 0, 0, from, Math.log(smallestSigma)),
    highest: Float64Array.of(10, MAX_WING_ROOT, MAX_WING_ROOT, to, Math.log(widest))
  }
}

export function bring(at: Float64Array, { lowest, highest }: CoordinateBounds): void {
  for (let j = 0; j < SIZE; j++) at[j] = at[j] < lowest[j] ? lowest[j] : at[j] > highest[j] ? highest[j] : at[j]
  const steeper = Math.max(at[L], at[R]) + MIN_SHARE * Math.min(at[L], at[R])
  if (steeper <= MAX_WING_ROOT) return
  at[L] *= MAX_WING_ROOT / steeper
  at[R] *= MAX_WING_ROOT / steeper
}

/** Converts a slice to coordinates, limited to the bounds. */
export function coordinatesOf({ a, b, rho, m, sigma }: Svi, bounds: CoordinateBounds): Float64Array {
  const at = new Float64Array(SIZE)
  at[V] = a + b * sigma * Math.sqrt(Math.max(0, 1 - rho * rho))
  const l = Math.sqrt(Math.max(0, b * (1 - rho)))
  const r = Math.sqrt(Math.max(0, b * (1 + rho)))
  at[L] = (l - MIN_SHARE * r) / (1 - MIN_SHARE * MIN_SHARE)
  at[R] = (r - MIN_SHARE * l) / (1 - MIN_SHARE * MIN_SHARE)
  at[M] = m
  at[S] = Math.log(sigma)
  bring(at, bounds)
  return at
}

export function sviAt(at: Float64Array): Svi {
  const sigma = Math.exp(at[S])
  const l = at[L] + MIN_SHARE * at[R]
  const r = at[R] + MIN_SHARE * at[L]
  const b = (r * r + l * l) / 2
  return { a: at[V] - sigma * l * r, b, rho: b === 0 ? 0 : (r * r - l * l) / (2 * b), m: at[M], sigma }
}

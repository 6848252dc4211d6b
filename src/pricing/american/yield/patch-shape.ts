import { interpolationRow, lobattoPoints } from '../../../math/chebyshev.ts'
import { solveLinear } from '../../../math/linear-system.ts'
import type { BoundaryShape } from './boundary-tables.ts'

export interface PatchShape {
  readonly boundary: BoundaryShape
  /** Degrees of the polynomials through the computed premiums, over the width and over volatility. */
  readonly spotDegree: number
  readonly sigmaDegree: number
  readonly spotPatches: number
  readonly sigmaPatches: number
}

/**
 * Coefficients of a patch: degree six over the width, because charm takes a third derivative, and five over volatility.
 */
export const SPOT_TERMS = 7
export const SIGMA_TERMS = 6
export const PATCH_TERMS = SPOT_TERMS * SIGMA_TERMS

const SHORT_DATED: PatchShape = {
  boundary: { points: 6, inner: 6, outer: 16 },
  spotDegree: 20,
  sigmaDegree: 12,
  spotPatches: 6,
  sigmaPatches: 4
}
const LONG_DATED: PatchShape = {
  boundary: { points: 8, inner: 8, outer: 24 },
  spotDegree: 24,
  sigmaDegree: 16,
  spotPatches: 8,
  sigmaPatches: 4
}
const WIDE: PatchShape = {
  boundary: { points: 8, inner: 8, outer: 32 },
  spotDegree: 28,
  sigmaDegree: 20,
  spotPatches: 10,
  sigmaPatches: 6
}
/**
 * Coarse and quick, for computing an implied forward. Error 4e-6 of the strike over volatilities of 1 : 5, 1e-4 over
 * those of 1 : 30.
 */
const FOR_FORWARDS: PatchShape = {
  boundary: { points: 5, inner: 5, outer: 12 },
  spotDegree: 12,
  sigmaDegree: 8,
  spotPatches: 4,
  sigmaPatches: 2
}
export const patchShapes = { SHORT_DATED, LONG_DATED, WIDE, FOR_FORWARDS }

const SHORT_YEARS = 30 / 365
/** Volatilities further apart than this ratio need the wide shape to stay within 1e-5 of the strike. */
const NARROW_RATIO = 17

export function patchShape(t: number, low: number, high: number): PatchShape {
  if (high > NARROW_RATIO * low) return WIDE
  return t <= SHORT_YEARS ? SHORT_DATED : LONG_DATED
}

/**
 * Lobatto points, and the matrices from values there to coefficients of the patches, patch by patch, power by power.
 */
export interface PatchMatrices {
  readonly spotPoints: Float64Array
  readonly sigmaPoints: Float64Array
  readonly spot: Float64Array
  readonly sigma: Float64Array
}

const made = new Map<PatchShape, PatchMatrices>()

export function patchMatrices(shape: PatchShape): PatchMatrices {
  const matrices = made.get(shape) ?? {
    spotPoints: lobattoPoints(shape.spotDegree),
    sigmaPoints: lobattoPoints(shape.sigmaDegree),
    spot: patchMatrix(shape.spotDegree, shape.spotPatches, SPOT_TERMS),
    sigma: patchMatrix(shape.sigmaDegree, shape.sigmaPatches, SIGMA_TERMS)
  }
  made.set(shape, matrices)
  return matrices
}

/**
 * Matrix from degree + 1 values at Lobatto points of [0, 1] to the coefficients of `patches` polynomials in a variable
 * from -1/2 to 1/2 across each. They interpolate the large polynomial at the Lobatto points of the patch, ends
 * included, so that neighbors meet.
 */
function patchMatrix(degree: number, patches: number, terms: number): Float64Array {
  const width = degree + 1
  const out = new Float64Array(patches * terms * width)
  const local = lobattoPoints(terms - 1)
  for (let patch = 0; patch < patches; patch++) {
    const rows = Array.from(local, (point) => interpolationRow(degree, (patch + point) / patches))
    for (let column = 0; column < width; column++) {
      const powers = Float64Array.from(
        { length: terms * terms },
        (_, at) => (local[Math.trunc(at / terms)] - 0.5) ** (at % terms)
      )
      const coefficients = Float64Array.from(rows, (row) => row[column])
      solveLinear(powers, coefficients, terms)
      for (let power = 0; power < terms; power++) out[(patch * terms + power) * width + column] = coefficients[power]
    }
  }
  return out
}

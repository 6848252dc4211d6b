import { interpolationRow, lobattoPoints } from '../../../math/chebyshev.ts'
import { solveLinear } from '../../../math/linear-system.ts'
import type { BoundaryShape } from './boundary-tables.ts'

export interface PatchShape {
  readonly boundary: BoundaryShape
  /** Degrees of the polynomials through the computed premiums, over spot (`spotDegree`) and over volatility. */
  readonly spotDegree: number
  readonly sigmaDegree: number
  readonly spotPatches: number
  readonly sigmaPatches: number
}

/**
 * Number of coefficients of a patch in each variable. Over spot its degree is six, because charm takes a third
 * derivative; over volatility it is five.
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
 * Coarse and quick shape that serves only to compute implied forwards. Its error is 4e-6 of the strike if the highest
 * volatility is 5 times the lowest, and 1e-4 if it is 30 times the lowest.
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
/**
 * If the highest volatility of a table exceeds this multiple of the lowest, only the shape `WIDE` keeps the error below
 * 1e-5 of the strike.
 */
const NARROW_RATIO = 17

export function patchShape(t: number, low: number, high: number): PatchShape {
  if (high > NARROW_RATIO * low) return WIDE
  return t <= SHORT_YEARS ? SHORT_DATED : LONG_DATED
}

/**
 * Lobatto points over spot and volatility, and the matrices that turn values at these points into coefficients of the
 * patches. A matrix has one row for each power of each patch in turn.
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
 * Matrix that turns values at the Lobatto points of [0, 1], of which there are degree + 1, into coefficients of
 * `patches` polynomials. Each polynomial covers one patch, with a variable from -1/2 to 1/2. At the Lobatto points of
 * its patch it equals the polynomial through all values. These points include both ends of the patch, so neighboring
 * patches meet.
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

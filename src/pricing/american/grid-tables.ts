import { type GridShape, gridMatrices, PATCH_TERMS, SIGMA_TERMS, SPOT_TERMS } from './grid-shape.ts'
import { type PremiumIntegral, premiumAt } from './premium.ts'

/** ln B and L by volatility, and the premiums at the Lobatto points, row by row of volatility. */
export interface GridSamples {
  readonly boundary: Float64Array
  readonly width: Float64Array
  readonly premium: Float64Array
}

/** The same as coefficients of patches, see `PremiumGrid`. */
export type GridTables = GridSamples

/** Fills a row of `out` with the premiums at `logSpots`. */
export function plainPremiums(integral: PremiumIntegral, logSpots: Float64Array, row: number, out: Float64Array): void {
  const from = row * logSpots.length
  for (let k = 0; k < logSpots.length; k++) out[from + k] = premiumAt(integral, logSpots[k])
}

/** The coefficients of the patches that samples are cut into. */
export function plainPatches({ boundary, width, premium }: GridSamples, shape: GridShape): GridTables {
  const { spot, sigma } = gridMatrices(shape)
  return {
    boundary: product(sigma, boundary),
    width: product(sigma, width),
    premium: patchPremiums(premium, spot, sigma, shape)
  }
}

function patchPremiums(samples: Float64Array, spot: Float64Array, sigma: Float64Array, shape: GridShape): Float64Array {
  const { spotDegree, sigmaDegree, spotPatches, sigmaPatches } = shape
  const spotRows = spotPatches * SPOT_TERMS
  const overSpot = new Float64Array(spotRows * (sigmaDegree + 1))
  fillProducts(spot, samples, spotDegree + 1, overSpot)
  const out = new Float64Array(sigmaPatches * spotPatches * PATCH_TERMS)
  const patchRows = SIGMA_TERMS * (sigmaDegree + 1)
  for (let patch = 0; patch < sigmaPatches; patch++) {
    const rows = sigma.subarray(patch * patchRows, (patch + 1) * patchRows)
    const premiums = out.subarray(patch * spotPatches * PATCH_TERMS, (patch + 1) * spotPatches * PATCH_TERMS)
    fillProducts(overSpot, rows, sigmaDegree + 1, premiums)
  }
  return out
}

/** A matrix times a vector. */
function product(matrix: Float64Array, vector: Float64Array): Float64Array {
  const out = new Float64Array(matrix.length / vector.length)
  fillProducts(matrix, vector, vector.length, out)
  return out
}

/**
 * The products of each row of `a` with each row of `b`, all of `size` numbers, one row of `a` after another. Rows of `a`,
 * an even number of them, go in pairs: one sum alone would wait for every addition of its own.
 */
function fillProducts(a: Float64Array, b: Float64Array, size: number, out: Float64Array): void {
  const columns = b.length / size
  for (let row = 0; row * size < a.length; row += 2) {
    const first = row * size
    const second = first + size
    for (let column = 0; column < columns; column++) {
      const from = column * size
      let one = 0
      let other = 0
      for (let k = 0; k < size; k++) {
        const factor = b[from + k]
        one += a[first + k] * factor
        other += a[second + k] * factor
      }
      out[row * columns + column] = one
      out[(row + 1) * columns + column] = other
    }
  }
}

import { type GridShape, gridMatrices, SIGMA_TERMS, SPOT_TERMS } from '../grid-shape.ts'
import type { GridSamples, GridTables } from '../grid-tables.ts'
import type { PremiumIntegral } from '../premium.ts'
import { type GridKernels, gridKernels } from './grid-kernels.ts'

/** Whether there is room for a shape. */
export function isRoomFor({ boundary, spotDegree, sigmaDegree, spotPatches, sigmaPatches }: GridShape): boolean {
  const { most } = gridKernels()
  return (
    boundary.outer <= most.MOST_OUTER &&
    spotDegree < most.MOST_SPOTS &&
    sigmaDegree < most.MOST_SIGMAS &&
    spotPatches % 2 === 0 &&
    spotPatches * SPOT_TERMS <= most.MOST_SPOT_ROWS &&
    sigmaPatches * SIGMA_TERMS <= most.MOST_SIGMA_ROWS
  )
}

/** `plainPremiums` in WebAssembly. */
export function quickPremiums(integral: PremiumIntegral, logSpots: Float64Array, row: number, out: Float64Array): void {
  const kernels = gridKernels()
  const { columns } = kernels
  const count = logSpots.length
  const outer = integral.total.length
  columns.total.set(integral.total)
  columns.perTotal.set(integral.perTotal)
  columns.offset.set(integral.offset)
  columns.interest.set(integral.interest)
  columns.dividend.set(integral.dividend)
  for (let k = 0; k < count; k++) {
    columns.logSpots[k] = logSpots[k]
    columns.spots[k] = Math.exp(logSpots[k])
  }
  kernels.fillPremiums(row, count, outer)
  for (let at = row * count; at < (row + 1) * count; at++) out[at] = columns.samples[at]
}

/** The shape whose matrices the memory holds. */
let loaded: GridShape | undefined

/** `plainPatches` in WebAssembly. */
export function quickPatches({ boundary, width, premium }: GridSamples, shape: GridShape): GridTables {
  const kernels = gridKernels()
  const { columns } = kernels
  const { spotDegree, spotPatches, sigmaPatches } = shape
  const sigmas = boundary.length
  const spotRows = spotPatches * SPOT_TERMS
  if (loaded !== shape) loadMatrices(kernels, shape)
  columns.samples.set(premium)
  columns.overSpot.set(boundary, spotRows * sigmas)
  columns.overSpot.set(width, (spotRows + 1) * sigmas)
  kernels.fillOverSpot(spotRows, spotDegree + 1, sigmas)
  const sigmaRows = sigmaPatches * SIGMA_TERMS
  kernels.fillPatches(0, spotRows, sigmas, sigmaRows)
  const out = {
    boundary: new Float64Array(sigmaRows),
    width: new Float64Array(sigmaRows),
    premium: columns.patches.slice(0, sigmaRows * spotRows)
  }
  kernels.fillPatches(spotRows, 2, sigmas, sigmaRows)
  for (let k = 0; k < sigmaRows; k++) {
    // The two rows of a patch follow each other.
    const at = k + SIGMA_TERMS * Math.trunc(k / SIGMA_TERMS)
    out.boundary[k] = columns.patches[at]
    out.width[k] = columns.patches[at + SIGMA_TERMS]
  }
  return out
}

function loadMatrices({ columns }: GridKernels, shape: GridShape): void {
  const { spot, sigma } = gridMatrices(shape)
  turn(spot, shape.spotDegree + 1, columns.spotMatrix)
  turn(sigma, shape.sigmaDegree + 1, columns.sigmaMatrix)
  loaded = shape
}

/** A matrix of `width` columns, columns after each other. */
function turn(matrix: Float64Array, width: number, out: Float64Array): void {
  const height = matrix.length / width
  for (let row = 0; row < height; row++) {
    for (let k = 0; k < width; k++) out[k * height + row] = matrix[row * width + k]
  }
}

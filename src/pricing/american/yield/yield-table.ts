import type { PremiumTables } from '../premium-table.ts'
import { type PremiumKernels, premiumKernels } from '../simd/premium-kernels.ts'
import { boundariesOver } from './boundaries.ts'
import { type BoundarySystem, boundarySystem } from './boundary.ts'
import { type Exercise, type ExerciseTerms, exerciseOf, exerciseTerms } from './exercise.ts'
import { type PatchShape, patchMatrices, patchShape, SIGMA_TERMS, SPOT_TERMS } from './patch-shape.ts'
import { fillPremiumIntegral, type PremiumIntegral, premiumIntegral } from './premium-integral.ts'

/**
 * The premium of early exercise of a put with strike 1 as a function of x = ln(S/K) and σ, for one rate, yield and time.
 * It knows neither spot nor strikes nor volatilities, so it outlives ticks. Numbers and typed arrays alone: it crosses
 * threads as it is.
 *
 * Over σ it runs in w = (σ - m) / (σ + m), m = √(low high). Over x it runs in ζ = (x - ln B(σ)) / L(σ), 0 at the boundary
 * and 1 where the premium has gone: at a fixed x it has a kink in its slope, along the boundary it is smooth.
 *
 * Cut into patches of low degree, in variables from -1/2 to 1/2 across each. Right to 1e-5 of the strike for rates of
 * -1 % to 10 %, yields of -2 % to 10 %, volatilities of 3 % to 200 % and up to three years.
 */
export interface YieldTable {
  readonly kind: 'yield'
  readonly terms: ExerciseTerms
  /** The coefficients are there for `below` alone: see `exerciseOf`. */
  readonly exercise: Exercise
  /** Volatilities that it covers. */
  readonly low: number
  readonly high: number
  readonly spotPatches: number
  readonly sigmaPatches: number
  /** ln B and L: SIGMA_TERMS coefficients for each patch of volatility, constant first. */
  readonly boundary: Float64Array
  readonly width: Float64Array
  /**
   * P: for each patch of volatility, each patch of ζ and each power of ζ, SIGMA_TERMS coefficients. In 32 bits, half the
   * memory: by that, 99 of 100 volatilities and greeks of recorded chains move by less than 5e-8 of themselves.
   */
  readonly premium: Float32Array
}

/** Beyond this |ln(S/K)| there is no grid: strikes twenty times off. */
const LOG_SPOT_CAP = 3
/** The premium decays to e^-18, 1.5e-8 of itself, at the far end of the grid; or six standard deviations away. */
const DECAY = 18
const DEVIATIONS = 6

/** The grids of an expiration for volatilities from `low` to `high`, annual fractions, both above 0 and not equal. */
export function yieldTables(terms: ExerciseTerms, low: number, high: number): PremiumTables<YieldTable> {
  const shape = patchShape(terms.t, low, high)
  return {
    put: yieldTable(exerciseTerms(false, terms), low, high, shape),
    call: yieldTable(exerciseTerms(true, terms), low, high, shape)
  }
}

/** One grid; `terms` are those of the put, see `exerciseTerms`. */
export function yieldTable(terms: ExerciseTerms, low: number, high: number, shape: PatchShape): YieldTable {
  const { spotPatches, sigmaPatches } = shape
  const exercise = exerciseOf(terms)
  if (exercise !== 'below') {
    const [none, premium] = [new Float64Array(0), new Float32Array(0)]
    return {
      kind: 'yield',
      terms,
      exercise,
      low,
      high,
      spotPatches,
      sigmaPatches,
      boundary: none,
      width: none,
      premium
    }
  }
  const coefficients = patchesOf(samplePremiums(terms, low, high, shape), shape)
  return { kind: 'yield', terms, exercise, low, high, spotPatches, sigmaPatches, ...coefficients }
}

/** Volatilities as w runs from its least to its greatest. */
function sigmaNodes(low: number, high: number, points: Float64Array): Float64Array {
  const middle = Math.sqrt(low * high)
  const end = (high - middle) / (high + middle)
  return points.map((point) => {
    const w = end * (2 * point - 1)
    return (middle * (1 + w)) / (1 - w)
  })
}

/** ln B and L by volatility. The premiums at the Lobatto points go to `samples` of the kernels, row by row of volatility. */
interface GridSamples {
  readonly boundary: Float64Array
  readonly width: Float64Array
}

function samplePremiums(terms: ExerciseTerms, low: number, high: number, shape: PatchShape): GridSamples {
  const system = boundarySystem(terms, shape.boundary)
  const columns = premiumIntegral(system)
  const { spotPoints: zetas, sigmaPoints } = patchMatrices(shape)
  const logSpots = new Float64Array(zetas.length)
  const sigmas = sigmaNodes(low, high, sigmaPoints)
  const boundary = new Float64Array(sigmas.length)
  const width = new Float64Array(sigmas.length)
  const depths = boundariesOver(system, sigmas)
  const { points } = shape.boundary
  sigmas.forEach((sigma, row) => {
    const depth = depths.subarray(row * points, (row + 1) * points)
    const integral = fillPremiumIntegral(system, sigma, depth, columns)
    boundary[row] = integral.logBoundary
    width[row] = widthOf(system, sigma, integral.logBoundary)
    for (let k = 0; k < zetas.length; k++) logSpots[k] = boundary[row] + zetas[k] * width[row]
    samplePremiumRow(integral, logSpots, row)
  })
  return { boundary, width }
}

/** Fills a row of `samples` in the kernels' memory with the premiums at `logSpots`. */
function samplePremiumRow(integral: PremiumIntegral, logSpots: Float64Array, row: number): void {
  const { columns, fillPremiums } = premiumKernels()
  columns.total.set(integral.total)
  columns.perTotal.set(integral.perTotal)
  columns.offset.set(integral.offset)
  columns.interest.set(integral.interest)
  columns.dividend.set(integral.dividend)
  for (let k = 0; k < logSpots.length; k++) {
    columns.logSpots[k] = logSpots[k]
    columns.spots[k] = Math.exp(logSpots[k])
  }
  fillPremiums(row, logSpots.length, integral.total.length)
}

/** Shape whose matrices the kernels' memory holds. */
let loadedShape: PatchShape | undefined

/** The coefficients of the patches that the samples are cut into. */
function patchesOf({ boundary, width }: GridSamples, shape: PatchShape) {
  const kernels = premiumKernels()
  const { columns } = kernels
  const { spotDegree, spotPatches, sigmaPatches } = shape
  const sigmas = boundary.length
  const spotRows = spotPatches * SPOT_TERMS
  if (loadedShape !== shape) loadMatrices(kernels, shape)
  columns.overSpot.set(boundary, spotRows * sigmas)
  columns.overSpot.set(width, (spotRows + 1) * sigmas)
  kernels.fillOverSpot(spotRows, spotDegree + 1, sigmas)
  const sigmaRows = sigmaPatches * SIGMA_TERMS
  kernels.fillPatches(0, spotRows, sigmas, sigmaRows)
  const out = {
    boundary: new Float64Array(sigmaRows),
    width: new Float64Array(sigmaRows),
    premium: new Float32Array(columns.patches.subarray(0, sigmaRows * spotRows))
  }
  kernels.fillPatches(spotRows, 2, sigmas, sigmaRows)
  for (let k = 0; k < sigmaRows; k++) {
    // ln B and L alternate, SIGMA_TERMS coefficients each.
    const at = k + SIGMA_TERMS * Math.trunc(k / SIGMA_TERMS)
    out.boundary[k] = columns.patches[at]
    out.width[k] = columns.patches[at + SIGMA_TERMS]
  }
  return out
}

function loadMatrices({ columns, limits }: PremiumKernels, shape: PatchShape): void {
  const { spotDegree, sigmaDegree, spotPatches, sigmaPatches } = shape
  const fits =
    spotDegree < limits.MOST_SPOTS &&
    sigmaDegree < limits.MOST_SIGMAS &&
    spotPatches % 2 === 0 &&
    spotPatches * SPOT_TERMS <= limits.MOST_SPOT_ROWS &&
    sigmaPatches * SIGMA_TERMS <= limits.MOST_SIGMA_ROWS
  if (!fits) throw new RangeError('the shape of a premium table does not fit the memory of its kernels')
  const { spot, sigma } = patchMatrices(shape)
  transpose(spot, spotDegree + 1, columns.spotMatrix)
  transpose(sigma, sigmaDegree + 1, columns.sigmaMatrix)
  loadedShape = shape
}

/** Writes a matrix of `width` columns column by column. */
function transpose(matrix: Float64Array, width: number, out: Float64Array): void {
  const height = matrix.length / width
  for (let row = 0; row < height; row++) {
    for (let k = 0; k < width; k++) out[k * height + row] = matrix[row * width + k]
  }
}

/**
 * L: how far from the boundary the premium has gone. Six standard deviations beyond where the boundary starts, or
 * sooner where the option that never expires says so: a low volatility over a long time would otherwise have its premium
 * squeezed into the first patch.
 */
function widthOf({ terms, logAtExpiry }: BoundarySystem, sigma: number, logBoundary: number): number {
  const { t, rate, dividendYield } = terms
  const variance = sigma * sigma
  const drift = rate - dividendYield - 0.5 * variance
  const spread = logAtExpiry - logBoundary + DEVIATIONS * sigma * Math.sqrt(t) + Math.max(0, -drift * t)
  const power = (drift + Math.sqrt(drift * drift + 2 * rate * variance)) / variance
  const decayed = power > 0 ? smoothLesser(spread, DECAY / power) : spread
  return smoothLesser(decayed, LOG_SPOT_CAP - logBoundary)
}

/** The lesser of two positive numbers, rounded off where they are close. */
function smoothLesser(a: number, b: number): number {
  return a / (1 + (a / b) ** 4) ** 0.25
}

/** Coefficients that the kernels' memory holds: contracts of one right follow each other. */
let loaded: Float32Array | undefined

/** Reads premiums of the first `count` entries of the contract block from a grid whose exercise is `below`. */
export function readYieldTable(grid: YieldTable, count: number): void {
  loadTable(grid).readPremiums(count, grid.low, grid.high, grid.spotPatches, grid.sigmaPatches)
}

/** Reads `place`, `value` and `sigmaSlope` alone; the other derivatives are left as they are. */
export function readYieldValues(grid: YieldTable, count: number): void {
  loadTable(grid).readPremiumValues(count, grid.low, grid.high, grid.spotPatches, grid.sigmaPatches)
}

function loadTable({ boundary, width, premium }: YieldTable): PremiumKernels {
  const kernels = premiumKernels()
  if (loaded !== premium) {
    kernels.columns.boundary.set(boundary)
    kernels.columns.width.set(width)
    kernels.columns.premium.set(premium)
    loaded = premium
  }
  return kernels
}

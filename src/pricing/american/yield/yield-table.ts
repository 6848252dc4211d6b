import type { PremiumTables } from '../premium-table.ts'
import { type PremiumKernels, premiumKernels } from '../simd/premium-kernels.ts'
import { boundariesOver } from './boundaries.ts'
import { type BoundarySystem, boundarySystem } from './boundary.ts'
import { type Exercise, type ExerciseTerms, exerciseOf, exerciseTerms } from './exercise.ts'
import { type PatchShape, patchMatrices, patchShape, SIGMA_TERMS, SPOT_TERMS } from './patch-shape.ts'
import { fillPremiumIntegral, type PremiumIntegral, premiumIntegral } from './premium-integral.ts'

/**
 * Table of the early-exercise premium of a put with strike 1 as a function of x = ln(S/K) and σ, for one rate, yield
 * and time to expiry. It consists of patches: polynomials of low degree, each in variables from -1/2 to 1/2.
 * Instead of σ they use w = (σ - m) / (σ + m), where m = √(low high). Instead of x they use ζ = (x - ln B(σ)) / L(σ),
 * which is 0 at the boundary and 1 where the premium vanishes. Over σ at a fixed x, the slope of the premium has a kink
 * at the boundary; at a fixed ζ it is smooth.
 * The error is below 1e-5 of the strike for rates of -1 % to 10 %, yields of -2 % to 10 %, volatilities of 3 % to 200 %
 * and up to three years.
 */
export interface YieldTable {
  readonly kind: 'yield'
  readonly terms: ExerciseTerms
  /** The table has coefficients only if this is `below`, see `exerciseOf`. */
  readonly exercise: Exercise
  readonly low: number
  readonly high: number
  readonly spotPatches: number
  readonly sigmaPatches: number
  /**
   * Polynomial coefficients of ln B (`boundary`) and L (`width`) over volatility: SIGMA_TERMS for each patch of
   * volatility, the constant first.
   */
  readonly boundary: Float64Array
  readonly width: Float64Array
  /**
   * Coefficients of the premium: SIGMA_TERMS numbers for each patch of volatility, each patch of ζ and each power of ζ.
   * Storing them in 32 bits takes half the memory. It changes 99 % of the volatilities and greeks of recorded chains by
   * less than 5e-8 of their value.
   */
  readonly premium: Float32Array
}

/** Largest |ln(S/K)| in a table: the spot is twenty times the strike, or a twentieth of it. */
const LOG_SPOT_CAP = 3
/** A table ends where the premium has decayed by the factor e^-18, which is 1.5e-8, or six standard deviations away. */
const DECAY = 18
const DEVIATIONS = 6

/**
 * Computes the premium tables of an expiration for volatilities from `low` to `high`, annual fractions. `low` must be
 * above 0 and below `high`.
 */
export function yieldTables(terms: ExerciseTerms, low: number, high: number): PremiumTables<YieldTable> {
  const shape = patchShape(terms.t, low, high)
  return {
    put: yieldTable(exerciseTerms(false, terms), low, high, shape),
    call: yieldTable(exerciseTerms(true, terms), low, high, shape)
  }
}

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

function sigmaNodes(low: number, high: number, points: Float64Array): Float64Array {
  const middle = Math.sqrt(low * high)
  const end = (high - middle) / (high + middle)
  return points.map((point) => {
    const w = end * (2 * point - 1)
    return (middle * (1 + w)) / (1 - w)
  })
}

/**
 * ln B and L of each volatility (see `YieldTable`). The premiums at the Lobatto points are left in `samples` of the
 * kernels, one row for each volatility.
 */
interface BoundarySamples {
  readonly boundary: Float64Array
  readonly width: Float64Array
}

function samplePremiums(terms: ExerciseTerms, low: number, high: number, shape: PatchShape): BoundarySamples {
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

let loadedShape: PatchShape | undefined

function patchesOf({ boundary, width }: BoundarySamples, shape: PatchShape) {
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

function transpose(matrix: Float64Array, width: number, out: Float64Array): void {
  const height = matrix.length / width
  for (let row = 0; row < height; row++) {
    for (let k = 0; k < width; k++) out[k * height + row] = matrix[row * width + k]
  }
}

/**
 * L: the distance from the boundary at which the premium vanishes. It is six standard deviations beyond the start of
 * the boundary, or less if the premium of an option without expiry decays sooner. Without this second limit, a low
 * volatility over a long time would squeeze the whole premium into the first patch.
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

function smoothLesser(a: number, b: number): number {
  return a / (1 + (a / b) ** 4) ** 0.25
}

let loaded: Float32Array | undefined

/**
 * Reads premiums and all derivatives of the first `count` contracts of the contract block. The table's `exercise` must
 * be `below`.
 */
export function readYieldTable(table: YieldTable, count: number): void {
  loadTable(table).readPremiums(count, table.low, table.high, table.spotPatches, table.sigmaPatches)
}

/**
 * Reads only the premium and its slope in volatility for the first `count` contracts; the other derivatives stay
 * unchanged.
 */
export function readYieldValues(table: YieldTable, count: number): void {
  loadTable(table).readPremiumValues(count, table.low, table.high, table.spotPatches, table.sigmaPatches)
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

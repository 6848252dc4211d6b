import { arePlainKernels } from '../kernel-choice.ts'
import { boundariesOver } from './boundaries.ts'
import { type BoundarySystem, boundarySystem } from './boundary.ts'
import { type Exercise, type ExerciseTerms, exerciseOf, exerciseTerms } from './exercise.ts'
import { type GridShape, gridMatrices, gridShape } from './grid-shape.ts'
import { type GridSamples, plainPatches, plainPremiums } from './grid-tables.ts'
import { fillPremiumIntegral, premiumIntegral } from './premium.ts'
import { isRoomFor, quickPatches, quickPremiums } from './simd/quick-tables.ts'

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
export interface PremiumGrid {
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

/** The two grids of an expiration, by right. */
export interface PremiumGrids {
  readonly put: PremiumGrid
  readonly call: PremiumGrid
}

/** Beyond this |ln(S/K)| there is no grid: strikes twenty times off. */
export const LOG_SPOT_CAP = 3
/** The premium decays to e^-18, 1.5e-8 of itself, at the far end of the grid; or six standard deviations away. */
const DECAY = 18
const DEVIATIONS = 6

/** The grids of an expiration for volatilities from `low` to `high`, annual fractions, both above 0 and not equal. */
export function premiumGrids(terms: ExerciseTerms, low: number, high: number): PremiumGrids {
  const shape = gridShape(terms.t, low, high)
  return {
    put: premiumGrid(exerciseTerms(false, terms), low, high, shape),
    call: premiumGrid(exerciseTerms(true, terms), low, high, shape)
  }
}

/** One grid; `terms` are those of the put, see `exerciseTerms`. */
export function premiumGrid(terms: ExerciseTerms, low: number, high: number, shape: GridShape): PremiumGrid {
  const { spotPatches, sigmaPatches } = shape
  const exercise = exerciseOf(terms)
  if (exercise !== 'below') {
    const [none, premium] = [new Float64Array(0), new Float32Array(0)]
    return { terms, exercise, low, high, spotPatches, sigmaPatches, boundary: none, width: none, premium }
  }
  const isQuick = !arePlainKernels() && isRoomFor(shape)
  const samples = samplePremiums(terms, low, high, shape, isQuick ? quickPremiums : plainPremiums)
  const { boundary, width, premium } = isQuick ? quickPatches(samples, shape) : plainPatches(samples, shape)
  const coefficients = { boundary, width, premium: new Float32Array(premium) }
  return { terms, exercise, low, high, spotPatches, sigmaPatches, ...coefficients }
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

/** ln B, L and P at the Lobatto points, row by row of volatility. */
function samplePremiums(
  terms: ExerciseTerms,
  low: number,
  high: number,
  shape: GridShape,
  fillPremiums: typeof plainPremiums
): GridSamples {
  const system = boundarySystem(terms, shape.boundary)
  const columns = premiumIntegral(system)
  const { spotPoints: zetas, sigmaPoints } = gridMatrices(shape)
  const logSpots = new Float64Array(zetas.length)
  const sigmas = sigmaNodes(low, high, sigmaPoints)
  const boundary = new Float64Array(sigmas.length)
  const width = new Float64Array(sigmas.length)
  const premium = new Float64Array(sigmas.length * zetas.length)
  const depths = boundariesOver(system, sigmas)
  const { points } = shape.boundary
  sigmas.forEach((sigma, row) => {
    const depth = depths.subarray(row * points, (row + 1) * points)
    const integral = fillPremiumIntegral(system, sigma, depth, columns)
    boundary[row] = integral.logBoundary
    width[row] = widthOf(system, sigma, integral.logBoundary)
    for (let k = 0; k < zetas.length; k++) logSpots[k] = boundary[row] + zetas[k] * width[row]
    fillPremiums(integral, logSpots, row, premium)
  })
  return { boundary, width, premium }
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

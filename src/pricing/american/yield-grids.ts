import { type ExerciseTerms, exerciseTerms } from './exercise.ts'
import { type PremiumGrid, type PremiumGrids, premiumGrids } from './premium-grid.ts'

/**
 * The grids of an expiration at three yields, from which those of any yield between follow in microseconds: what a forward
 * that moves needs. All coefficients of a grid change smoothly with the yield, save where it crosses the rate or 0.
 */
export interface YieldGrids {
  /** Distance of the outer yields from the middle one. */
  readonly step: number
  readonly below: PremiumGrids
  readonly middle: PremiumGrids
  readonly above: PremiumGrids
}

/** Three times the work of `premiumGrids`. */
export function yieldGrids(terms: ExerciseTerms, low: number, high: number): YieldGrids {
  const step = yieldStep(terms)
  const at = (dividendYield: number) => premiumGrids({ ...terms, dividendYield }, low, high)
  const { dividendYield } = terms
  return { step, below: at(dividendYield - step), middle: at(dividendYield), above: at(dividendYield + step) }
}

/**
 * How far apart the yields may lie for the grids between them to stay within 5e-6 of the strike. A call's boundary moves
 * like 1/q, so that a small yield takes small steps.
 */
export function yieldStep({ t, rate, dividendYield }: ExerciseTerms): number {
  return Math.min(0.0025, 0.0006 / t, 0.1 * Math.abs(dividendYield), Math.abs(rate - dividendYield) / 3)
}

const ROUNDING = 1e-9

/** The grids at a yield, quadratic between the three; undefined beyond the outer two. */
export function gridsAtYield(
  { step, below, middle, above }: YieldGrids,
  dividendYield: number
): PremiumGrids | undefined {
  const { t, rate, dividendYield: centre } = middle.put.terms
  if (dividendYield === centre) return middle
  const s = (dividendYield - centre) / step
  if (!(Math.abs(s) <= 1 + ROUNDING)) return undefined
  const terms = { t, rate, dividendYield }
  const weights = [0.5 * s * (s - 1), 1 - s * s, 0.5 * s * (s + 1)] as const
  return {
    put: combination(exerciseTerms(false, terms), weights, [below.put, middle.put, above.put]),
    call: combination(exerciseTerms(true, terms), weights, [below.call, middle.call, above.call])
  }
}

type Three<Value> = readonly [Value, Value, Value]

function combination(terms: ExerciseTerms, weights: Three<number>, grids: Three<PremiumGrid>): PremiumGrid {
  const [low, middle, high] = grids
  return {
    terms,
    exercise: middle.exercise,
    low: middle.low,
    high: middle.high,
    spotPatches: middle.spotPatches,
    sigmaPatches: middle.sigmaPatches,
    boundary: weighted(weights, [low.boundary, middle.boundary, high.boundary]),
    width: weighted(weights, [low.width, middle.width, high.width]),
    premium: weighted(weights, [low.premium, middle.premium, high.premium])
  }
}

function weighted([a, b, c]: Three<number>, [low, middle, high]: Three<Float64Array>): Float64Array {
  const out = new Float64Array(middle.length)
  for (let k = 0; k < out.length; k++) out[k] = a * low[k] + b * middle[k] + c * high[k]
  return out
}

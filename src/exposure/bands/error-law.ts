import { BIN_WIDTH, BINS, bandEdgeOf, type ErrorPool } from '../../market/band-pool.ts'
import { normalCdf } from '../../math/normal.ts'

/** Age, in mornings, at which a morning counts half in a mean. */
const HALF_LIFE = 20
/** Weight of the more general law behind a sample, in mornings of the sample. */
const WEIGHT_BEHIND = 20

/** Distribution of the errors of a band, in deviations of the prior band. */
export interface ErrorLaw {
  readonly mean: number
  /** Probability of an error at most `half` away from `center`. */
  readonly shareWithin: (center: number, half: number) => number
}

/** Errors of past mornings. Several symbols on one morning count as one, because what moves a day moves all of them. */
export interface ErrorSample {
  readonly mornings: number
  /** Sum of the errors of the mornings, older ones counting less, and the sum of these weights. */
  readonly decayedSum: number
  readonly decayedWeight: number
  readonly shareWithin: ErrorLaw['shareWithin']
}

/** Law of errors if the prior band is right: standard normal. */
export const priorLaw: ErrorLaw = {
  mean: 0,
  shareWithin: (center, half) => normalCdf(center + half) - normalCdf(center - half)
}

/**
 * Law of errors by a sample, drawn towards the more general law behind it. With n mornings of the sample,
 *
 *     F = (n F_sample + 20 F_behind) / (n + 20)
 *
 * and likewise the mean, in which a morning counts half after 20 others. The same weight on every level: a symbol is
 * drawn towards its class, the class towards all, all towards the prior. Source: Efron and Morris (1973), Stein's
 * Estimation Rule and Its Competitors, Journal of the American Statistical Association 68.
 */
export function drawnTowards(behind: ErrorLaw, sample: ErrorSample): ErrorLaw {
  const { mornings, decayedSum, decayedWeight } = sample
  return {
    mean: (decayedSum + WEIGHT_BEHIND * behind.mean) / (decayedWeight + WEIGHT_BEHIND),
    shareWithin: (center, half) =>
      (mornings * sample.shareWithin(center, half) + WEIGHT_BEHIND * behind.shareWithin(center, half)) /
      (mornings + WEIGHT_BEHIND)
  }
}

/** Errors of one symbol, ascending by date. */
export function sampleOf(errors: readonly number[]): ErrorSample {
  return {
    mornings: errors.length,
    ...decayed(errors),
    shareWithin: (center, half) =>
      errors.length === 0 ? 0 : errors.filter((error) => Math.abs(error - center) <= half).length / errors.length
  }
}

/** Errors of many symbols. The error of a morning is the mean over its symbols. Within a bin, errors lie evenly. */
export function sampleOfPool({ counts, sums, bins }: ErrorPool): ErrorSample {
  const means = Array.from(counts.keys())
    .filter((place) => counts[place] > 0)
    .map((place) => sums[place] / counts[place])
  const below = new Float64Array(BINS + 1)
  for (let bin = 0; bin < BINS; bin++) below[bin + 1] = below[bin] + bins[bin]
  const total = below[BINS]
  const shareBelow = (error: number) => {
    const place = Math.min(Math.max((error - bandEdgeOf(0)) / BIN_WIDTH, 0), BINS)
    const bin = Math.min(Math.floor(place), BINS - 1)
    return (below[bin] + (place - bin) * bins[bin]) / total
  }
  return {
    mornings: means.length,
    ...decayed(means),
    shareWithin: (center, half) => (total === 0 ? 0 : shareBelow(center + half) - shareBelow(center - half))
  }
}

function decayed(errors: readonly number[]): Pick<ErrorSample, 'decayedSum' | 'decayedWeight'> {
  let [decayedSum, decayedWeight] = [0, 0]
  errors.forEach((error, k) => {
    const weight = 0.5 ** ((errors.length - 1 - k) / HALF_LIFE)
    decayedSum += weight * error
    decayedWeight += weight
  })
  return { decayedSum, decayedWeight }
}

import { inverseNormal } from '../../math/normal.ts'

/** Share of mornings that a band from its 5 to its 95 % quantile is stated to hold. */
export const STATED_SHARE = 0.9
/** Newest mornings that a calibration rests on, and the number below which the prior stands as it is. */
export const MAX_MORNINGS = 60
export const MIN_MORNINGS = 20
/** Age, in mornings, at which a morning counts half in the shift. */
const HALF_LIFE = 20
/** Weight of no shift at all, in mornings, against that of the symbol's own. */
const WEIGHT_OF_PRIOR = 20

const HALF_WIDTH = inverseNormal((1 + STATED_SHARE) / 2)!

/** Correction of the prior band by the mornings of its symbol, in deviations of the prior band. */
export interface BandCalibration {
  readonly mornings: number
  /** Share of these mornings that lay inside the band stated the evening before. */
  readonly held: number
  /** How far the mean moves, and the factor by which the deviation grows. */
  readonly shift: number
  readonly factor: number
}

/**
 * Calibrates a band by its past errors, ascending by date: (settled figure - mean) / deviation of the prior band. The
 * shift is their mean, older ones counting less, drawn towards 0. The factor is conformal: with it, the newest 60
 * mornings would have been held at the stated share. Undefined with fewer than 20 mornings. Source: Vovk, Gammerman and
 * Shafer, Algorithmic Learning in a Random World (2005), 2.2.
 */
export function bandCalibration(errors: readonly number[]): BandCalibration | undefined {
  const newest = errors.slice(-MAX_MORNINGS)
  const correction = correctionBy(newest)
  if (correction === undefined) return undefined
  return { mornings: newest.length, held: heldShare(newest)!, ...correction }
}

/**
 * Share of the newest 60 mornings that lay inside the band stated the evening before, with what was known by then: the
 * prior for the first 20, a calibrated one for the others. Undefined without a morning.
 */
export function heldShare(errors: readonly number[]): number | undefined {
  const newest = errors.slice(-MAX_MORNINGS)
  if (newest.length === 0) return undefined
  return newest.filter((error, k) => isHeld(error, correctionBy(newest.slice(0, k)))).length / newest.length
}

type Correction = Pick<BandCalibration, 'shift' | 'factor'>

/** Whether a morning with this error lay inside the band of the evening before, with what was known by then. */
function isHeld(error: number, { shift, factor }: Correction = { shift: 0, factor: 1 }): boolean {
  return Math.abs(error - shift) <= HALF_WIDTH * factor
}

function correctionBy(errors: readonly number[]): Correction | undefined {
  const count = errors.length
  if (count < MIN_MORNINGS) return undefined
  let [sum, weights] = [0, WEIGHT_OF_PRIOR]
  errors.forEach((error, k) => {
    const weight = 0.5 ** ((count - 1 - k) / HALF_LIFE)
    sum += weight * error
    weights += weight
  })
  const shift = sum / weights
  const distances = errors.map((error) => Math.abs(error - shift)).sort((a, b) => a - b)
  const rank = Math.ceil(STATED_SHARE * (count + 1))
  return { shift, factor: distances[rank - 1] / HALF_WIDTH }
}

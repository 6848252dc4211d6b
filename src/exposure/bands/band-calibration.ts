import type { BandErrorName } from '../../market/band-errors.ts'
import { type BandPools, type MorningError, withoutOwn } from '../../market/band-pool.ts'
import { inverseNormal } from '../../math/normal.ts'
import { findRoot } from '../../math/root.ts'
import { drawnTowards, type ErrorLaw, type ErrorSample, priorLaw, sampleOf, sampleOfPool } from './error-law.ts'

/** Share of mornings that a band from its 5 to its 95 % quantile is stated to hold. */
export const STATED_SHARE = 0.9
/** Newest mornings that a calibration rests on, and the number below which those of a symbol are too few. */
export const MAX_MORNINGS = 60
export const MIN_MORNINGS = 20

const HALF_WIDTH = inverseNormal((1 + STATED_SHARE) / 2)!
/** Half widths beyond this many deviations of the prior band are not looked for. */
const WIDEST = 30

/** Whose mornings a calibration rests on: those of the symbol, of others of its class, or of all others. */
export const calibrationBases = ['symbol', 'class', 'all'] as const
export type CalibrationBasis = (typeof calibrationBases)[number]

/** Correction of the prior band by past mornings, in deviations of the prior band. */
export interface BandCalibration {
  readonly basis: CalibrationBasis
  /** Number of mornings of the basis. One on which several symbols were compared counts once. */
  readonly mornings: number
  /**
   * Share of these mornings that lay inside the band stated the evening before, with what the symbol had taught by then.
   * For other symbols, the share inside the prior band.
   */
  readonly held: number
  /** How far the mean moves, and the factor by which the deviation grows. */
  readonly shift: number
  readonly factor: number
}

/** Past errors of other symbols: of those of the same class, and of all. */
export interface OtherErrors {
  readonly class: ErrorSample
  readonly all: ErrorSample
}

/** Errors of other symbols for one measure and tenor, without the symbol's `own`, which are in the pools too. */
export function otherErrors(pools: BandPools, name: BandErrorName, own: readonly MorningError[]): OtherErrors {
  const others = (basis: 'class' | 'all') => sampleOfPool(withoutOwn(pools[basis][name], pools.sessions, own))
  return { class: others('class'), all: others('all') }
}

/**
 * Calibrates a band by its past errors, ascending by date: (settled figure - mean) / deviation of the prior band. The
 * law of a symbol's errors is drawn towards that of its class, the class's towards that of all, and that one towards the
 * prior (`drawnTowards`). Undefined if none of the three has 20 mornings.
 *
 * From 20 mornings of the symbol on, the factor is conformal: with it, the newest 60 mornings would have been held at the
 * stated share. With fewer it holds that share of the symbol's law. Source: Vovk, Gammerman and Shafer, Algorithmic
 * Learning in a Random World (2005), 2.2.
 */
export function bandCalibration(errors: readonly number[], others?: OtherErrors): BandCalibration | undefined {
  const newest = errors.slice(-MAX_MORNINGS)
  const law = lawOf(newest, others)
  if (newest.length >= MIN_MORNINGS) {
    return { basis: 'symbol', mornings: newest.length, held: heldShare(newest)!, ...conformal(newest, law) }
  }
  for (const basis of ['class', 'all'] as const) {
    const sample = others?.[basis]
    if (sample === undefined || sample.mornings < MIN_MORNINGS) continue
    const held = sample.shareWithin(0, HALF_WIDTH)
    return { basis, mornings: sample.mornings, held, shift: law.mean, factor: factorOf(law) }
  }
  return undefined
}

/**
 * Share of the newest 60 mornings that lay inside the band stated the evening before, with what the symbol had taught by
 * then: the prior for the first 20, a calibrated one for the others. Undefined without a morning.
 */
export function heldShare(errors: readonly number[]): number | undefined {
  const newest = errors.slice(-MAX_MORNINGS)
  if (newest.length === 0) return undefined
  return newest.filter((error, k) => isHeld(error, newest.slice(0, k))).length / newest.length
}

/** Whether a morning with this error lay inside the band of the evening before, which knew the `earlier` ones. */
function isHeld(error: number, earlier: readonly number[]): boolean {
  const prior = { shift: 0, factor: 1 }
  const { shift, factor } = earlier.length < MIN_MORNINGS ? prior : conformal(earlier, lawOf(earlier, undefined))
  return Math.abs(error - shift) <= HALF_WIDTH * factor
}

function lawOf(errors: readonly number[], others: OtherErrors | undefined): ErrorLaw {
  const ofClass = others === undefined ? priorLaw : drawnTowards(drawnTowards(priorLaw, others.all), others.class)
  return drawnTowards(ofClass, sampleOf(errors))
}

function conformal(errors: readonly number[], { mean }: ErrorLaw): Pick<BandCalibration, 'shift' | 'factor'> {
  const distances = errors.map((error) => Math.abs(error - mean)).sort((a, b) => a - b)
  return { shift: mean, factor: distances[Math.ceil(STATED_SHARE * (errors.length + 1)) - 1] / HALF_WIDTH }
}

/** Factor with which a band around the mean of a law holds the stated share of it. */
function factorOf({ mean, shareWithin }: ErrorLaw): number {
  const width = findRoot((half) => shareWithin(mean, half) - STATED_SHARE, 0, WIDEST, 1e-6)
  return (width ?? WIDEST) / HALF_WIDTH
}

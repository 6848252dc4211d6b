import {
  bandCalibration,
  type CalibrationBasis,
  heldShare,
  MAX_MORNINGS,
  otherErrors
} from '../exposure/bands/band-calibration.ts'
import { type BandMeasure, bandErrorName, bandMeasures } from '../market/band-errors.ts'
import { type BandPools, morningErrors } from '../market/band-pool.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { type SecurityKind, securityKind } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'

/** Number of newest daily records that tell how bands held. */
export const BAND_RECORDS = MAX_MORNINGS

/** How the bands of a symbol over its whole chain held on the newest mornings. */
export interface BandAccuracy {
  readonly symbol: Ticker
  readonly kind: SecurityKind
  /** Number of mornings that were compared. */
  readonly mornings: number
  /** Whose mornings calibrate the bands; undefined if they are those of the prior. */
  readonly basis: CalibrationBasis | undefined
  /** Share of the mornings that lay inside the band stated the evening before. */
  readonly held: Readonly<Record<BandMeasure, number | undefined>>
}

/** How the bands of a symbol held, from its newest daily records, ascending, and the errors of all symbols. */
export function bandAccuracy(symbol: Ticker, records: readonly DailyRecord[], pools: BandPools): BandAccuracy {
  const measured = bandMeasures.map((measure) => {
    const name = bandErrorName(measure, 'all')
    const own = morningErrors(records, name)
    const errors = own.map(({ error }) => error)
    return { measure, errors, basis: bandCalibration(errors, otherErrors(pools, name, own))?.basis }
  })
  return {
    symbol,
    kind: securityKind(symbol),
    mornings: Math.max(...measured.map(({ errors }) => errors.length)),
    basis: measured.find(({ basis }) => basis !== undefined)?.basis,
    held: Object.fromEntries(
      measured.map(({ measure, errors }) => [measure, heldShare(errors)])
    ) as BandAccuracy['held']
  }
}

/**
 * Share of all mornings of all symbols that the bands held, by exposure. Undefined for an exposure without a morning.
 */
export function heldOverall(found: readonly BandAccuracy[]): BandAccuracy['held'] {
  const shares = bandMeasures.map((measure) => {
    const known = found.filter(({ held }) => held[measure] !== undefined)
    const mornings = known.reduce((sum, { mornings }) => sum + mornings, 0)
    return [
      measure,
      mornings === 0 ? undefined : known.reduce((sum, one) => sum + one.mornings * one.held[measure]!, 0) / mornings
    ]
  })
  return Object.fromEntries(shares) as BandAccuracy['held']
}

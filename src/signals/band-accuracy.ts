import { bandCalibration, heldShare, MAX_MORNINGS } from '../exposure/bands/band-calibration.ts'
import { type BandMeasure, bandErrorName, bandMeasures } from '../market/band-errors.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { type SecurityKind, securityKind } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'

/** Number of newest daily records that tell how bands held. */
export const BAND_RECORDS = MAX_MORNINGS

/** How the bands of a symbol over its whole chain held on the newest mornings. */
export interface BandAccuracy {
  readonly symbol: Ticker
  readonly kind: SecurityKind
  /** Number of mornings that were compared, and whether they are enough to calibrate the bands. */
  readonly mornings: number
  readonly isCalibrated: boolean
  /** Share of the mornings that lay inside the band stated the evening before. */
  readonly held: Readonly<Record<BandMeasure, number | undefined>>
}

/** How the bands of a symbol held, from its newest daily records, ascending. */
export function bandAccuracy(symbol: Ticker, records: readonly DailyRecord[]): BandAccuracy {
  const errors = bandMeasures.map((measure) =>
    records.map((record) => record[bandErrorName(measure, 'all')]).filter((error) => error !== undefined)
  )
  const held = Object.fromEntries(bandMeasures.map((measure, k) => [measure, heldShare(errors[k])]))
  return {
    symbol,
    kind: securityKind(symbol),
    mornings: Math.max(...errors.map(({ length }) => length)),
    isCalibrated: errors.some((list) => bandCalibration(list) !== undefined),
    held: held as BandAccuracy['held']
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

import type { StrikeSums } from './strike-sums.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** The figures of a symbol at the moment of one recorded snapshot. */
export interface FigureRow {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** Figures by field name. Undefined: there is no such figure. A field without an entry was not computed. */
  readonly figures: Readonly<Record<string, number | undefined>>
  /** Sums of the whole chain by strike. Undefined: not computed. */
  readonly strikes?: StrikeSums | undefined
}

/** A request for figures of a symbol over a stretch of time. */
export interface FigureRequest {
  readonly symbol: Ticker
  readonly fields: readonly string[]
  /** The first and the last moment, both included. */
  readonly from: Instant
  readonly to: Instant
  /** Nothing later is read, and no session after `closed` counts as over. */
  readonly until: Instant
  readonly closed: IsoDate
  /**
   * Milliseconds: the last row of each such bucket, counted from the open. `session`: the closing row of each session.
   */
  readonly every: number | 'session'
}

/** Rows of figures in columns, ascending by time. */
export interface FigureColumns {
  readonly t: Float64Array
  /** One for each field of the request, in its order; NaN if there is no figure. */
  readonly columns: readonly Float64Array[]
  /** Stretches with snapshots whose rows are not made yet by the current formulas, ascending. */
  readonly waiting: readonly Stretch[]
}

/** A stretch of time, both ends included. */
export interface Stretch {
  readonly from: Instant
  readonly to: Instant
}

/** Snapshots of a session whose rows are not made yet, ascending. */
export interface WaitingDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly moments: readonly Instant[]
}

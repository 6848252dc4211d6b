import type { StrikeSums } from './strike-sums.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** What the figures of a symbol were at the moment of one recorded snapshot. */
export interface FigureRow {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** By the names of their fields. Undefined: there is no such figure. A field without a name here was not computed. */
  readonly figures: Readonly<Record<string, number | undefined>>
  /** What the whole chain adds up to by strike. Undefined: not added up. */
  readonly strikes?: StrikeSums | undefined
}

/** Which figures of a symbol are read over a stretch of time. */
export interface FigureRequest {
  readonly symbol: Ticker
  readonly fields: readonly string[]
  /** The first and the last moment, both included. */
  readonly from: Instant
  readonly to: Instant
  /** Nothing later is looked at, and no session after `closed` counts as over. */
  readonly until: Instant
  readonly closed: IsoDate
  /** Of each so many milliseconds since the open of a session the last row; of each session the closing one. */
  readonly every: number | 'session'
}

/** Rows of figures in columns, ascending by time. */
export interface FigureColumns {
  readonly t: Float64Array
  /** One for each field of the request, in its order; NaN where there is no figure. */
  readonly columns: readonly Float64Array[]
  /** Stretches with snapshots whose rows have yet to be made by the present formulas, ascending. */
  readonly waiting: readonly Stretch[]
}

/** From one moment to another, both included. */
export interface Stretch {
  readonly from: Instant
  readonly to: Instant
}

/** Snapshots of a session whose rows have yet to be made, ascending. */
export interface WaitingDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly moments: readonly Instant[]
}

import { easternDate } from './eastern.ts'
import { type Split, sharesForOne } from './split.ts'
import type { StrikeSums } from './strike-sums.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

export interface FigureRow {
  readonly symbol: Ticker
  readonly asOf: Instant
  /** Figures by field name; undefined if a figure does not exist. A field without an entry was not computed. */
  readonly figures: Readonly<Record<string, number | undefined>>
  /** Sums of the whole chain by strike; undefined if not computed. */
  readonly strikes?: StrikeSums | undefined
}

export interface FigureRequest {
  readonly symbol: Ticker
  readonly fields: readonly string[]
  /** Those of the fields that are prices of the share: they are wanted in the scale of `until`. */
  readonly prices?: readonly string[]
  /** First and last moment of the period, both included. */
  readonly from: Instant
  readonly to: Instant
  /** Snapshots after `until` are not read. Sessions after `closed` do not count as over. */
  readonly until: Instant
  readonly closed: IsoDate
  /**
   * Sampling interval in milliseconds, counted from the open: the last row of each interval is returned. With
   * `session`, the closing row of each session is returned.
   */
  readonly every: number | 'session'
  /**
   * Set to read rows for bars: `sampleColumns` follow the fields. The figures of an interval are those of its last
   * snapshot before the close, and of the close only if there is no earlier one; intervals shorter than a session leave
   * the close out. A session that is still running has a row too.
   */
  readonly sampled?: true
}

/**
 * Columns after the fields of a request with `sampled`: first, highest, lowest and last spot of the snapshots of an
 * interval, how many of them were taken before the close, and 1 if the newest was imported.
 */
export const sampleColumns = ['first', 'high', 'low', 'last', 'samples', 'imported'] as const
/** Those of them that are prices. */
const sampledPrices: readonly string[] = [
  'first',
  'high',
  'low',
  'last'
] satisfies readonly (typeof sampleColumns)[number][]

/** Rows of stored figures, one array per figure, ascending by time. */
export interface FigureColumns {
  readonly t: Float64Array
  /** One array for each field of the request, in its order; NaN if there is no figure. */
  readonly columns: readonly Float64Array[]
  /** Periods with snapshots whose figures have not been computed with the current formulas yet, ascending. */
  readonly waiting: readonly Stretch[]
}

export interface Stretch {
  readonly from: Instant
  readonly to: Instant
}

/** Snapshots of one session whose figures must be computed, ascending. */
export interface WaitingDay {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly moments: readonly Instant[]
}

/**
 * Figures in the scale of the day of `until`: prices of days before a split are divided by the new shares for one of
 * theirs. Splits after that day are not known yet. Counts of contracts stay as they were.
 */
export function figuresAsOf(
  found: FigureColumns,
  { fields, prices = [], sampled, until }: FigureRequest,
  splits: readonly Split[]
): FigureColumns {
  if (splits.length === 0) return found
  const day = easternDate(until)
  const shares = Array.from(found.t, (at) => sharesForOne(splits, easternDate(at), day))
  if (shares.every((count) => count === 1)) return found
  const isPrice = [
    ...fields.map((name) => prices.includes(name)),
    ...(sampled ? sampleColumns : []).map((name) => sampledPrices.includes(name))
  ]
  return {
    ...found,
    columns: found.columns.map((column, k) => (isPrice[k] ? column.map((price, row) => price / shares[row]) : column))
  }
}

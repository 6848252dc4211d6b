import type { PrintColumns, Prints, TapeKind } from '../market/print.ts'
import type { Series } from '../market/series.ts'
import type { IsoDate } from '../market/units.ts'
import type { Nearness } from './near-cancel.ts'
import type { TapeHeader } from './tape-views.ts'

/** Properties of a tape that are known before its first print. */
export type TapeSession = Pick<TapeHeader, 'kind' | 'session' | 'unit'>

/**
 * A running computation over the prints of a tape: a state and a step, and nothing else. A fold uses no clock, no
 * randomness and nothing that may change later, and adds whole numbers. So its state follows from the rows alone,
 * however they were cut into blocks: live, after a restart, or in a replay.
 */
export interface Fold<State> {
  /** Raise it whenever a code change makes the same rows give another state. */
  readonly version: number
  readonly kinds: readonly TapeKind[]
  begin(session: TapeSession): State
  /** Adds rows `from` to `to`, none of which is a cancel. */
  step(state: State, tape: FoldedTape, from: number, to: number): void
  /**
   * Removes a cancelled print; row `at` is its cancel, which repeats the fields of the print. The state is then as if
   * the print had never come. Sums are subtracted. Extremes and groups are computed again from the rows around the
   * print, which `near` returns in the order of the tape; see `nearCancel`.
   */
  undo(state: State, tape: FoldedTape, at: number, near: (of: Nearness) => Prints): void
  copy(state: State): State
}

/** Numbers of an instrument in `TapeGreeks`. */
export const GREEKS = 3

/** Greeks by instrument, from the newest recorded snapshot. */
export interface TapeGreeks {
  /**
   * Time from which the greeks hold, microseconds: when their snapshot became known, or the newest row before it if
   * that is later. It identifies the snapshot; the values may grow with the series.
   */
  readonly since: number
  /** Delta, gamma and vega per share of the first instrument, then of the second and so on; 0 if unknown, which adds nothing. */
  readonly values: Float64Array
  /** The nearest expiration after the session that the snapshot lists; undefined if there is none. */
  readonly next: IsoDate | undefined
}

export interface FoldedTape {
  readonly prints: PrintColumns
  /** The series (option contracts) to which the rows refer. */
  readonly series: Series
  /** Greeks for the rows of this step; undefined before the first snapshot of the session. */
  readonly greeks: TapeGreeks | undefined
  /** Number of rows that the tape has dropped before the first row of `prints`; their cancels cannot come any more. */
  readonly dropped: number
}

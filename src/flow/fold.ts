import type { PrintColumns, Prints, TapeKind } from '../market/print.ts'
import type { Series } from '../market/series.ts'
import type { Nearness } from './near-cancel.ts'
import type { TapeHeader } from './tape-views.ts'

/** What a fold knows of its tape before the first print. */
export type TapeSession = Pick<TapeHeader, 'kind' | 'session' | 'unit'>

/**
 * Something computed from a tape: a state and a step, and nothing else. No clock, no chance, no look at anything that
 * changes later, whole numbers where it adds up: so the state follows from the rows alone, however they were cut into
 * blocks, live, after a restart and for any moment of the past.
 */
export interface Fold<State> {
  /** Raised when the same rows give another state. */
  readonly version: number
  /** The tapes it is made from. */
  readonly kinds: readonly TapeKind[]
  /** The state before the first print of a session. */
  begin(session: TapeSession): State
  /** Takes rows `from` to `to` of the tape; none of them is a cancel. */
  step(state: State, tape: FoldedTape, from: number, to: number): void
  /**
   * Takes the print back that row `at`, a cancel, repeats: the state is then as if the print had never been there. `near`
   * gives the rows around it in time that still stand, of its series or of what expires with it, in the order of the tape,
   * see `nearCancel`: extremes and groups are made from them again. Sums are subtracted, so they stay right where rows are missing from it.
   */
  undo(state: State, tape: FoldedTape, at: number, near: (of: Nearness) => Prints): void
  /** The same state in memory of its own. */
  copy(state: State): State
}

/** Greeks per share by instrument, from the newest snapshot taken for the record; NaN where there are none. */
export interface TapeGreeks {
  /**
   * Since when they hold, microseconds: when the snapshot became known, by the rule of rows, so never before a row that came
   * before it. It tells snapshots apart; the columns of one may grow with the series.
   */
  readonly since: number
  readonly delta: Float64Array
  readonly gamma: Float64Array
}

/** Rows and what their instruments are. */
export interface FoldedTape {
  readonly prints: PrintColumns
  /** Series of all instruments in the rows, and maybe of more. */
  readonly series: Series
  /** Those that hold for the rows of this step; undefined before the first snapshot of the session. */
  readonly greeks: TapeGreeks | undefined
}

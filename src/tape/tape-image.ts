import type { TapeGreeks } from '../flow/fold.ts'
import type { FoldStates } from '../flow/folds.ts'
import type { Prints, TapeKind } from '../market/print.ts'
import type { Series } from '../market/series.ts'
import type { IsoDate } from '../market/units.ts'

/** A tape as plain data, of which another process makes the same tape. */
export interface TapeImage {
  readonly kind: TapeKind
  readonly session: IsoDate
  readonly unit: number
  readonly sumsOnly: boolean
  readonly position: number
  /** When the newest row became known, microseconds. */
  readonly known: number
  readonly series: Series
  /** The rows that are still in memory. */
  readonly prints: Prints
  readonly states: FoldStates
  readonly greeks: TapeGreeks | undefined
}

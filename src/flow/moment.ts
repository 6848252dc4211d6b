import type { Series } from '../market/series.ts'
import type { Instant } from '../market/units.ts'
import type { TapeHeader } from './views.ts'

/** What a view says of its moment beside what the folds hold. */
export interface Moment extends TapeHeader {
  /** Groups that are closed by then are shown, milliseconds. */
  readonly now: Instant
  /** Series of all instruments that were folded. */
  readonly series: Series
  /** See `Positions`. */
  readonly confidence: number
}

export function headerOf({ symbol, kind, session, source, unit, known, version, silent }: TapeHeader): TapeHeader {
  return { symbol, kind, session, source, unit, known, version, silent }
}

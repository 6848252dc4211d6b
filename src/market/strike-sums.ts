import { session } from './calendar.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

export const strikeFigures = ['gex', 'dex', 'vex', 'chex', 'oi'] as const
export type StrikeFigure = (typeof strikeFigures)[number]

/** Net figures of every strike of a chain at one moment: exposures in USD, open interest in contracts. */
export interface StrikeSums extends Readonly<Record<StrikeFigure, Float64Array>> {
  readonly asOf: Instant
  readonly strikes: Float64Array
}

/** One figure of every strike at one moment. */
export interface StrikeColumn {
  readonly asOf: Instant
  readonly strikes: Float64Array
  readonly values: Float64Array
}

/** Strike sums of a recorded snapshot; `sums` is undefined if they are not computed yet. */
export interface HeldStrikes {
  readonly asOf: Instant
  readonly fidelity: 'recorded' | 'imported'
  readonly sums: Omit<StrikeColumn, 'asOf'> | undefined
}

/**
 * A request for one figure by strike over one session, or over those since `from`. A session is divided into intervals of
 * `every` milliseconds; the last snapshot of each interval is returned.
 */
export interface StrikeRequest {
  readonly symbol: Ticker
  readonly date: IsoDate
  /** First session; undefined: `date` alone. */
  readonly from?: IsoDate | undefined
  readonly figure: StrikeFigure
  readonly every: number
}

/**
 * Returns the last item of each interval of a session, ascending. Intervals are counted from the open. The result is
 * empty if the day has no session.
 */
export function lastOfBuckets<Held extends { readonly asOf: Instant }>(
  held: readonly Held[],
  date: IsoDate,
  every: number
): readonly Held[] {
  const open = session(date)?.open
  if (open === undefined) return []
  const bucketOf = ({ asOf }: Held) => Math.floor((asOf - open) / every)
  return held.filter((one, k) => k === held.length - 1 || bucketOf(held[k + 1]) !== bucketOf(one))
}

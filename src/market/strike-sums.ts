import { session } from './calendar.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

/** What is added up by strike. */
export const strikeFigures = ['gex', 'dex', 'vex', 'chex', 'oi'] as const
export type StrikeFigure = (typeof strikeFigures)[number]

/** The net figures of every strike of a chain at one moment: exposures in USD, open interest in contracts. */
export interface StrikeSums extends Readonly<Record<StrikeFigure, Float64Array>> {
  readonly asOf: Instant
  /** Ascending. */
  readonly strikes: Float64Array
}

/** One of the figures at one moment. */
export interface StrikeColumn {
  readonly asOf: Instant
  readonly strikes: Float64Array
  readonly values: Float64Array
}

/** The same of a snapshot that is held; `sums` is undefined where they have yet to be made of it. */
export interface HeldStrikes {
  readonly asOf: Instant
  readonly fidelity: 'recorded' | 'imported'
  readonly sums: Omit<StrikeColumn, 'asOf'> | undefined
}

/** Which figure of which session is read, and how close together: of each so many milliseconds the last snapshot. */
export interface StrikeRequest {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly figure: StrikeFigure
  readonly every: number
}

/**
 * What is the last of its bucket, of everything held of a session, ascending. Buckets are counted from the open; none
 * without a session.
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

import { REGULAR_CLOSE, session } from './calendar.ts'
import { instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

/**
 * One trading day of the underlying, split-adjusted, USD per share. NaN if unknown; a series that publishes only closes
 * has no open, high and low.
 */
export interface DailyBar {
  readonly date: IsoDate
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Maximum number of daily bars kept per symbol. Every measure needs fewer, so that some may be unusable. */
export const MAX_BARS = 1100

/** Calendar days that contain `MAX_BARS` trading days. */
export const DAYS_OF_BARS = Math.ceil((MAX_BARS * 365) / 250)

/** Time at which the session of a bar closed; 16:00 New York if its date had no session. */
export function closeOfBar({ date }: DailyBar): Instant {
  return session(date)?.close ?? instantOfEastern(date, REGULAR_CLOSE)
}

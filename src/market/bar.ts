import { REGULAR_CLOSE, session } from './calendar.ts'
import { instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

/**
 * One trading day of the underlying, split-adjusted, USD per share. NaN: not known, as open, high and low of a series of
 * closes alone.
 */
export interface DailyBar {
  readonly date: IsoDate
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Bars of a symbol that are held, newest last: enough for every measure, and for a few bars that none can use. */
export const MAX_BARS = 1100

/** Calendar days in which there are so many trading days. */
export const DAYS_OF_BARS = Math.ceil((MAX_BARS * 365) / 250)

/** When the session of a bar closed; 16:00 New York where its date has none. */
export function closeOfBar({ date }: DailyBar): Instant {
  return session(date)?.close ?? instantOfEastern(date, REGULAR_CLOSE)
}

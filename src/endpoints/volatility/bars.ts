import type { DailyBar } from '../../market/bar.ts'
import { REGULAR_CLOSE, session } from '../../market/calendar.ts'
import { instantOfEastern } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'

/** When the session of a bar closed; 16:00 New York where its date has none. */
export function closeOfBar({ date }: DailyBar): Instant {
  return session(date)?.close ?? instantOfEastern(date, REGULAR_CLOSE)
}

/** A fraction in percent. */
export function percentOf(fraction: number | undefined): number | undefined {
  return fraction === undefined ? undefined : 100 * fraction
}

import { previousTradingDay, REGULAR_OPEN, session } from '../../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'

/** One minute after the open, New York: when the snapshot of the day before takes the place of the one before that. */
const RENEWED_AT = REGULAR_OPEN + 1

/**
 * The session whose close is shown to callers without a key: the one before the newest trading day that has reached 09:31
 * New York. So it changes at 09:31 of every trading day and stays over nights, weekends and holidays.
 */
export function snapshotSession(now: Instant): IsoDate {
  const today = easternDate(now)
  const renewed = session(today) !== undefined && now >= instantOfEastern(today, RENEWED_AT)
  return previousTradingDay(renewed ? today : previousTradingDay(today))
}

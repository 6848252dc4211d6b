import { previousTradingDay, REGULAR_OPEN, session } from '../../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'

/**
 * Callers without a key see an older snapshot, which moves on by a day at this minute of New York time: one minute
 * after the open.
 */
const RENEWED_AT = REGULAR_OPEN + 1

/**
 * The session whose close callers without a key see: the session before the newest trading day that has reached 09:31
 * New York time. It changes at 09:31 on trading days only.
 */
export function snapshotSession(now: Instant): IsoDate {
  const today = easternDate(now)
  const renewed = session(today) !== undefined && now >= instantOfEastern(today, RENEWED_AT)
  return previousTradingDay(renewed ? today : previousTradingDay(today))
}

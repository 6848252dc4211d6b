import { isTradingDay, nextTradingDay } from './calendar.ts'
import { easternDate, easternMinutes } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

/** From this hour on, New York, trades belong to the next session. */
const EVENING = 18 * 60

/** The session that a trade at a moment belongs to: evenings and days without a session go to the next exchange day. */
export function tradeDate(instant: Instant): IsoDate {
  const date = easternDate(instant)
  return isTradingDay(date) && easternMinutes(instant) < EVENING ? date : nextTradingDay(date)
}

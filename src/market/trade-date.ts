import { isTradingDay, nextTradingDay, previousTradingDay } from './calendar.ts'
import { easternDate, easternMinutes, instantOfEastern } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

/** From this minute of a New York day on trades belong to the next session. */
const EVENING = 18 * 60

/** The session that a trade at a moment belongs to: evenings and days without a session go to the next exchange day. */
export function tradeDate(instant: Instant): IsoDate {
  const date = easternDate(instant)
  return isTradingDay(date) && easternMinutes(instant) < EVENING ? date : nextTradingDay(date)
}

/** The first moment whose trades belong to a session: the evening of the exchange day before it. */
export function tradesFrom(session: IsoDate): Instant {
  return instantOfEastern(previousTradingDay(session), EVENING)
}

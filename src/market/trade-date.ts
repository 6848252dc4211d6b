import { isTradingDay, nextTradingDay, previousTradingDay } from './calendar.ts'
import { easternDate, easternMinutes, instantOfEastern } from './eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from './units.ts'

/** Minute of the New York day from which trades belong to the next session. */
const EVENING = 18 * 60

/** The session of a trade: trades in the evening and on days without a session belong to the next trading day. */
export function tradeDate(instant: Instant): IsoDate {
  const minute = Math.floor(instant / MILLISECONDS_PER_MINUTE)
  if (minute === last.minute) return last.date
  const today = easternDate(instant)
  const date = isTradingDay(today) && easternMinutes(instant) < EVENING ? today : nextTradingDay(today)
  last = { minute, date }
  return date
}

/**
 * The last result, cached: most trades fall into the minute of the previous trade, and evenings begin on a whole
 * minute.
 */
let last = { minute: Number.NaN, date: '' as IsoDate }

/** The first moment whose trades belong to a session: the evening of the previous trading day. */
export function tradesFrom(session: IsoDate): Instant {
  return instantOfEastern(previousTradingDay(session), EVENING)
}

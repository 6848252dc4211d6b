import { tradingDays } from '../../market/calendar.ts'
import { epochDay, type IsoDate } from '../../market/units.ts'

const FIRST = '2017-01-03' as IsoDate
const LAST = '2031-01-31' as IsoDate

/**
 * Dates of the synthetic market's sessions; the index is the session's number. The last session is never shown, because
 * the figures of a session depend on the open interest of the next morning.
 */
export const sessions: readonly IsoDate[] = tradingDays(FIRST, LAST)

const firstDay = epochDay(FIRST)
const numbers = new Int16Array(epochDay(LAST) - firstDay + 1)
for (const [n, date] of sessions.entries()) numbers[epochDay(date) - firstDay] = n
for (let day = 1; day < numbers.length; day++) numbers[day] ||= numbers[day - 1]

/** Number of the last session on or before a date; 0 for earlier dates, the last number for later ones. */
export function sessionOnOrBefore(date: IsoDate): number {
  const day = epochDay(date) - firstDay
  return numbers[Math.max(0, Math.min(numbers.length - 1, day))]
}

/** Number of the last session that the market shows. */
export const lastSession = sessions.length - 2

/** Number of the session on a date; undefined if the synthetic market has none. */
export function sessionNumber(date: IsoDate): number | undefined {
  const n = sessionOnOrBefore(date)
  return sessions[n] === date && n <= lastSession ? n : undefined
}

/** Number of the first session on or after a date. */
export function sessionOnOrAfter(date: IsoDate): number {
  const n = sessionOnOrBefore(date)
  return sessions[n] >= date ? n : Math.min(n + 1, sessions.length - 1)
}

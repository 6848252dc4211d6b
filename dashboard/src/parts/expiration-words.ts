import { date } from '../state/day/day.ts'
import { shortDate } from '../state/day/time.ts'
import { type CalendarSet, datesOf, isCalendarSet } from '../state/page/expiration-set.ts'

/** Names of the sets by the calendar in the choice. */
export const SET_NAMES: Readonly<Record<CalendarSet, string>> = {
  '0dte': 'Today',
  '7d': 'Within 7 days',
  '45d': 'Within 45 days',
  monthly: 'Monthlies'
}

const IN_CAPTIONS: Readonly<Record<CalendarSet, string>> = {
  '0dte': 'expiring today',
  '7d': 'expiring within 7 days',
  '45d': 'expiring within 45 days',
  monthly: 'monthlies'
}

/** Most dates that the choice names one by one. */
export const NAMED = 2

/** A date as "18 Dec", with the year if it is not that of the session. */
export function expiryName(expiry: string): string {
  const year = expiry.slice(0, 4)
  const present = date.value?.slice(0, 4) ?? year
  return year === present ? shortDate(expiry) : `${shortDate(expiry)} ${year}`
}

/** Names a few dates, and counts more than `most`. */
export function datesName(dates: readonly string[], most: number = NAMED): string {
  return dates.length > most ? `${dates.length} dates` : dates.map(expiryName).join(', ')
}

/** The name of a chosen set; undefined: all expirations. */
export function setName(set: string | undefined): string {
  if (set === undefined) return 'All'
  return isCalendarSet(set) ? SET_NAMES[set] : datesName(datesOf(set))
}

/** Words about figures of a set, or of `all`. */
export function setWords(set: string): string {
  if (set === 'all') return 'all expirations'
  if (isCalendarSet(set)) return IN_CAPTIONS[set]
  const dates = datesOf(set)
  return `expiring ${dates.length > 1 ? 'on ' : ''}${datesName(dates, 1)}`
}

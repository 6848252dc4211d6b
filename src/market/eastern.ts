import type { Instant, IsoDate } from './units.ts'
import {
  dateOfEpochDay,
  epochDay,
  epochDayOf,
  MILLISECONDS_PER_DAY,
  MILLISECONDS_PER_HOUR,
  MILLISECONDS_PER_MINUTE,
  parseDigits,
  parseIsoDate
} from './units.ts'

// All conversions of New York wall-clock time are in this file.

const STANDARD = -5 * MILLISECONDS_PER_HOUR
const DAYLIGHT = -4 * MILLISECONDS_PER_HOUR

let hourOfDate = Number.NaN
let dateOfHour = '' as IsoDate

/**
 * The New York date of an instant. The result for the last hour is cached, since every request needs it; dates and
 * offsets change on the hour.
 */
export function easternDate(instant: Instant): IsoDate {
  const hour = Math.floor(instant / MILLISECONDS_PER_HOUR)
  if (hour !== hourOfDate) {
    dateOfHour = dateOfEpochDay(Math.floor((instant + offset(instant)) / MILLISECONDS_PER_DAY))
    hourOfDate = hour
  }
  return dateOfHour
}

/** Minutes since midnight on a New York clock, 0 <= m < 1440, with fractions: 09:30:30 is 570.5. */
export function easternMinutes(instant: Instant): number {
  const local = instant + offset(instant)
  return (local - Math.floor(local / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY) / MILLISECONDS_PER_MINUTE
}

/**
 * The instant at which a New York clock shows `minutesSinceMidnight` on the date, to the millisecond. In an hour that
 * happens twice the first one counts; a time in a skipped hour reads as an hour later.
 */
export function instantOfEastern(date: IsoDate, minutesSinceMidnight: number): Instant {
  const local = epochDay(date) * MILLISECONDS_PER_DAY + Math.round(minutesSinceMidnight * MILLISECONDS_PER_MINUTE)
  const daylight = local - DAYLIGHT
  return offset(daylight) === DAYLIGHT ? daylight : local - STANDARD
}

/**
 * Formats an instant as New York wall-clock time without a zone: 2026-07-29T16:14:59, with milliseconds unless they are
 * 0. An hour that happens twice reads the same both times.
 */
export function easternDateTime(instant: Instant): string {
  const text = new Date(instant + offset(instant)).toISOString()
  return text.endsWith('.000Z') ? text.slice(0, 19) : text.slice(0, 23)
}

/**
 * Reads a New York wall-clock time without a zone: 2026-07-29T16:14:59, with or without a fraction of a second (kept to
 * the millisecond). Undefined for anything else, including a zone.
 */
export function parseEasternDateTime(text: string): Instant | undefined {
  if (text.length < 19 || text.charAt(10) !== 'T' || text.charAt(13) !== ':' || text.charAt(16) !== ':')
    return undefined
  const date = parseIsoDate(text.slice(0, 10))
  const hour = parseDigits(text, 11, 13)
  const minute = parseDigits(text, 14, 16)
  const second = parseDigits(text, 17, 19)
  if (date === undefined || hour === undefined || minute === undefined || second === undefined) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const milliseconds = parseMilliseconds(text)
  if (milliseconds === undefined) return undefined
  return instantOfEastern(date, hour * 60 + minute) + second * 1000 + milliseconds
}

function parseMilliseconds(text: string): number | undefined {
  if (text.length === 19) return 0
  if (text.charAt(19) !== '.' || text.length < 21 || text.length > 29) return undefined
  const fraction = parseDigits(text, 20, text.length)
  return fraction === undefined ? undefined : Math.floor((fraction * 1000) / 10 ** (text.length - 20))
}

interface DaylightTime {
  readonly start: Instant
  readonly end: Instant
}

const daylightTimes = new Map<number, DaylightTime>()

function offset(instant: Instant): number {
  const year = new Date(instant).getUTCFullYear()
  let daylight = daylightTimes.get(year)
  if (daylight === undefined) {
    daylight = daylightTimeOf(year)
    daylightTimes.set(year, daylight)
  }
  return instant >= daylight.start && instant < daylight.end ? DAYLIGHT : STANDARD
}

/**
 * Daylight time of a year. It begins and ends at 02:00 on a Sunday. Since 2007: the second Sunday of March and the
 * first Sunday of November. From 1987: the first Sunday of April and the last Sunday of October. From 1976: the last
 * Sunday of April and the last Sunday of October. Earlier years, of which no intraday market data exists, follow the
 * rule of 1976. Source: 15 U.S.C. 260a and its amendments of 1986 and 2005.
 */
function daylightTimeOf(year: number): DaylightTime {
  const first = year >= 2007 ? sundayFrom(year, 3, 8) : year >= 1987 ? sundayFrom(year, 4, 1) : sundayFrom(year, 4, 24)
  const last = year >= 2007 ? sundayFrom(year, 11, 1) : sundayFrom(year, 10, 25)
  return {
    start: first * MILLISECONDS_PER_DAY + 2 * MILLISECONDS_PER_HOUR - STANDARD,
    end: last * MILLISECONDS_PER_DAY + 2 * MILLISECONDS_PER_HOUR - DAYLIGHT
  }
}

/** The first Sunday on or after a day, in days since 1970-01-01, which was a Thursday. */
function sundayFrom(year: number, month: number, day: number): number {
  const from = epochDayOf(year, month, day)
  return from + ((((3 - from) % 7) + 7) % 7)
}

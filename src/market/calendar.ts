import { easternDate, instantOfEastern } from './eastern.ts'
import type { SecurityKind } from './security.ts'
import type { Instant, IsoDate } from './units.ts'
import { dateOfEpochDay, epochDay, epochDayOf, MILLISECONDS_PER_MINUTE, parseDigits } from './units.ts'

export interface Session {
  readonly date: IsoDate
  /** Opening time: 09:30 New York. */
  readonly open: Instant
  /** Closing time: 16:00 New York, 13:00 on a half day. The session ends just before it. */
  readonly close: Instant
  readonly early: boolean
}

/** Regular hours of a full session, in New York minutes since midnight: 09:30 to 16:00. */
export const REGULAR_OPEN = 9 * 60 + 30
export const REGULAR_CLOSE = 16 * 60
const EARLY_CLOSE = 13 * 60
const AFTER_HOURS_OF_OPTIONS = 15 * MILLISECONDS_PER_MINUTE

const SUNDAY = 0
const MONDAY = 1
const TUESDAY = 2
const THURSDAY = 4
const FRIDAY = 5
const SATURDAY = 6

/** The date `days` calendar days later, or earlier if negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return dateOfEpochDay(epochDay(date) + days)
}

/** Whole calendar days from a to b, negative if b is earlier. */
export function daysBetween(a: IsoDate, b: IsoDate): number {
  return epochDay(b) - epochDay(a)
}

/**
 * Maximum number of calendar days between two consecutive sessions, as from 2001-09-10 to 2001-09-17. There has been no
 * longer pause since the bank holiday of March 1933.
 */
export const MAX_CLOSURE_DAYS = 7

export function weekday(date: IsoDate): number {
  return weekdayOf(epochDay(date))
}

/** Whether the US stock and option exchanges hold a session on the date, full or half. */
export function isTradingDay(date: IsoDate): boolean {
  return dayKind(date) !== 'closed'
}

/**
 * Whether it was known on the day `on` that the exchanges hold no session on the date. Weekends and holidays are known
 * for years; days of mourning and disaster are announced days ahead.
 */
export function isKnownClosed(date: IsoDate, on: IsoDate): boolean {
  if (isTradingDay(date)) return false
  const announced = specialDays.find(([day, kind]) => day === date && kind === 'closed')?.[2]
  return announced === undefined || on >= announced
}

/** The last trading day strictly before the date. */
export function previousTradingDay(date: IsoDate): IsoDate {
  let day = addDays(date, -1)
  while (!isTradingDay(day)) day = addDays(day, -1)
  return day
}

/** The first trading day strictly after the date. */
export function nextTradingDay(date: IsoDate): IsoDate {
  let day = addDays(date, 1)
  while (!isTradingDay(day)) day = addDays(day, 1)
  return day
}

/** All trading days between two dates, both included, ascending; none if `to` is before `from`. */
export function tradingDays(from: IsoDate, to: IsoDate): readonly IsoDate[] {
  const days: IsoDate[] = []
  for (let day = epochDay(from), last = epochDay(to); day <= last; day++) {
    if (isWeekend(day)) continue
    const date = dateOfEpochDay(day)
    if (kindOf(day, date) !== 'closed') days.push(date)
  }
  return days
}

const sessions = new Map<IsoDate, Session>()

/** The regular session of a date; undefined if the exchanges are closed. */
export function session(date: IsoDate): Session | undefined {
  const known = sessions.get(date)
  if (known !== undefined) return known
  const kind = dayKind(date)
  if (kind === 'closed') return undefined
  const early = kind === 'early'
  const close = instantOfEastern(date, early ? EARLY_CLOSE : REGULAR_CLOSE)
  const regular = { date, open: instantOfEastern(date, REGULAR_OPEN), close, early }
  sessions.set(date, regular)
  return regular
}

/**
 * Closing time of options trading on a date. Options on stocks close with the session. Options on indexes and ETFs
 * close 15 minutes later, at 16:15 New York, or 13:15 on a half day. Only ETFs on the exchanges' list of broad-based
 * products trade the extra minutes, so for an ETF this is the latest possible time of a print. Undefined on days when
 * the exchanges are closed. Source: Cboe Options Rule 5.1 (trading hours).
 */
export function optionsClose(date: IsoDate, kind: SecurityKind): Instant | undefined {
  const close = session(date)?.close
  return close === undefined || kind === 'equity' ? close : close + AFTER_HOURS_OF_OPTIONS
}

/** The session in progress at an instant, or else the last one that opened before it. */
export function latestSession(instant: Instant): Session {
  const today = easternDate(instant)
  const current = session(today)
  if (current !== undefined && current.open <= instant) return current
  return session(previousTradingDay(today))!
}

/** The newest session that is over at an instant; a session is over from its close on. */
export function completedSession(instant: Instant): Session {
  const latest = latestSession(instant)
  return instant >= latest.close ? latest : session(previousTradingDay(latest.date))!
}

/** Opening time of the next session, strictly after an instant. */
export function nextOpen(instant: Instant): Instant {
  const date = easternDate(instant)
  const today = session(date)
  return today !== undefined && today.open > instant ? today.open : session(nextTradingDay(date))!.open
}

export function nextClose(instant: Instant): Instant {
  const date = easternDate(instant)
  const today = session(date)
  return today !== undefined && today.close >= instant ? today.close : session(nextTradingDay(date))!.close
}

/** The third Friday of a month (1 to 12), holiday or not. */
export function thirdFriday(year: number, month: number): IsoDate {
  return dateOfEpochDay(nthWeekday(year, month, FRIDAY, 3))
}

/**
 * Whether standard monthly options expire on the date: the third Friday, or the Thursday before it if the exchanges are
 * closed on that Friday.
 */
export function isMonthlyOpex(date: IsoDate): boolean {
  const friday = thirdFriday(yearOf(date), monthOf(date))
  return date === (isTradingDay(friday) ? friday : addDays(friday, -1))
}

/**
 * Whether standard monthly options on the VIX expire on the date: 30 days before the monthly expiration of the next
 * month, or the session before if that is no trading day. Source: Cboe, VIX Options, contract specifications.
 */
export function isVixMonthly(date: IsoDate): boolean {
  const [year, month] = [yearOf(date), monthOf(date)]
  // The expiration lies in the month before, or at the end of the same month.
  return [month, month + 1, month + 2].some((next) => {
    const friday = thirdFriday(next > 12 ? year + 1 : year, ((next - 1) % 12) + 1)
    const settled = addDays(isTradingDay(friday) ? friday : addDays(friday, -1), -30)
    return date === (isTradingDay(settled) ? settled : previousTradingDay(settled))
  })
}

/** Whether the date is a monthly expiration in March, June, September or December, when index futures expire too. */
export function isTripleWitching(date: IsoDate): boolean {
  return monthOf(date) % 3 === 0 && isMonthlyOpex(date)
}

type DayKind = 'full' | 'early' | 'closed'

// Days of mourning and disaster, and half days that follow no rule. A closure has the first day on whose session it was
// known. Source: NYSE, Special Closings (1885 to date).
const specialDays: readonly (readonly [date: string, kind: 'early' | 'closed', known?: string])[] = [
  ['1994-04-27', 'closed', '1994-04-25'], // funeral of Richard Nixon
  ['1997-12-26', 'early'],
  ['1999-12-31', 'early'],
  ['2001-09-11', 'closed', '2001-09-11'],
  ['2001-09-12', 'closed', '2001-09-11'],
  ['2001-09-13', 'closed', '2001-09-12'],
  ['2001-09-14', 'closed', '2001-09-13'],
  ['2003-12-26', 'early'],
  ['2004-06-11', 'closed', '2004-06-07'], // funeral of Ronald Reagan
  ['2007-01-02', 'closed', '2006-12-28'], // funeral of Gerald Ford
  ['2012-10-29', 'closed', '2012-10-29'], // hurricane Sandy
  ['2012-10-30', 'closed', '2012-10-29'],
  ['2018-12-05', 'closed', '2018-12-03'], // funeral of George H. W. Bush
  ['2025-01-09', 'closed', '2024-12-30'] // funeral of Jimmy Carter
]

function dayKind(date: IsoDate): DayKind {
  return kindOf(epochDay(date), date)
}

/** Gives the same result as `dayKind` for a date whose day number since 1970-01-01 is already known. */
function kindOf(day: number, date: IsoDate): DayKind {
  return isWeekend(day) ? 'closed' : (exceptionsOf(yearOf(date)).get(day) ?? 'full')
}

function isWeekend(day: number): boolean {
  const dayOfWeek = weekdayOf(day)
  return dayOfWeek === SUNDAY || dayOfWeek === SATURDAY
}

const exceptions = new Map<number, ReadonlyMap<number, DayKind>>()

/** Holidays and half days of a year, by day number since 1970-01-01. */
function exceptionsOf(year: number): ReadonlyMap<number, DayKind> {
  const known = exceptions.get(year)
  if (known !== undefined) return known
  const days = new Map<number, DayKind>()
  for (const day of halfDays(year)) days.set(day, 'early')
  for (const day of holidays(year)) days.set(day, 'closed')
  for (const [date, kind] of specialDays) {
    if (date.startsWith(String(year))) days.set(epochDay(date as IsoDate), kind)
  }
  exceptions.set(year, days)
  return days
}

/**
 * Day numbers of a year's holidays by the rule of the exchange, reliable since 1990. A holiday on a Sunday is observed
 * on Monday, a holiday on a Saturday on Friday. New Year is the exception: if it is a Saturday, the exchange trades on
 * the Friday before, because the last day of a year is an accounting date. Source: NYSE Rule 7.2; Martin Luther King
 * day since 1998, Juneteenth since 2022.
 */
function holidays(year: number): readonly number[] {
  const newYear = epochDayOf(year, 1, 1)
  const days = [
    weekdayOf(newYear) === SUNDAY ? newYear + 1 : newYear,
    nthWeekday(year, 2, MONDAY, 3), // Presidents' day
    easterSunday(year) - 2, // Good Friday
    nthWeekday(year, 6, MONDAY, 1) - 7, // Memorial day, the last Monday of May
    observed(epochDayOf(year, 7, 4)),
    nthWeekday(year, 9, MONDAY, 1), // Labor day
    thanksgiving(year),
    observed(epochDayOf(year, 12, 25))
  ]
  if (year >= 1998) days.push(nthWeekday(year, 1, MONDAY, 3))
  if (year >= 2022) days.push(observed(epochDayOf(year, 6, 19)))
  return days
}

/**
 * Day numbers of a year's half days by the practice of the exchange, reliable since 1995: the day after Thanksgiving,
 * the 24th of December if it is a trading day, and the 3rd of July if both the 3rd and the 4th are weekdays. Until
 * 2012, if the 4th of July was a Thursday, the Friday after it was the half day instead.
 */
function halfDays(year: number): readonly number[] {
  const days = [thanksgiving(year) + 1, epochDayOf(year, 12, 24)]
  const independence = epochDayOf(year, 7, 4)
  const dayOfWeek = weekdayOf(independence)
  if (dayOfWeek === THURSDAY && year < 2013) days.push(independence + 1)
  else if (dayOfWeek >= TUESDAY && dayOfWeek <= FRIDAY) days.push(independence - 1)
  return days
}

function thanksgiving(year: number): number {
  return nthWeekday(year, 11, THURSDAY, 4)
}

function observed(day: number): number {
  const dayOfWeek = weekdayOf(day)
  return dayOfWeek === SATURDAY ? day - 1 : dayOfWeek === SUNDAY ? day + 1 : day
}

function nthWeekday(year: number, month: number, dayOfWeek: number, n: number): number {
  const first = epochDayOf(year, month, 1)
  return first + ((dayOfWeek - weekdayOf(first) + 7) % 7) + 7 * (n - 1)
}

function weekdayOf(day: number): number {
  return (((day + THURSDAY) % 7) + 7) % 7 // 1970-01-01 was a Thursday
}

/** Day number of Easter Sunday. Source: Meeus, Astronomical Algorithms, 2nd ed. (1998), ch. 8, Gregorian Easter. */
function easterSunday(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return epochDayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

function yearOf(date: IsoDate): number {
  return parseDigits(date, 0, 4)!
}

function monthOf(date: IsoDate): number {
  return parseDigits(date, 5, 7)!
}

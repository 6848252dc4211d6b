declare const unit: unique symbol
declare const form: unique symbol

/** A number with a unit. The brand exists for the compiler only and costs nothing at run time. */
export type Unit<Name extends string> = number & { readonly [unit]: Name }

export type Fraction = Unit<'fraction'> // a volatility of 0.18, never 18
export type Years = Unit<'years'> // the clock of market/clock.ts, from asOf to expiry

/** A symbol as users write it: 1 to 10 characters of A-Z 0-9 . - ^ =, upper case. */
export type Ticker = string & { readonly [form]: 'ticker' }

/** A calendar date yyyy-MM-dd that exists. Sorting the text sorts the dates. */
export type IsoDate = string & { readonly [form]: 'date' }

/** A moment in time: milliseconds since 1970-01-01T00:00Z. */
export type Instant = number

export const MILLISECONDS_PER_DAY = 86_400_000
export const MILLISECONDS_PER_HOUR = 3_600_000
export const MILLISECONDS_PER_MINUTE = 60_000

// It begins with no sign that opens a formula in a spreadsheet. Without the u flag, i adds no letters beyond ASCII.
const tickerShape = /^[A-Z0-9.^][A-Z0-9.^=-]{0,9}$/i

/** Parses a symbol, trimmed and upper-cased; undefined if it cannot be one. */
export function parseTicker(text: string): Ticker | undefined {
  const trimmed = text.trim()
  return tickerShape.test(trimmed) ? (trimmed.toUpperCase() as Ticker) : undefined
}

/** Parses a date written exactly yyyy-MM-dd that exists in the calendar, years 1900 to 2199. */
export function parseIsoDate(text: string): IsoDate | undefined {
  if (text.length !== 10 || text.charAt(4) !== '-' || text.charAt(7) !== '-') return undefined
  const year = parseDigits(text, 0, 4)
  const month = parseDigits(text, 5, 7)
  const day = parseDigits(text, 8, 10)
  if (year === undefined || month === undefined || day === undefined) return undefined
  return isRealDate(year, month, day) ? (text as IsoDate) : undefined
}

/** Date from a year (1900 to 2199), month (1 to 12) and day of the month; undefined if there is no such day. */
export function isoDate(year: number, month: number, day: number): IsoDate | undefined {
  const whole = Number.isInteger(year) && Number.isInteger(month) && Number.isInteger(day)
  return whole && isRealDate(year, month, day) ? dateOfEpochDay(epochDayOf(year, month, day)) : undefined
}

/** Parses ASCII digits of `text` from `start` up to, not including, `end`; undefined if one of them is no digit. */
export function parseDigits(text: string, start: number, end: number): number | undefined {
  if (end > text.length) return undefined
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Whole days from 1970-01-01 to the date, negative before it. */
export function epochDay(date: IsoDate): number {
  const year = parseDigits(date, 0, 4)!
  return epochDayOf(year, parseDigits(date, 5, 7)!, parseDigits(date, 8, 10)!)
}

/** Whole days from 1970-01-01 to a year, month (1 to 12) and day; months and days out of range carry over. */
export function epochDayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / MILLISECONDS_PER_DAY
}

const dates = new Map<number, IsoDate>()

/** The date `day` whole days after 1970-01-01. */
export function dateOfEpochDay(day: number): IsoDate {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10) as IsoDate
    dates.set(day, date)
  }
  return date
}

export const END_OF_TIME: Instant = Date.UTC(2199, 11, 31)

/** Formats an instant as ISO 8601 in UTC with milliseconds: 2026-07-29T20:14:59.000Z. */
export function isoInstant(instant: Instant): string {
  return new Date(instant).toISOString()
}

function isRealDate(year: number, month: number, day: number): boolean {
  if (!(year >= 1900 && year <= 2199 && month >= 1 && month <= 12 && day >= 1)) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() // day 0 of the next month is the last of this one
}

/** New York wall-clock time is read and written in this file only. */

const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit'
})

/** A time in milliseconds as New York wall-clock time: yyyy-MM-ddTHH:mm:ss. */
export function newYork(moment: number): string {
  return parts.format(moment).replace(' ', 'T')
}

/** Milliseconds of the New York wall-clock time yyyy-MM-ddTHH:mm[:ss]. */
export function momentOf(wall: string): number {
  const read = Date.parse(`${wall}Z`)
  // The offset is read at a guess at most an hour off: wrong only within an hour of a clock change, at night.
  const guess = read + 5 * 3_600_000
  return read + (guess - Date.parse(`${newYork(guess)}Z`))
}

const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })
const noon = (date: string) => Date.parse(`${date}T12:00Z`)

/** 2026-12-18 as "18 Dec". */
export function shortDate(date: string): string {
  return dayMonth.format(noon(date)).replace('Sept', 'Sep')
}

/** 2026-11-20 as "Fri 20 Nov". */
export function dayOf(date: string): string {
  return `${weekday.format(noon(date))} ${shortDate(date)}`
}

const monthYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** 2026-11 as "November 2026". */
export function monthOf(month: string): string {
  return monthYear.format(noon(`${month}-01`))
}

/** 14:02:10, or 14:02 without seconds, in New York. */
export function clock(moment: number, seconds = true): string {
  return newYork(moment).slice(11, seconds ? 19 : 16)
}

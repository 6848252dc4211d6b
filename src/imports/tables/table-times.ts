import { instantOfEastern } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { tableDate } from './table-dates.ts'

const MINUTE = MILLISECONDS_PER_MINUTE
const clock = /^(\d{1,2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/
const moment = /^(\S{8,11})[T ](\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/

/**
 * Parses a time to fractions of a millisecond. The text is a date with a clock time, or the time since 1970 in seconds,
 * milli-, micro- or nanoseconds, whose unit is recognized by its size. A clock time without a zone is in New York, or
 * in UTC if `isUtc` is true.
 */
export function printTime(text: string, isUtc: boolean): Instant | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return sinceEpoch(text)
  const [, day, time, zone] = moment.exec(text) ?? []
  const date = day === undefined ? undefined : tableDate(day)
  const passed = time === undefined ? undefined : clockTime(time)
  if (date === undefined || passed === undefined) return undefined
  if (zone === undefined) return isUtc ? Date.parse(date) + passed : onClock(date, passed)
  return Date.parse(date) + passed - offsetOf(zone)
}

/** Milliseconds since midnight, read from a clock time such as 09:30:00.125 or from a number of milliseconds. */
export function clockTime(text: string): number | undefined {
  const found = clock.exec(text)
  if (found === null) {
    const passed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    return passed < MILLISECONDS_PER_DAY ? passed : undefined
  }
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2]), Number(found[3])]
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  return (60 * hours + minutes) * MINUTE + 1000 * seconds + (found[4] === undefined ? 0 : 1000 * Number(`.${found[4]}`))
}

/** Time at which a New York clock shows `passed` milliseconds since midnight. */
export function onClock(date: IsoDate, passed: number): Instant {
  const minutes = Math.floor(passed / MINUTE)
  return instantOfEastern(date, minutes) + passed - minutes * MINUTE
}

/**
 * Converts seconds, milli-, micro- or nanoseconds since 1970. The fraction is cut from the text, because whole
 * nanoseconds exceed the precision of a number.
 */
function sinceEpoch(text: string): Instant {
  const [whole] = text.split('.')
  if (whole.length <= 11) return 1000 * Number(text)
  if (whole.length <= 14) return Number(text)
  const more = whole.length <= 17 ? 3 : 6
  return Number(`${whole.slice(0, -more)}.${whole.slice(-more)}`)
}

function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'UTC') return 0
  const minutes = 60 * Number(zone.slice(1, 3)) + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -1 : 1) * minutes * MINUTE
}

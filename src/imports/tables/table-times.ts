import { easternDate, easternMinutes } from '../../market/eastern.ts'
import {
  dateOfEpochDay,
  type Instant,
  type IsoDate,
  MILLISECONDS_PER_DAY,
  MILLISECONDS_PER_MINUTE
} from '../../market/units.ts'
import { dateAtStart, dateOfSerial } from './date-forms.ts'
import { type Forms, noForms } from './written-forms.ts'
import { DEFAULT_ZONE, instantInZone, zonePattern } from './zones.ts'

const MINUTE = MILLISECONDS_PER_MINUTE
const clockPattern = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?: ?([ap])\\.?m\\.?)?'
const clock = new RegExp(`^${clockPattern}$`, 'i')
const shortClock = /^(\d{1,2})(\d{2})$/
const compactClock = /^(\d{2})(\d{2})(\d{2})(?:\.(\d{1,9}))?$/
const clockAndZone = new RegExp(
  `^(?:T| at | ?@ ?|, ?| +)(${clockPattern}|\\d{6}(?:\\.\\d{1,9})?) *(${zonePattern})?(?:\\[[\\w/+-]+\\])?$`,
  'i'
)
const epoch = /^\d{9,19}(\.\d+)?$/
const number = /^\d+(\.\d+)?$/

/** A date of a table, and the moment on it if the text states a time. */
export interface Stamp {
  /** Date of the session, in New York. */
  readonly date: IsoDate
  readonly moment: Instant | undefined
}

/**
 * Parses a date, a date with a time, or the time since 1970 in seconds, milli-, micro- or nanoseconds, whose unit is
 * recognized by its size. A time without a zone is in the zone of `forms`. A midnight is a date without a time,
 * whatever its zone, because programs write dates so.
 */
export function stampIn(text: string, forms: Forms = noForms): Stamp | undefined {
  const parts = partsIn(text, forms)
  if (parts === undefined && epoch.test(text)) return stampAt(sinceEpoch(text))
  if (parts === undefined || !(parts.passed! > 0)) return parts && { date: parts.date, moment: undefined }
  return stampOf(instantInZone(parts.date, parts.passed!, parts.zone))
}

/** A moment that is midnight in New York is a date too. */
function stampOf(moment: Instant): Stamp {
  return { date: easternDate(moment), moment: easternMinutes(moment) === 0 ? undefined : moment }
}

function stampAt(moment: Instant): Stamp {
  const isMidnight = moment % MILLISECONDS_PER_DAY === 0
  const date = dateOfEpochDay(Math.floor(moment / MILLISECONDS_PER_DAY))
  return isMidnight ? { date, moment: undefined } : stampOf(moment)
}

interface Parts {
  readonly date: IsoDate
  /** Milliseconds since midnight. Undefined if the text is only a date. */
  readonly passed: number | undefined
  readonly zone: string
}

function partsIn(text: string, { order, zone }: Forms): Parts | undefined {
  if (order === 'excel' && number.test(text)) {
    const date = dateOfSerial(text)
    return date && { date, passed: Math.round((Number(text) % 1) * MILLISECONDS_PER_DAY), zone }
  }
  const found = dateAtStart(text, order)
  if (found === undefined) return undefined
  const { date, rest } = found
  if (rest === '' || rest === '.0') return { date, passed: undefined, zone }
  const match = clockAndZone.exec(rest)
  if (match === null) return undefined
  const passed = passedIn(clock.exec(match[1]) ?? compactClock.exec(match[1]))
  return passed === undefined ? undefined : { date, passed, zone: match.at(-1) ?? zone }
}

/**
 * Parses a time to fractions of a millisecond: a date with a clock time, or the time since 1970. A clock time without a
 * zone is in UTC if `isUtc` is true, otherwise in the zone of `forms`.
 */
export function printTime(text: string, isUtc: boolean, forms: Forms = noForms): Instant | undefined {
  if (number.test(text) && forms.order !== 'excel') return sinceEpoch(text)
  const parts = partsIn(text, isUtc ? { ...forms, zone: 'UTC' } : forms)
  return parts?.passed === undefined ? undefined : instantInZone(parts.date, parts.passed, parts.zone)
}

/**
 * Milliseconds since midnight, read from a clock time such as 09:30:00.125, 4:15 PM, 0930, or a number of milliseconds.
 * Three and four digits are hours and minutes: nothing is quoted in the first seconds of a day.
 */
export function clockTime(text: string): number | undefined {
  const found = clock.exec(text) ?? clock.exec(text.replace(shortClock, '$1:$2'))
  if (found !== null) return passedIn(found)
  const passed = number.test(text) ? Number(text) : Number.NaN
  return passed < MILLISECONDS_PER_DAY ? passed : undefined
}

function passedIn(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined
  const [, hour, minute, second = '0', fraction, half] = match
  const [hours, minutes, seconds] = [hoursOf(Number(hour), half), Number(minute), Number(second)]
  if (hours === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined
  return (60 * hours + minutes) * MINUTE + 1000 * seconds + (fraction === undefined ? 0 : 1000 * Number(`.${fraction}`))
}

function hoursOf(hours: number, half: string | undefined): number | undefined {
  if (half === undefined) return hours
  if (hours < 1 || hours > 12) return undefined
  return (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/** Time at which a clock shows `passed` milliseconds since midnight, by default in New York. */
export function onClock(date: IsoDate, passed: number, zone: string = DEFAULT_ZONE): Instant {
  return instantInZone(date, passed, zone)
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

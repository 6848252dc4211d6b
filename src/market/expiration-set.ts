import { daysBetween, isMonthlyOpex, isTradingDay, isTripleWitching, nextTradingDay } from './calendar.ts'
import type { IsoDate } from './units.ts'

/** Kinds of expiration dates, in the order that a set names them. */
export const expirationKinds = ['0dte', 'weekly', 'monthly', 'quarterly', 'eom', 'leaps'] as const
export type ExpirationKind = (typeof expirationKinds)[number]

/** Options that expire in more than this many calendar days are LEAPS. */
const LEAPS_AFTER = 365

const isEndOfMonth = (date: IsoDate) => isTradingDay(date) && nextTradingDay(date).slice(0, 7) !== date.slice(0, 7)

/** Kinds that the calendar gives to a date after today. A date may be of several, and of none is a weekly one. */
const kindTests: Readonly<
  Record<Exclude<ExpirationKind, '0dte' | 'weekly'>, (date: IsoDate, days: number) => boolean>
> = {
  monthly: isMonthlyOpex,
  quarterly: isTripleWitching,
  eom: isEndOfMonth,
  leaps: (_, days) => days > LEAPS_AFTER
}

/**
 * Whether a date is an expiration of the kind, as seen on `today`. Today's date is 0dte and nothing else, so that a set
 * without that kind never holds it. `monthly` is the third Friday, `quarterly` that of March, June, September and
 * December, `eom` the last session of a month, `leaps` more than 365 days away, and `weekly` every other date. A date
 * before today is of no kind.
 */
export function isOfKind(date: IsoDate, kind: ExpirationKind, today: IsoDate): boolean {
  const days = daysBetween(today, date)
  if (days <= 0) return days === 0 && kind === '0dte'
  if (kind === '0dte') return false
  if (kind === 'weekly') return !Object.values(kindTests).some((isIt) => isIt(date, days))
  return kindTests[kind](date, days)
}

/** A set of expirations that only a chain can tell: those from `minDays` to `maxDays` away that are of one of the kinds. */
export interface OpenSet {
  readonly today: IsoDate
  readonly minDays: number
  /** Calendar days, the last one included; undefined without an end. */
  readonly maxDays?: number | undefined
  /** In the order of `expirationKinds`. */
  readonly kinds: readonly ExpirationKind[]
}

/** A set of expirations: the dates themselves, ascending and each once, or what a chain is searched for. */
export type ExpirationSet = { readonly dates: readonly IsoDate[] } | OpenSet

function fits(date: IsoDate, { today, minDays, maxDays = Number.POSITIVE_INFINITY, kinds }: OpenSet): boolean {
  const days = daysBetween(today, date)
  return days >= minDays && days <= maxDays && kinds.some((kind) => isOfKind(date, kind, today))
}

/**
 * The set that lists of dates, days and kinds intersect to. It holds the dates themselves wherever no chain is needed
 * to tell them, so that equal requests are written alike.
 */
export function expirationSet(listed: readonly IsoDate[] | undefined, open: OpenSet): ExpirationSet {
  const candidates = listed ?? onlyDate(open)
  if (candidates === undefined) return open
  const dates = candidates.filter((date) => fits(date, open))
  return { dates: [...new Set(dates)].sort() }
}

/** The one date that an open set can hold, in a list; undefined if it can hold several. */
function onlyDate({ today, minDays, maxDays, kinds }: OpenSet): readonly IsoDate[] | undefined {
  const isToday = maxDays === 0 || (kinds.length === 1 && kinds[0] === '0dte')
  return isToday && minDays === 0 ? [today] : undefined
}

/** The dates of a set among those that a chain lists. `listed` ascends, and so does the result. */
export function datesAmong(set: ExpirationSet, listed: readonly IsoDate[]): readonly IsoDate[] {
  return listed.filter((date) => ('dates' in set ? set.dates.includes(date) : fits(date, set)))
}

/** Whether a set can hold a date without regard to what is listed. */
export function mayHold(set: ExpirationSet, date: IsoDate): boolean {
  return 'dates' in set ? set.dates.includes(date) : fits(date, set)
}

export function isOneDate(set: ExpirationSet): boolean {
  return 'dates' in set && set.dates.length === 1
}

/** Sets of expirations that move with the calendar, by their names in the address, as parameters of a request. */
const BY_CALENDAR = {
  '0dte': { expirations: '0dte' },
  '7d': { dte_max: 7 },
  '45d': { dte_max: 45 },
  monthly: { expiry_type: 'monthly' }
} as const

export type CalendarSet = keyof typeof BY_CALENDAR
export const CALENDAR_SETS = Object.keys(BY_CALENDAR) as readonly CalendarSet[]

/** Most dates of a set, as the service takes them. */
export const MOST_DATES = 60

/** Parameters of a request that choose a set of expirations. */
export interface SetParams {
  readonly expirations?: string
  readonly dte_max?: number
  readonly expiry_type?: string
}

const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T12:00Z`).toJSON()?.slice(0, 10) === text

export const isCalendarSet = (set: string | undefined): set is CalendarSet => CALENDAR_SETS.some((each) => each === set)

/** The set of an address in its one form: a name, or dates in ascending order. Undefined if it cannot be read. */
export function readSet(text: string): string | undefined {
  return isCalendarSet(text) ? text : setOfDates(text.split(','))
}

/** The set that holds some dates; undefined if there are none, too many, or one is no date. */
export function setOfDates(dates: readonly string[]): string | undefined {
  const sorted = [...new Set(dates)].sort()
  return sorted.length > 0 && sorted.length <= MOST_DATES && sorted.every(isDate) ? sorted.join() : undefined
}

/** The single dates of a set; none of a set by the calendar, or of all expirations. */
export function datesOf(set: string | undefined): readonly string[] {
  return set === undefined || isCalendarSet(set) ? [] : set.split(',')
}

/** The set with a date added or taken out. Undefined without any date: all expirations. */
export function withDate(set: string | undefined, date: string, isIn: boolean): string | undefined {
  const others = datesOf(set).filter((each) => each !== date)
  return setOfDates(isIn ? [...others, date] : others)
}

/** The set for another symbol: sets by the calendar stay, of single dates those that it lists. Undefined: all expirations. */
export function setAmong(set: string | undefined, listed: readonly string[]): string | undefined {
  return isCalendarSet(set) ? set : setOfDates(datesOf(set).filter((date) => listed.includes(date)))
}

/** Parameters of a request for a set; none for all expirations. */
export function paramsOfSet(set: string | undefined): SetParams {
  if (set === undefined) return {}
  return isCalendarSet(set) ? BY_CALENDAR[set] : { expirations: set }
}

/** The set that a request asks for, in the form of the address; undefined: all expirations. */
export function setOfParams({ expirations, dte_max, expiry_type }: SetParams): string | undefined {
  return expirations ?? (dte_max === undefined ? expiry_type : `${dte_max}d`)
}

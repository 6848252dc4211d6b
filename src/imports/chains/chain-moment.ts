import { type Session, session } from '../../market/calendar.ts'
import { easternDate, easternMinutes } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { ColumnLayout } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import { quotedField, textAt } from '../tables/table-fields.ts'
import { clockTime, onClock, printTime, type Stamp, stampIn } from '../tables/table-times.ts'
import type { Forms } from '../tables/written-forms.ts'

/**
 * Session of a row and the moment that its quotes count as, or why the row has none. `stated` is the time that the row
 * states, which may lie after the close.
 */
export type RowMoment =
  | { readonly date: IsoDate; readonly asOf: Instant; readonly stated: Instant; readonly isGlobal: boolean }
  | WrongMoment
  | Undated

interface Undated {
  readonly date: undefined
  readonly wrong: string
}

interface WrongMoment {
  readonly date: IsoDate
  readonly wrong: string
  /** Whether the time is in the global trading hours, in which some indexes trade. */
  readonly isGlobal: boolean
}

export interface MomentOptions {
  /** Number of minutes before the close at which rows without a time were quoted. */
  readonly beforeClose: number
  readonly forms: Forms
  /** Moment of all rows, if the table has no column of dates. */
  readonly stated: Stamp | undefined
}

/**
 * Returns a reader for the session and the quote time of a row. The time is that of the column of times, otherwise that
 * in the column of dates, otherwise `beforeClose` minutes before the close. Quotes made after the close count as of the
 * close.
 */
export function momentReader(
  { date, time }: ColumnLayout<'date' | 'time'>,
  { beforeClose, forms, stated }: MomentOptions
): (line: Line) => RowMoment {
  let newest: { readonly dated: string; readonly timed: string; readonly found: RowMoment } | undefined
  return (line) => {
    const dated = textAt(line, date)
    const timed = textAt(line, time)
    if (newest === undefined || newest.dated !== dated || newest.timed !== timed) {
      const stamp = date === undefined ? stated : stampIn(dated, forms)
      const found =
        stamp === undefined
          ? { date: undefined, wrong: `its date is ${quotedField(dated)}` }
          : momentOf(stamp, { dated, timed: time === undefined ? undefined : timed, beforeClose, forms })
      newest = { dated, timed, found }
    }
    return newest.found
  }
}

interface Told {
  readonly dated: string
  readonly timed: string | undefined
  readonly beforeClose: number
  readonly forms: Forms
}

function momentOf(stamp: Stamp, { dated, timed, beforeClose, forms }: Told): RowMoment {
  const day = session(stamp.date)
  if (day === undefined) {
    const passed = timed === undefined ? undefined : clockTime(timed)
    const moment = stamp.moment ?? (passed === undefined ? undefined : onClock(stamp.date, passed, forms.zone))
    const isGlobal = moment !== undefined && isGlobalTime(moment)
    return wrongMoment(stamp.date, `there was no session on ${stamp.date}`, isGlobal)
  }
  if (timed === undefined) {
    if (stamp.moment !== undefined) return withinSession(stamp.moment, dated, day)
    const asOf = day.close - beforeClose * MILLISECONDS_PER_MINUTE
    return { date: day.date, asOf, stated: asOf, isGlobal: false }
  }
  const passed = clockTime(timed)
  const moment = passed === undefined ? printTime(timed, false, forms) : onClock(day.date, passed, forms.zone)
  if (moment === undefined) return wrongMoment(day.date, `its time is ${quotedField(timed)}`)
  // A clock of another zone may be on another date than that of New York.
  const own = passed === undefined ? day : session(easternDate(moment))
  if (own === undefined) return wrongMoment(day.date, `there was no session on ${easternDate(moment)}`)
  if (easternDate(moment) !== own.date) {
    return wrongMoment(own.date, `its time ${quotedField(timed)} is not on ${own.date}`)
  }
  return withinSession(moment, timed, own)
}

/** Global trading hours of index options, minutes since midnight in New York: from 20:15 to 09:25. */
const [GLOBAL_OPEN, GLOBAL_CLOSE] = [20 * 60 + 15, 9 * 60 + 25]

function isGlobalTime(moment: Instant): boolean {
  const minutes = easternMinutes(moment)
  return minutes >= GLOBAL_OPEN || minutes < GLOBAL_CLOSE
}

function withinSession(moment: Instant, text: string, { date, open, close }: Session): RowMoment {
  const isGlobal = isGlobalTime(moment)
  if (moment < open) {
    const hint = /^\d{5,7}$/.test(text) ? ': a number is read as milliseconds since midnight' : ''
    return wrongMoment(date, `its time ${quotedField(text)} is before the opening${hint}`, isGlobal)
  }
  const stated = Math.floor(moment)
  return { date, asOf: Math.min(stated, close), stated, isGlobal }
}

function wrongMoment(date: IsoDate, wrong: string, isGlobal = false): WrongMoment {
  return { date, wrong, isGlobal }
}

import { type Session, session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { ColumnPlace } from '../tables/column-map.ts'
import type { Line } from '../tables/csv-line.ts'
import { quotedField, textAt } from '../tables/table-fields.ts'
import { clockTime, onClock, printTime } from '../tables/table-times.ts'

type Found = Instant | { readonly wrong: string }

/**
 * Returns a reader for the quote time of a row. It is the row's own time; without a time column it is `beforeClose`
 * minutes before the close. Quotes made after the close count as of the close.
 */
export function momentReader(time: ColumnPlace | undefined, beforeClose: number): (line: Line, date: IsoDate) => Found {
  let newest: { readonly date: IsoDate | undefined; readonly text: string; readonly found: Found } = {
    date: undefined,
    text: '',
    found: 0
  }
  return (line, date) => {
    const text = textAt(line, time)
    if (newest.date !== date || newest.text !== text) {
      newest = { date, text, found: momentIn(text, date, time === undefined ? beforeClose : undefined) }
    }
    return newest.found
  }
}

function momentIn(text: string, date: IsoDate, beforeClose: number | undefined): Found {
  const day = session(date)
  if (day === undefined) return { wrong: `there was no session on ${date}` }
  if (beforeClose !== undefined) return day.close - beforeClose * MILLISECONDS_PER_MINUTE
  const moment = momentOn(text, day)
  if (moment === undefined) return { wrong: `its time is ${quotedField(text)}` }
  if (easternDate(moment) !== date) return { wrong: `its time ${quotedField(text)} is not on ${date}` }
  return moment < day.open
    ? { wrong: `its time ${quotedField(text)} is before the opening` }
    : Math.min(moment, day.close)
}

/** Reads a date with a time, or only a New York clock time on the date of the session. */
function momentOn(text: string, { date }: Session): Instant | undefined {
  const passed = text.includes(':') ? clockTime(text) : undefined
  const moment = passed === undefined ? printTime(text, false) : onClock(date, passed)
  return moment === undefined ? undefined : Math.floor(moment)
}

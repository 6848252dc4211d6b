import Type from 'typebox'
import type { UpcomingReport } from '../../api/market-source.ts'
import { Day, Days, Name, Nullable, Percent, Words } from '../../api/quantity.ts'
import { daysBetween } from '../../market/calendar.ts'
import { earningsTimings } from '../../market/earnings.ts'
import type { IsoDate } from '../../market/units.ts'

export const Timing = () => Nullable(Words(...earningsTimings))

const Importance = () =>
  Type.Integer({ 'x-unit': 'score-1-5', minimum: 1, maximum: 5, description: '5 moves markets most' })

/** Fields of a coming earnings report, in every response that lists reports. */
export const eventFields = {
  symbol: Name(),
  company_name: Nullable(Name()),
  earnings_date: Day('as the calendar states it'),
  days_to_event: Days(),
  timing: Timing(),
  importance: Nullable(Importance()),
  implied_move_pct: Nullable(Percent('of the report alone, the newest that was taken of its chain'))
}

export function fillEvent({ symbol, event, storedMove }: UpcomingReport, today: IsoDate) {
  return {
    symbol,
    company_name: event.company,
    earnings_date: event.date,
    days_to_event: daysBetween(today, event.date),
    timing: event.timing,
    importance: event.importance,
    implied_move_pct: storedMove
  }
}

/** Earnings reports from a date up to `days` days later, both included, with at least the given importance. */
export function reportsWithin(
  reports: readonly UpcomingReport[],
  today: IsoDate,
  { days, importance }: { readonly days: number; readonly importance: number | undefined }
): readonly UpcomingReport[] {
  return reports.filter(({ event }) => {
    const ahead = daysBetween(today, event.date)
    if (ahead < 0 || ahead > days) return false
    return importance === undefined || (event.importance !== undefined && event.importance >= importance)
  })
}

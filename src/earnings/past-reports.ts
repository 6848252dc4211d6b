import type { DailyBar } from '../market/bar.ts'
import {
  type EventRecord,
  pastEvents,
  type ReportedEvent,
  type SymbolEarnings,
  sessionsAround
} from '../market/earnings.ts'
import type { IsoDate } from '../market/units.ts'
import { realizedCrush } from './crush.ts'

/** A past earnings report and its effects; undefined if not recorded. */
export interface PastReport {
  readonly event: ReportedEvent
  /** Signed move of the underlying from the close before to the close after the report, percent. */
  readonly move: number | undefined
  readonly record: EventRecord | undefined
  /** Fall of volatility in percent of the volatility before the report. */
  readonly crush: number | undefined
}

/** Maximum number of earnings reports in a sample, the newest first. */
const SAMPLE_SIZE = 20

/**
 * Past earnings reports of a company, ascending. Moves come from daily bars, or from recorded closes for days without
 * bars.
 */
export function pastReports({ events, records }: SymbolEarnings, bars: readonly DailyBar[]): readonly PastReport[] {
  const closes = new Map(bars.map(({ date, close }) => [date, close]))
  return pastEvents(events).map((event) => {
    const { before, after } = sessionsAround(event)
    const record = records.get(before)
    return {
      event,
      move: moveBetween(closes, before, after) ?? record?.move,
      record,
      crush: record && realizedCrush(record)
    }
  })
}

function moveBetween(closes: ReadonlyMap<IsoDate, number>, before: IsoDate, after: IsoDate): number | undefined {
  const [from, to] = [closes.get(before), closes.get(after)]
  return from !== undefined && to !== undefined && from > 0 && to > 0 ? 100 * (to / from - 1) : undefined
}

/** Signed moves in percent of the newest earnings reports that have one. */
export function recentMoves(reports: readonly PastReport[]): readonly number[] {
  return reports.flatMap(({ move }) => (move === undefined ? [] : [move])).slice(-SAMPLE_SIZE)
}

/** Falls of volatility in percent of the newest earnings reports that have one. */
export function recentCrushes(reports: readonly PastReport[]): readonly number[] {
  return reports.flatMap(({ crush }) => (crush === undefined ? [] : [crush])).slice(-SAMPLE_SIZE)
}

/**
 * Difference between an actual figure and its estimate in percent of |estimate|. Undefined if one is missing or the
 * estimate is 0.
 */
export function surprise(actual: number | undefined, estimate: number | undefined): number | undefined {
  if (actual === undefined || estimate === undefined || estimate === 0) return undefined
  return (100 * (actual - estimate)) / Math.abs(estimate)
}

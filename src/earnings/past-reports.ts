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

/** A report that has happened, with what it did. Undefined: not held. */
export interface PastReport {
  readonly event: ReportedEvent
  /** Of the underlying from the close before to the close after, percent, signed. */
  readonly move: number | undefined
  readonly record: EventRecord | undefined
  /** Percent of the volatility before. */
  readonly crush: number | undefined
}

/** Reports that samples are made of: the newest that have the figure. */
const SAMPLE_SIZE = 20

/**
 * The reports of a company that have happened, ascending, with what its daily bars and its records say of each. A move is
 * that of the bars, and where they do not reach that of the recorded closes.
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

/** The newest moves of a list of reports, percent, signed. */
export function recentMoves(reports: readonly PastReport[]): readonly number[] {
  return reports.flatMap(({ move }) => (move === undefined ? [] : [move])).slice(-SAMPLE_SIZE)
}

/** The newest falls of volatility of a list of reports, percent. */
export function recentCrushes(reports: readonly PastReport[]): readonly number[] {
  return reports.flatMap(({ crush }) => (crush === undefined ? [] : [crush])).slice(-SAMPLE_SIZE)
}

/** How far an actual figure came in above its estimate, percent of the estimate's size. Undefined without either, or at 0. */
export function surprise(actual: number | undefined, estimate: number | undefined): number | undefined {
  if (actual === undefined || estimate === undefined || estimate === 0) return undefined
  return (100 * (actual - estimate)) / Math.abs(estimate)
}

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

/** A past earnings report and its effects. An effect is undefined if it was not recorded. */
export interface PastReport {
  readonly event: ReportedEvent
  /**
   * Price move of the underlying in percent, from the close before the report to the close after it. Negative if the
   * price fell.
   */
  readonly move: number | undefined
  readonly record: EventRecord | undefined
  /** Fall of implied volatility, in percent of the volatility before the report. */
  readonly crush: number | undefined
}

/** Maximum number of earnings reports that count; the newest ones are used. */
const SAMPLE_SIZE = 20

/**
 * Past earnings reports of a company, ascending by date. Moves come from daily bars; for days without bars, from the
 * stored records.
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

/** Price moves in percent at the newest earnings reports for which a move is known. Negative if the price fell. */
export function recentMoves(reports: readonly PastReport[]): readonly number[] {
  return reports.flatMap(({ move }) => (move === undefined ? [] : [move])).slice(-SAMPLE_SIZE)
}

/** Falls of implied volatility in percent at the newest earnings reports for which a fall is known. */
export function recentCrushes(reports: readonly PastReport[]): readonly number[] {
  return reports.flatMap(({ crush }) => (crush === undefined ? [] : [crush])).slice(-SAMPLE_SIZE)
}

/**
 * Surprise of an actual figure: its difference from the estimate, in percent of |estimate|. Undefined if one is missing
 * or the estimate is 0.
 */
export function surprise(actual: number | undefined, estimate: number | undefined): number | undefined {
  if (actual === undefined || estimate === undefined || estimate === 0) return undefined
  return (100 * (actual - estimate)) / Math.abs(estimate)
}

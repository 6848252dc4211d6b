import type { ChainSnapshot, HistoryStore } from '../archive/history-store.ts'
import type { ImportWriter, Note } from '../imports/import-writer.ts'
import { easternDate } from '../market/eastern.ts'
import type { WaitingDay } from '../market/figure-row.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { SessionsBySymbol } from './make-daily-records.ts'

/** Computes the figures of archived snapshots, such as gamma exposure, as a service does for snapshots it records. */
export interface FigureMaking {
  /** Computes the figures of snapshots just written. Rows that cannot be computed yet are left to `makeFigures`. */
  makeFiguresOf(snapshots: readonly ChainSnapshot[]): Promise<void>
  /**
   * Computes the rows of one session's snapshots, ascending by time. Returns how many were computed, and why the first
   * missing row could not be.
   */
  makeFigures(day: WaitingDay): Promise<{ readonly made: number; readonly failure: string | undefined }>
}

/** Wraps a writer and collects the days of the snapshots that pass through it. */
export function trackDays(writer: ImportWriter): { readonly writer: ImportWriter; readonly days: SessionsBySymbol } {
  const days = new Map<Ticker, Set<IsoDate>>()
  const snapshot: ImportWriter['snapshot'] = async (taken) => {
    const { symbol, asOf } = taken.chain
    days.set(symbol, (days.get(symbol) ?? new Set()).add(easternDate(asOf)))
    await writer.snapshot(taken)
  }
  return { writer: { ...writer, snapshot }, days }
}

export interface FigureRowsOptions {
  readonly store: Pick<HistoryStore, 'waitingFigures'>
  /** Computes the figures; if absent, a service computes them when it starts with this archive. */
  readonly figures?: FigureMaking | undefined
  /** Snapshots whose figures were missing or outdated when the job began. */
  readonly waitingBefore: readonly WaitingDay[]
  readonly signal: AbortSignal
  readonly progress: (what: string, done: number, total: number) => void | Promise<void>
  readonly onNote: (note: Note) => void | Promise<void>
}

const FIGURES_LABEL = 'figures over time'
/** Snapshots per call; the job may stop after each call. */
const SNAPSHOTS_PER_CALL = 60

/**
 * Computes the missing figures of the given days, and figures that became outdated because the job wrote dividends,
 * rates or prints. Failures are reported once, at the end. If the job stops, the service computes the remaining
 * figures.
 */
export async function makeFigureRows(
  days: SessionsBySymbol,
  { store, figures, waitingBefore, signal, progress, onNote }: FigureRowsOptions
): Promise<void> {
  if (figures === undefined) return
  const before = new Map(waitingBefore.map((day) => [nameOf(day), new Set(day.moments)]))
  const waiting: WaitingDay[] = []
  for (const day of (await store.waitingFigures(Number.MAX_SAFE_INTEGER)).toReversed()) {
    const waited = days.get(day.symbol)?.has(day.date) === true ? undefined : before.get(nameOf(day))
    const moments = waited === undefined ? day.moments : day.moments.filter((at) => !waited.has(at))
    if (moments.length > 0) waiting.push({ ...day, moments })
  }
  const total = waiting.reduce((sum, { moments }) => sum + moments.length, 0)
  let done = 0
  let made = 0
  let failure: string | undefined
  for (const day of waiting) {
    for (let from = 0; from < day.moments.length; from += SNAPSHOTS_PER_CALL) {
      if (signal.aborted) return
      const moments = day.moments.slice(from, from + SNAPSHOTS_PER_CALL)
      const outcome = await figures.makeFigures({ ...day, moments })
      made += outcome.made
      failure ??= outcome.failure
      done += moments.length
      await progress(`${FIGURES_LABEL} of ${day.symbol}`, done, total)
    }
  }
  if (failure === undefined) return
  await onNote({ kind: 'warning', text: `${total - made} of ${total} snapshots have no figures over time: ${failure}` })
}

const nameOf = ({ symbol, date }: WaitingDay) => `${symbol} ${date}`

import { addDays, REGULAR_CLOSE, session as sessionOf } from '../market/calendar.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { HistoryStore, StoredSnapshot } from './history-store.ts'

/**
 * Maximum age at which the newest snapshot of a day still counts as current, milliseconds. A longer time without
 * snapshots is a gap.
 */
export const MAX_SILENCE = 5 * MILLISECONDS_PER_MINUTE

/**
 * Whether a snapshot counts as current at a moment of its day: it may be at most five minutes older than the moment or,
 * after the close, than the close. Otherwise the last snapshot before a recorder failed would be shown as current.
 */
export function isCurrentSnapshot(asOf: Instant, at: Instant): boolean {
  const close = sessionOf(easternDate(at))?.close ?? at
  return asOf >= Math.min(at, close) - MAX_SILENCE
}

/** Latest date whose session had closed by `at`. */
export function lastClosed(at: Instant): IsoDate {
  const today = easternDate(at)
  const close = sessionOf(today)?.close ?? instantOfEastern(today, REGULAR_CLOSE)
  return at >= close ? today : addDays(today, -1)
}

/**
 * Moment under which the last snapshot of a session is used as its close: the close itself, or the snapshot's own
 * moment if that is later. Undefined if the snapshot was taken too long before the close, because the recording ended
 * early.
 */
export function closingMoment(asOf: Instant, close: Instant): Instant | undefined {
  return isCurrentSnapshot(asOf, close) ? Math.max(asOf, close) : undefined
}

/**
 * Returns the last snapshot of a session with the close as its moment. Undefined if there was no session, or if the
 * recording ended too early.
 */
export function datedAtClose(snapshot: StoredSnapshot, session: IsoDate): StoredSnapshot | undefined {
  const close = sessionOf(session)?.close
  const asOf = close === undefined ? undefined : closingMoment(snapshot.asOf, close)
  return asOf === undefined ? undefined : { ...snapshot, asOf }
}

/**
 * Reads the last snapshot of a session and gives it the close as its moment; undefined if the recording ended too
 * early.
 */
export async function recordedClose(
  archive: Pick<HistoryStore, 'closingSnapshot'>,
  symbol: Ticker,
  session: IsoDate
): Promise<StoredSnapshot | undefined> {
  const snapshot = await archive.closingSnapshot(symbol, session)
  return snapshot && datedAtClose(snapshot, session)
}

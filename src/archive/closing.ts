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
 * Moment that the last snapshot of a session gets when it is used as the close: the close itself if it was taken in the
 * last minutes before. Undefined if the recording ended earlier.
 */
export function closingMoment(asOf: Instant, close: Instant): Instant | undefined {
  return isCurrentSnapshot(asOf, close) ? Math.max(asOf, close) : undefined
}

/**
 * Last snapshot of a session, dated at the close. Undefined if there was no session, or the recording ended too early.
 */
export function datedAtClose(snapshot: StoredSnapshot, session: IsoDate): StoredSnapshot | undefined {
  const close = sessionOf(session)?.close
  const asOf = close === undefined ? undefined : closingMoment(snapshot.asOf, close)
  return asOf === undefined ? undefined : { ...snapshot, asOf }
}

/** Reads the closing snapshot of a session, dated at the close; undefined if the recording ended too early. */
export async function recordedClose(
  archive: Pick<HistoryStore, 'closingSnapshot'>,
  symbol: Ticker,
  session: IsoDate
): Promise<StoredSnapshot | undefined> {
  const snapshot = await archive.closingSnapshot(symbol, session)
  return snapshot && datedAtClose(snapshot, session)
}

import { addDays, REGULAR_CLOSE, session as sessionOf } from '../market/calendar.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { HistoryStore, StoredSnapshot } from './history-store.ts'

/**
 * Greatest age at which the newest snapshot of a day still counts as the present, milliseconds. A longer silence is a
 * gap.
 */
export const MAX_SILENCE = 5 * MILLISECONDS_PER_MINUTE

/**
 * Whether a snapshot counts as the present at a moment of its day: it is at most five minutes older than the moment, or
 * than the close when that is past. A recorder that fell silent must not pass its last snapshot off as the present.
 */
export function isCurrentSnapshot(asOf: Instant, at: Instant): boolean {
  const close = sessionOf(easternDate(at))?.close ?? at
  return asOf >= Math.min(at, close) - MAX_SILENCE
}

/** The last date whose session has closed by a moment. */
export function lastClosed(at: Instant): IsoDate {
  const today = easternDate(at)
  const close = sessionOf(today)?.close ?? instantOfEastern(today, REGULAR_CLOSE)
  return at >= close ? today : addDays(today, -1)
}

/**
 * The moment at which the last snapshot of a session is dated as its close: the close itself for a snapshot of the last
 * minutes before it. Undefined: the recording ended too early.
 */
export function closingMoment(asOf: Instant, close: Instant): Instant | undefined {
  return isCurrentSnapshot(asOf, close) ? Math.max(asOf, close) : undefined
}

/**
 * The last snapshot of a session, dated at its close. Undefined: there was no session, or the recording ended too
 * early.
 */
export function datedAtClose(snapshot: StoredSnapshot, session: IsoDate): StoredSnapshot | undefined {
  const close = sessionOf(session)?.close
  const asOf = close === undefined ? undefined : closingMoment(snapshot.asOf, close)
  return asOf === undefined ? undefined : { ...snapshot, asOf }
}

/** The recorded close of a session: its last snapshot, dated at the close. Undefined: the recording ended too early. */
export async function recordedClose(
  archive: Pick<HistoryStore, 'closingSnapshot'>,
  symbol: Ticker,
  session: IsoDate
): Promise<StoredSnapshot | undefined> {
  const snapshot = await archive.closingSnapshot(symbol, session)
  return snapshot && datedAtClose(snapshot, session)
}

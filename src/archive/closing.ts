import { addDays, REGULAR_CLOSE, session as sessionOf } from '../market/calendar.ts'
import { easternDate, instantOfEastern } from '../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { HistoryStore, StoredSnapshot } from './history-store.ts'

/** The newest snapshot of a day counts as the present for so long, milliseconds; a longer silence is a gap. */
export const MAX_SILENCE = 5 * MILLISECONDS_PER_MINUTE

/**
 * Whether a snapshot counts as the present at a moment of its day: it is at most five minutes old, counted from the
 * close once that is past. A recorder that fell silent must not pass its last snapshot off as the present.
 */
export function isCurrentSnapshot(asOf: Instant, at: Instant): boolean {
  const close = sessionOf(easternDate(at))?.close ?? at
  return asOf >= Math.min(at, close) - MAX_SILENCE
}

/** The last date whose session has closed: that of the moment itself from its close on, else the day before. */
export function lastClosed(at: Instant): IsoDate {
  const today = easternDate(at)
  const close = sessionOf(today)?.close ?? instantOfEastern(today, REGULAR_CLOSE)
  return at >= close ? today : addDays(today, -1)
}

/**
 * The moment that the last snapshot of a session has as its close: the close itself for a snapshot of the last minutes
 * before it, since a finished session is described as finished. Undefined: the recording ended too early.
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

/**
 * The close of a session as it was recorded: its last snapshot, dated at the close. Undefined: not recorded to its end.
 */
export async function recordedClose(
  archive: Pick<HistoryStore, 'closingSnapshot'>,
  symbol: Ticker,
  session: IsoDate
): Promise<StoredSnapshot | undefined> {
  const snapshot = await archive.closingSnapshot(symbol, session)
  return snapshot && datedAtClose(snapshot, session)
}

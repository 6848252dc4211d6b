import { session } from '../market/calendar.ts'
import { easternDate } from '../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../market/units.ts'

/** The newest snapshot of a day stands for a moment no further from it than this. */
const MAX_SILENCE = 5 * MILLISECONDS_PER_MINUTE

/**
 * Whether a snapshot still stands for a moment of its day: at most five minutes old, counted from the close once that is
 * past. A recorder that fell silent must not pass its last snapshot off as the present.
 */
export function isCurrent(asOf: Instant, at: Instant): boolean {
  const close = session(easternDate(at))?.close ?? at
  return asOf >= Math.min(at, close) - MAX_SILENCE
}

/**
 * The moment that the last snapshot of a session describes as its close: an earlier one that stands for the close is told as
 * of it, since whatever describes a finished session finds it finished. Undefined: the recording ended too early.
 */
export function closingMoment(asOf: Instant, close: Instant): Instant | undefined {
  return isCurrent(asOf, close) ? Math.max(asOf, close) : undefined
}

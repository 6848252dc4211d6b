import { session as sessionHours } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import { varianceShare } from './bridge.ts'
import { sessionNumber, sessions } from './days.ts'

/** A moment of the synthetic market. */
export interface Moment {
  readonly asOf: Instant
  /** Number of the session. */
  readonly session: number
  /** Share of the session's time that has passed, 0 to 1. */
  readonly elapsed: number
  /** Share of the session's variance that has passed, 0 to 1. */
  readonly s: number
}

/** The moment of an instant within the hours of a session, the close included. Undefined outside the synthetic market. */
export function momentOf(asOf: Instant): Moment | undefined {
  const hours = sessionHours(easternDate(asOf))
  const session = hours === undefined ? undefined : sessionNumber(hours.date)
  return session === undefined ? undefined : momentIn(session, asOf)
}

/** The moment of an instant in a session whose number is known. */
export function momentIn(session: number, asOf: Instant): Moment {
  const { open, close } = sessionHours(sessions[session])!
  const elapsed = Math.max(0, Math.min(1, (asOf - open) / (close - open)))
  return { asOf, session, elapsed, s: varianceShare(elapsed) }
}

/** The close of a session, by number. */
export function closeOf(session: number): Moment {
  return { asOf: sessionHours(sessions[session])!.close, session, elapsed: 1, s: 1 }
}

import { session as sessionHours } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import { sessionNumber, sessions } from './market-sessions.ts'
import { varianceShare } from './prices/bridge.ts'

export interface MarketMoment {
  readonly asOf: Instant
  readonly session: number
  /** Share of the session's time that has passed, 0 to 1. */
  readonly elapsed: number
  /** Share of the session's variance that has passed, 0 to 1. It rises fastest near the open and the close. */
  readonly s: number
}

/**
 * Converts an instant during a session, or its close, to a market moment. Undefined on a day without a session of the
 * synthetic market.
 */
export function momentAt(asOf: Instant): MarketMoment | undefined {
  const hours = sessionHours(easternDate(asOf))
  const session = hours === undefined ? undefined : sessionNumber(hours.date)
  return session === undefined ? undefined : momentIn(session, asOf)
}

/** Converts an instant of the session with number `session` to a market moment. */
export function momentIn(session: number, asOf: Instant): MarketMoment {
  const { open, close } = sessionHours(sessions[session])!
  const elapsed = Math.max(0, Math.min(1, (asOf - open) / (close - open)))
  return { asOf, session, elapsed, s: varianceShare(elapsed) }
}

export function closeOf(session: number): MarketMoment {
  return { asOf: sessionHours(sessions[session])!.close, session, elapsed: 1, s: 1 }
}

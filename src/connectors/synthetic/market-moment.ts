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
  /** Share of the session's variance that has passed, 0 to 1. */
  readonly s: number
}

/** Converts an instant during a session, or its close, to a market moment. Undefined outside the synthetic market. */
export function momentAt(asOf: Instant): MarketMoment | undefined {
  const hours = sessionHours(easternDate(asOf))
  const session = hours === undefined ? undefined : sessionNumber(hours.date)
  return session === undefined ? undefined : momentIn(session, asOf)
}

/** Converts an instant to a market moment of the session with a known number. */
export function momentIn(session: number, asOf: Instant): MarketMoment {
  const { open, close } = sessionHours(sessions[session])!
  const elapsed = Math.max(0, Math.min(1, (asOf - open) / (close - open)))
  return { asOf, session, elapsed, s: varianceShare(elapsed) }
}

export function closeOf(session: number): MarketMoment {
  return { asOf: sessionHours(sessions[session])!.close, session, elapsed: 1, s: 1 }
}

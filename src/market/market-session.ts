import { latestSession, nextOpen, previousTradingDay, type Session, session } from './calendar.ts'
import { easternDate } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

export const sessionStatuses = ['pre', 'open', 'closed', 'holiday'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

/** The session that an instant belongs to, and those around it. */
export interface MarketSession extends Session {
  /**
   * `pre`: before the open of a trading day, `closed`: after its close; `holiday`: no trading day, so that the session is
   * the last one before.
   */
  readonly status: SessionStatus
  /** When the session after it opens. */
  readonly nextOpen: Instant
  readonly previousDate: IsoDate
}

/** The session of the day of an instant, New York, or without one the last before it. */
export function marketSession(instant: Instant): MarketSession {
  const today = session(easternDate(instant))
  const shown = today ?? latestSession(instant)
  return {
    ...shown,
    status: statusOf(today, instant),
    nextOpen: nextOpen(shown.close),
    previousDate: previousTradingDay(shown.date)
  }
}

function statusOf(today: Session | undefined, instant: Instant): SessionStatus {
  if (today === undefined) return 'holiday'
  if (instant < today.open) return 'pre'
  return instant < today.close ? 'open' : 'closed'
}

import { completedSession, latestSession, nextOpen, previousTradingDay, type Session, session } from './calendar.ts'
import { easternDate } from './eastern.ts'
import type { Instant, IsoDate } from './units.ts'

export const sessionStatuses = ['pre', 'open', 'closed', 'holiday'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

export interface MarketSession extends Session {
  /**
   * `pre`: before the open of a trading day. `closed`: after its close. `holiday`: not a trading day, so the session is
   * the previous one.
   */
  readonly status: SessionStatus
  readonly nextOpen: Instant
  readonly lastClose: Instant
  readonly previousDate: IsoDate
}

/** The session on the New York date of an instant, or the previous one if that date has none. */
export function marketSession(instant: Instant): MarketSession {
  const today = session(easternDate(instant))
  const shown = today ?? latestSession(instant)
  return {
    ...shown,
    status: statusOf(today, instant),
    nextOpen: nextOpen(shown.close),
    lastClose: completedSession(instant).close,
    previousDate: previousTradingDay(shown.date)
  }
}

function statusOf(today: Session | undefined, instant: Instant): SessionStatus {
  if (today === undefined) return 'holiday'
  if (instant < today.open) return 'pre'
  return instant < today.close ? 'open' : 'closed'
}

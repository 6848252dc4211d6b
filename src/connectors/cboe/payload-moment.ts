import type { Session } from '../../market/calendar.ts'
import { latestSession, session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import { MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { PayloadHead } from './payload.ts'

/** The delayed quotes are 15 minutes behind, and written anew every few minutes: by then they have caught up. */
export const CATCH_UP = 20 * MILLISECONDS_PER_MINUTE

/** The moment a payload describes. */
export interface PayloadMoment {
  readonly session: Session
  /** The session is over and the payload shows its end. */
  readonly closed: boolean
  /** The close of the session once that is over, else the newest trade. */
  readonly asOf: Instant
  /** Seconds from `asOf` to the fetch; 0 once the session is over, since nothing moves any more. */
  readonly delay: number
}

/**
 * The session of a payload is the New York date of its newest trade, whatever its file is called and whenever it was
 * fetched: a payload fetched at night or on a weekend still shows the session before. Trades of the overnight hours on
 * a date without a session count to the session before it.
 */
export function momentOf(head: Pick<PayloadHead, 'fetched' | 'newestTrade'>): PayloadMoment {
  const { fetched, newestTrade } = head
  const current = session(easternDate(newestTrade)) ?? latestSession(newestTrade)
  // Options of equities stop at 16:00 and the last print of a share may be of 15:59:59, so a trade at or after the
  // close proves its end but is no condition of it: a fetch late enough proves it too.
  const closed = newestTrade >= current.close || fetched >= current.close + CATCH_UP
  return closed
    ? { session: current, closed, asOf: current.close, delay: 0 }
    : { session: current, closed, asOf: newestTrade, delay: (fetched - newestTrade) / 1000 }
}

import { latestSession, optionsClose, type Session, session } from './calendar.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import type { Instant } from './units.ts'
import { MILLISECONDS_PER_MINUTE } from './units.ts'

/**
 * Time that delayed quotes need to catch up with the market, for example with its close. They are 15 minutes behind and
 * renewed every few minutes.
 */
export const CATCH_UP = 20 * MILLISECONDS_PER_MINUTE

const SECOND = 1000
/** Minutes after midnight in New York from which a payload may contain the new day's open interest: 06:00. */
const NEW_DAY = 6 * 60

export interface PayloadTimes {
  readonly fetched: Instant
  readonly newestTrade: Instant
}

export interface PayloadMoment {
  readonly session: Session
  /** Whether the session is over and the payload shows its end. */
  readonly closed: boolean
  /**
   * Whether nothing was traded yet on the session's day. Quotes, volumes and prices then belong to the previous
   * session.
   */
  readonly preOpen: boolean
  /**
   * Time of the data. Once the session is over: its close. Before the open: the time of the fetch. During the session:
   * the time of the newest trade.
   */
  readonly asOf: Instant
  /** Seconds from `asOf` to the fetch; 0 once the session is over, since nothing moves any more. */
  readonly delay: number
  /** The newest session with trades that is over; undefined while a session is running. */
  readonly completed: Session | undefined
}

/**
 * Finds the time and session that a payload describes. Its session is the New York date of its newest trade, whatever
 * the name of its file and the time of its fetch: a payload fetched at night or on a weekend still shows the previous
 * session. Overnight trades on a date without a session count to the previous session. A payload fetched on a trading
 * day from 06:00 on, before any trade of that day, belongs to that day, since it may contain the new day's open
 * interest, which nobody knew during the previous session. Its time is then the fetch, at the latest the last second
 * before the open.
 */
export function momentOf({ fetched, newestTrade }: PayloadTimes): PayloadMoment {
  const traded = session(easternDate(newestTrade)) ?? latestSession(newestTrade)
  const today = newDayAt(fetched)
  if (today !== undefined && traded.date < today.date) {
    const asOf = Math.min(fetched, today.open - SECOND)
    return {
      session: today,
      closed: false,
      preOpen: true,
      asOf,
      delay: (fetched - asOf) / SECOND,
      completed: traded
    }
  }
  // Options of equities stop at 16:00 and the last print of a share may be of 15:59:59. So a trade at or after the
  // close proves that the session is over, and so does a late enough fetch.
  const closed = newestTrade >= traded.close || fetched >= traded.close + CATCH_UP
  return {
    session: traded,
    closed,
    preOpen: false,
    asOf: closed ? traded.close : newestTrade,
    delay: closed ? 0 : (fetched - newestTrade) / SECOND,
    completed: closed ? traded : undefined
  }
}

/** The session of the moment's New York date. Undefined before 06:00, and on a day without a session. */
function newDayAt(at: Instant): Session | undefined {
  const today = session(easternDate(at))
  return today !== undefined && at >= instantOfEastern(today.date, NEW_DAY) ? today : undefined
}

/**
 * Newest time that quotes from a source can describe. It is `now` until delayed quotes have caught up with the close.
 * From then until 06:00 of the next trading day, when new open interest may arrive, it is the close.
 */
export function latestMoment(now: Instant): Instant {
  if (now < (newDayAt(now)?.open ?? Number.NEGATIVE_INFINITY)) return now
  const { date, close } = latestSession(now)
  const end = optionsClose(date, 'index')! + CATCH_UP
  return now < end ? now : close
}

export function newestOf(times: readonly (Instant | undefined)[]): Instant | undefined {
  let newest: Instant | undefined
  for (const time of times) if (time !== undefined && !(newest !== undefined && newest >= time)) newest = time
  return newest
}

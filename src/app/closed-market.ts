import { latestSession, nextTradingDay, session, weekday } from '../market/calendar.ts'
import { isMarketOpen } from '../market/clock.ts'
import { easternDate, easternDateTime } from '../market/eastern.ts'
import type { Instant, IsoDate } from '../market/units.ts'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/**
 * What somebody who starts the service outside market hours has to know: that nothing moves, since when and until when,
 * and how to see a market that does. Undefined while the market is open.
 */
export function closedNote(now: Instant, synthetic: boolean): readonly string[] | undefined {
  if (isMarketOpen(now)) return undefined
  const last = latestSession(now)
  const today = session(easternDate(now))
  const next = today !== undefined && now < today.open ? today : session(nextTradingDay(easternDate(now)))!
  const demo = `npm start -- ${synthetic ? '' : '--source synthetic '}--clock demo`
  return [
    `closed: figures stand at the close of ${dayOf(last.date)}`,
    `and move again from ${dayOf(next.date)}, ${easternDateTime(next.open).slice(11, 16)} New York.`,
    `${synthetic ? 'To see them move now' : 'A made-up market moves at any hour'}: ${demo}`
  ]
}

function dayOf(date: IsoDate): string {
  return `${days[weekday(date)]}, ${date}`
}

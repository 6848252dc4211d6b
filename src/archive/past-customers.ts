import { addDays, previousTradingDay } from '../market/calendar.ts'
import { isSettledBy, type SessionCustomers } from '../market/customer-sums.ts'
import { easternDate } from '../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { HistoryStore } from './history-store.ts'

/** Newest sessions that count, and the calendar days in which so many surely lie. */
const SESSIONS = 60
const DAYS = 100

/** The newest session whose sums may be known at a moment. */
export function newestSettled(at: Instant): IsoDate {
  let session = previousTradingDay(easternDate(at))
  while (!isSettledBy(session, at)) session = previousTradingDay(session)
  return session
}

/** Customer sums of the newest 60 sessions that may be known at a moment, ascending. */
export async function customersUntil(
  store: Pick<HistoryStore, 'customers'>,
  symbol: Ticker,
  at: Instant
): Promise<readonly SessionCustomers[]> {
  const newest = newestSettled(at)
  return (await store.customers(symbol, addDays(newest, -DAYS), newest)).slice(-SESSIONS)
}

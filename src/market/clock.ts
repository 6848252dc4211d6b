import { addDays, daysBetween, latestSession, REGULAR_CLOSE, REGULAR_OPEN, session, tradingDays } from './calendar.ts'
import { easternDate, instantOfEastern } from './eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type Years } from './units.ts'

/** Whether the opening (am) or the closing prices (pm) of the expiration day settle a contract. */
export type Settlement = 'am' | 'pm'

const CALENDAR_YEAR = 365
const TRADING_YEAR = 252

/** Shortest time to expiry of a PM-settled contract on its last day: one of the 390 minutes of a session. */
const MIN_YEARS = 1 / 390 / TRADING_YEAR

/** Time from the close of one day (16:00) to the opening prices of the next (09:30): 17.5 hours, in years. */
const OVERNIGHT = 17.5 / 24 / CALENDAR_YEAR

/**
 * u, the fraction of the trading day still to run: 1 before the open, 0 after the close and on a day without a session.
 * The day is the New York date of `asOf`.
 */
export function dayShareLeft(asOf: Instant): number {
  const today = session(easternDate(asOf))
  if (today === undefined || asOf >= today.close) return 0
  if (asOf <= today.open) return 1
  return (today.close - asOf) / (today.close - today.open)
}

/** D, whole calendar days from the New York date of `asOf` to the expiration date; negative if that date is past. */
export function daysToExpiry(asOf: Instant, expiration: IsoDate): number {
  return daysBetween(easternDate(asOf), expiration)
}

/**
 * T, time to expiry in years on this service's clock: the expiration day counts as one trading day of 252, every
 * calendar day before it as 1/365.
 *
 *     PM:  T = max(u, 1/390) / 252 for D = 0,  (D - 1 + u)/365 + 1/252 for D >= 1
 *     AM:  T = (D - 1 + u)/365 + (17.5/24)/365, which stays at 17.5 hours from the close of the day before to 09:30
 *
 * T never rises as time passes. A contract that is no longer live keeps the shortest time, one minute of a session, so
 * that no formula divides by 0: `isLive` decides whether it counts.
 */
export function yearsToExpiry(asOf: Instant, expiration: IsoDate, settlement: Settlement): Years {
  const days = daysToExpiry(asOf, expiration)
  if (days === 0 && settlement === 'am' && isLive(asOf, expiration, 'am')) return OVERNIGHT as Years
  return yearsOfDays(days, dayShareLeft(asOf), settlement)
}

/**
 * T, time to expiry in years, from D and u; see `yearsToExpiry` for the formula. An AM-settled contract that expires
 * today has settled.
 */
export function yearsOfDays(days: number, dayLeft: number, settlement: Settlement): Years {
  if (days >= 1) {
    const before = (days - 1 + dayLeft) / CALENDAR_YEAR
    return (before + (settlement === 'am' ? OVERNIGHT : 1 / TRADING_YEAR)) as Years
  }
  if (days < 0 || settlement === 'am') return MIN_YEARS as Years
  return Math.max(dayLeft / TRADING_YEAR, MIN_YEARS) as Years
}

/**
 * Time at which a contract ends. An AM-settled contract ends at 09:30 New York on its expiration date. Any other ends
 * at the close of that session, or at 16:00 if the date has no session. Index and ETF options trade a quarter of an
 * hour longer (`optionsClose`), but not on the day they expire.
 */
export function endOfLife(expiration: IsoDate, settlement: Settlement): Instant {
  const last = settlement === 'am' ? undefined : session(expiration)?.close
  return last ?? instantOfEastern(expiration, settlement === 'am' ? REGULAR_OPEN : REGULAR_CLOSE)
}

/**
 * Whether a contract is still alive. Once it has ended, it is in no aggregate and has neither volatility nor greeks;
 * only its volume and open interest remain.
 */
export function isLive(asOf: Instant, expiration: IsoDate, settlement: Settlement): boolean {
  return asOf < endOfLife(expiration, settlement)
}

/** Whether the stock exchanges hold their regular session: 09:30 <= asOf < close, New York, on a trading day. */
export function isMarketOpen(asOf: Instant): boolean {
  const today = session(easternDate(asOf))
  return today !== undefined && asOf >= today.open && asOf < today.close
}

/**
 * Whether the market has been open for at least a minute. A feed of all trades that is still silent by then has lost
 * its connection.
 */
export function isBusyMarket(now: Instant): boolean {
  return isMarketOpen(now) && now - latestSession(now).open > MILLISECONDS_PER_MINUTE
}

/**
 * Hours left of today's regular session: its full length before the open, 0 after the close or on a day without a
 * session.
 */
export function sessionHoursLeft(asOf: Instant): number {
  return dayShareLeft(asOf) * sessionHours(easternDate(asOf))
}

/** Hours of regular sessions from `asOf` to the close of the expiration date, 0 once that is past. */
export function hoursToExpiryClose(asOf: Instant, expiration: IsoDate): number {
  const today = easternDate(asOf)
  if (expiration < today) return 0
  const later = tradingDays(addDays(today, 1), expiration)
  return later.reduce((hours, date) => hours + sessionHours(date), sessionHoursLeft(asOf))
}

function sessionHours(date: IsoDate): number {
  const hours = session(date)
  return hours === undefined ? 0 : (hours.close - hours.open) / MILLISECONDS_PER_HOUR
}

/**
 * A market clock for demonstrations that never closes: in market hours it is the wall clock; outside them the latest
 * session repeats at its own pace, so that the market always moves.
 */
export function demoClock(wallNow: () => Instant): () => Instant {
  return () => {
    const now = wallNow()
    if (isMarketOpen(now)) return now
    const { open, close } = latestSession(now)
    return open + ((now - close) % (close - open))
  }
}

import { previousTradingDay, session } from '../../market/calendar.ts'
import { type IsoDate, isoDate, parseDigits, parseIsoDate } from '../../market/units.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Parses a date written as yyyy-MM-dd, yyyyMMdd, M/d/yyyy (month first) or ddMMMyyyy. A time that follows yyyy-MM-dd is
 * ignored.
 */
export function tableDate(text: string): IsoDate | undefined {
  if (text.charAt(4) === '-') return /^.{10}([ T].*)?$/.test(text) ? parseIsoDate(text.slice(0, 10)) : undefined
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (slashed !== null) return isoDate(Number(slashed[3]), Number(slashed[1]), Number(slashed[2]))
  const named = /^(\d{1,2})-?([a-z]{3})-?(\d{4})$/i.exec(text)
  if (named !== null) return isoDate(Number(named[3]), months.indexOf(named[2].toLowerCase()) + 1, Number(named[1]))
  return compactDate(text)
}

/**
 * Last trading day of an expiration. Until February 2015, standard options were listed as expiring on the Saturday
 * after it. A date without a session therefore means the previous session.
 */
export function lastTradingDate(expiration: IsoDate): IsoDate {
  return session(expiration) === undefined ? previousTradingDay(expiration) : expiration
}

export function compactDate(text: string): IsoDate | undefined {
  if (text.length !== 8) return undefined
  const [year, month, day] = [parseDigits(text, 0, 4), parseDigits(text, 4, 6), parseDigits(text, 6, 8)]
  return year === undefined || month === undefined || day === undefined ? undefined : isoDate(year, month, day)
}

import { isKnownClosed, isTradingDay, previousTradingDay } from '../../market/calendar.ts'
import { type IsoDate, isoDate, parseDigits } from '../../market/units.ts'
import { stampIn } from './table-times.ts'
import { type Forms, noForms } from './written-forms.ts'

/**
 * Parses a date in one of the forms of `dateForms`, or a stamp with a time. A stamp with a zone is a moment, and its
 * date is that of New York.
 */
export function tableDate(text: string, forms: Forms = noForms): IsoDate | undefined {
  return stampIn(text, forms)?.date
}

/**
 * Last trading day of an expiration. Until February 2015, standard options were listed as expiring on the Saturday
 * after it. A date without a session therefore means the previous session, but not before the day `on` on which that was
 * known: until then other contracts, listed for the session before, were others. Without `on` all closures are known.
 */
export function lastTradingDate(expiration: IsoDate, on?: IsoDate): IsoDate {
  const isClosed = on === undefined ? !isTradingDay(expiration) : isKnownClosed(expiration, on)
  return isClosed ? previousTradingDay(expiration) : expiration
}

/** Parses a date written exactly yyyyMMdd. */
export function compactDate(text: string): IsoDate | undefined {
  if (text.length !== 8) return undefined
  const [year, month, day] = [parseDigits(text, 0, 4), parseDigits(text, 4, 6), parseDigits(text, 6, 8)]
  return year === undefined || month === undefined || day === undefined ? undefined : isoDate(year, month, day)
}

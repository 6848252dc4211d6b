import { easternDateTime } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'

/** Formats a date for requests, e.g. 20261120. */
export const compactDateText = (date: IsoDate) => date.replaceAll('-', '')

/** Formats the New York time of day for requests, e.g. 16:00:00.000. */
export function timeOfDay(instant: Instant): string {
  const [, time] = easternDateTime(instant).split('T')
  return time.includes('.') ? time : `${time}.000`
}

/** Vendor's name of an underlying: an index without its leading `^`, stocks and funds unchanged. */
export function thetadataName(symbol: Ticker): string {
  return symbol.replace(/^\^/, '')
}

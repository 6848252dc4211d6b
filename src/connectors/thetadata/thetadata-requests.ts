import { easternDateTime } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'

/** Date in the form of requests: 20261120. */
export const compactDateText = (date: IsoDate) => date.replaceAll('-', '')

/** Time of day in New York in the form of requests: 16:00:00.000. */
export function timeOfDay(instant: Instant): string {
  const [, time] = easternDateTime(instant).split('T')
  return time.includes('.') ? time : `${time}.000`
}

/** Vendor's name of an underlying: an index without a mark, everything else unchanged. */
export function thetadataName(symbol: Ticker): string {
  return symbol.replace(/^\^/, '')
}

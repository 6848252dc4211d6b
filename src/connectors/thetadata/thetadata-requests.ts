import { easternDateTime } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'

/** A date as requests write it: 20261120. */
export const compactDateText = (date: IsoDate) => date.replaceAll('-', '')

/** A time of day as requests write it, New York: 16:00:00.000. */
export function timeOfDay(instant: Instant): string {
  const [, time] = easternDateTime(instant).split('T')
  return time.includes('.') ? time : `${time}.000`
}

/** The name of an underlying: an index without any mark, everything else as it is. */
export function thetadataName(symbol: Ticker): string {
  return symbol.replace(/^\^/, '')
}

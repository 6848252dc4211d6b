import { Instant } from '../../api/quantity.ts'
import { MICROSECONDS_PER_MILLISECOND } from '../../market/print.ts'
import { isoInstant } from '../../market/units.ts'

/** When a print happened. */
export const PrintTime = (description = 'by the clock of the exchange, UTC') => Instant(description)

/** A time of a tape, microseconds, as answers print it: the millisecond it lies in. */
export function tapeTime(microseconds: number): string {
  return isoInstant(Math.floor(microseconds / MICROSECONDS_PER_MILLISECOND))
}

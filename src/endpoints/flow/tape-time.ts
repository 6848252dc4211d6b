import { Timestamp } from '../../api/quantity.ts'
import { MICROSECONDS_PER_MILLISECOND } from '../../market/print.ts'
import { isoInstant } from '../../market/units.ts'

export const PrintTime = (description = 'by the clock of the exchange, UTC') => Timestamp(description)

/** Formats the time of a print, given in microseconds, as ISO 8601 text truncated to milliseconds. */
export function tapeTime(microseconds: number): string {
  return isoInstant(Math.floor(microseconds / MICROSECONDS_PER_MILLISECOND))
}

import { Timestamp } from '../../api/quantity.ts'
import { MICROSECONDS_PER_MILLISECOND } from '../../market/print.ts'
import { isoInstant } from '../../market/units.ts'

export const PrintTime = (description = 'by the clock of the exchange, UTC') => Timestamp(description)

/** Formats a tape time (microseconds), truncated to milliseconds. */
export function tapeTime(microseconds: number): string {
  return isoInstant(Math.floor(microseconds / MICROSECONDS_PER_MILLISECOND))
}

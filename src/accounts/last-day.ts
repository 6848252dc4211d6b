import { epochDay, type Instant, type IsoDate, MILLISECONDS_PER_DAY } from '../market/units.ts'

/** Midnight UTC after a day: the moment at which a key or bundle valid until that day ends. */
export function endOfDay(date: IsoDate): Instant {
  return (epochDay(date) + 1) * MILLISECONDS_PER_DAY
}

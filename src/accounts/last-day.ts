import { epochDay, type Instant, type IsoDate, MILLISECONDS_PER_DAY } from '../market/units.ts'

/** The first moment after a day in UTC: what is given until a day ends then. */
export function endOfDay(date: IsoDate): Instant {
  return (epochDay(date) + 1) * MILLISECONDS_PER_DAY
}

import { epochDay, type Instant, type IsoDate, MILLISECONDS_PER_DAY } from '../market/units.ts'

/** The first moment after a day in UTC, at which terms that last until that day end. */
export function endOfDay(date: IsoDate): Instant {
  return (epochDay(date) + 1) * MILLISECONDS_PER_DAY
}

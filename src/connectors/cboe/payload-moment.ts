import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'

/**
 * Whether a payload describes a moment better than another one that describes the same. One fetched on the date of its
 * session does: by the next morning open interest may be of the day after. Of two alike that fetched last does.
 */
export function isBetter(a: Fetch, b: Fetch): boolean {
  const [sameDay, otherSameDay] = [isOfItsDay(a), isOfItsDay(b)]
  return sameDay === otherSameDay ? a.fetched > b.fetched : sameDay
}

/** When a payload was fetched, and the moment it describes. */
export interface Fetch {
  readonly fetched: Instant
  readonly asOf: Instant
}

function isOfItsDay({ fetched, asOf }: Fetch): boolean {
  return easternDate(fetched) === easternDate(asOf)
}

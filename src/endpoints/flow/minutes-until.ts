import type { Window } from '../../flow/windows/window-buckets.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'

/** So many minutes, the last of which is that of now. */
export function minutesUntil(minute: Instant, minutes: number): Window {
  return { from: minute - (minutes - 1) * MILLISECONDS_PER_MINUTE, to: minute }
}

import type { Window } from '../../flow/windows/window-buckets.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'

export function minutesUntil(minute: Instant, minutes: number): Window {
  return { from: minute - (minutes - 1) * MILLISECONDS_PER_MINUTE, to: minute }
}

import type { Instant } from '../../../market/units.ts'
import type { ZeroDteSample } from '../../../market/zero-dte-sample.ts'
import { bucketOf, type DayWindow } from './window.ts'

/** A bar and the last raw bar in it. */
export interface Bucket {
  readonly start: Instant
  readonly last: ZeroDteSample
}

/** The bars that raw bars make, ascending: all of the session, so that the first of a window knows the one before it. */
export function lastOfBuckets(samples: readonly ZeroDteSample[], { open }: DayWindow, size: number): readonly Bucket[] {
  const buckets = new Map<Instant, ZeroDteSample>()
  for (const sample of samples) buckets.set(bucketOf(sample.t, { open, size }), sample)
  return [...buckets].map(([start, last]) => ({ start, last }))
}

import type { Instant } from '../../../market/units.ts'
import type { ZeroDteSample } from '../../../market/zero-dte-sample.ts'
import { bucketOf, type DayWindow } from './window.ts'

export interface SampledBar {
  readonly start: Instant
  readonly last: ZeroDteSample
}

/**
 * Groups samples into bars of `size` milliseconds, ascending, and keeps the last sample of each. Covers the whole
 * session, so that the first bar of a shorter window can be compared with the bar before it.
 */
export function lastBars(samples: readonly ZeroDteSample[], { open }: DayWindow, size: number): readonly SampledBar[] {
  const buckets = new Map<Instant, ZeroDteSample>()
  for (const sample of samples) buckets.set(bucketOf(sample.t, { open, size }), sample)
  return [...buckets].map(([start, last]) => ({ start, last }))
}

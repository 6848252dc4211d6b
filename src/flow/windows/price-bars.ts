import { easternDate, easternMinutes, instantOfEastern } from '../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { type FlowBucket, merged } from './window-buckets.ts'

export const resolutions = ['1s', '1m', '5m', '15m', '30m', '1h', '4h'] as const
export type BarResolution = (typeof resolutions)[number]

/** Bar lengths in milliseconds. These bars begin at multiples of their length, in UTC and in New York. */
const plain = {
  '1s': 1000,
  '1m': MILLISECONDS_PER_MINUTE,
  '5m': 5 * MILLISECONDS_PER_MINUTE,
  '15m': 15 * MILLISECONDS_PER_MINUTE,
  '30m': 30 * MILLISECONDS_PER_MINUTE,
  '1h': MILLISECONDS_PER_HOUR
} as const

/** Length of four-hour bars in minutes. They begin at 00, 04, 08, 12, 16 and 20 o'clock in New York. */
const FOUR_HOURS = 240

/** Prices and volumes of [start, end). */
export interface FlowBar extends FlowBucket {
  readonly end: Instant
}

export function barStart(instant: Instant, resolution: BarResolution): Instant {
  if (resolution !== '4h') return plain[resolution] * Math.floor(instant / plain[resolution])
  return instantOfEastern(easternDate(instant), FOUR_HOURS * Math.floor(easternMinutes(instant) / FOUR_HOURS))
}

/**
 * End of the bar that begins at `start`. When the clocks change, a bar of four hours lasts three or five, so that the
 * next one begins on its hour.
 */
export function barEnd(start: Instant, resolution: BarResolution): Instant {
  if (resolution !== '4h') return start + plain[resolution]
  return instantOfEastern(easternDate(start), easternMinutes(start) + FOUR_HOURS)
}

export function longestBar(resolution: BarResolution): number {
  return resolution === '4h' ? FOUR_HOURS + 60 : plain[resolution] / MILLISECONDS_PER_MINUTE
}

/** Joins buckets into longer bars, ascending; bars without a print are left out. */
export function flowBars(buckets: readonly FlowBucket[], resolution: BarResolution): readonly FlowBar[] {
  const rolled = merged(buckets, (start) => barStart(start, resolution))
  return rolled.map((bucket) => ({ ...bucket, end: barEnd(bucket.start, resolution) }))
}

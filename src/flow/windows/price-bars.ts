import { easternDate, easternMinutes, instantOfEastern } from '../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { type FlowBucket, merged } from './window-buckets.ts'

export const resolutions = ['1s', '1m', '5m', '15m', '30m', '1h', '4h'] as const
export type BarResolution = (typeof resolutions)[number]

/** Milliseconds of the bars that are multiples of the same of UTC and of New York midnight. */
const plain = {
  '1s': 1000,
  '1m': MILLISECONDS_PER_MINUTE,
  '5m': 5 * MILLISECONDS_PER_MINUTE,
  '15m': 15 * MILLISECONDS_PER_MINUTE,
  '30m': 30 * MILLISECONDS_PER_MINUTE,
  '1h': MILLISECONDS_PER_HOUR
} as const

/** Bars of four hours begin at 00, 04, 08, 12, 16 and 20 o'clock New York. */
const FOUR_HOURS = 240

/** One stretch of the same length over which a stock is shown: [start, end). */
export interface FlowBar extends FlowBucket {
  readonly end: Instant
}

/** The beginning of the bar that a moment lies in. */
export function barStart(instant: Instant, resolution: BarResolution): Instant {
  if (resolution !== '4h') return plain[resolution] * Math.floor(instant / plain[resolution])
  return instantOfEastern(easternDate(instant), FOUR_HOURS * Math.floor(easternMinutes(instant) / FOUR_HOURS))
}

/**
 * The end of the bar that begins at a moment. A bar of four hours that holds a change of the clocks takes three hours or
 * five, so that the next one begins on its hour.
 */
export function barEnd(start: Instant, resolution: BarResolution): Instant {
  if (resolution !== '4h') return start + plain[resolution]
  return instantOfEastern(easternDate(start), easternMinutes(start) + FOUR_HOURS)
}

/** How long a bar takes at most, minutes. */
export function longestBar(resolution: BarResolution): number {
  return resolution === '4h' ? FOUR_HOURS + 60 : plain[resolution] / MILLISECONDS_PER_MINUTE
}

/** Bars rolled up from shorter buckets, ascending; those without a print are left out. */
export function flowBars(buckets: readonly FlowBucket[], resolution: BarResolution): readonly FlowBar[] {
  const rolled = merged(buckets, (start) => barStart(start, resolution))
  return rolled.map((bucket) => ({ ...bucket, end: barEnd(bucket.start, resolution) }))
}

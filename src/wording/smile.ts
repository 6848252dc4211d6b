import type { Refusal, Slice } from '../volatility/smile/slice.ts'
import { level } from './format.ts'

/** Why an expiration has no fitted smile, as the end of a sentence. */
const reasons: Readonly<Record<Refusal, string>> = {
  last_hour: 'it settles within the hour',
  few_points: 'too few usable quotes, or too few on one side of the forward',
  no_centre: 'no usable quote close to the forward on both sides',
  no_fit: 'no curve within the bounds of SVI fits its quotes',
  rough: 'the best curve misses its quotes by too much',
  out_of_range: 'its volatility at the forward lies outside 5 to 200%'
}

/** What became of the fit of one smile. */
export function fitReading({ refusal, rms, points, constrained, anchored }: Slice): string {
  if (refusal !== undefined) return `Fit refused: ${reasons[refusal]}.`
  const held = constrained ? ', held free of butterflies' : anchored ? ', held to their centre' : ''
  return `Fit accepted: off by ${level(100 * rms!)} vol points (rms) over ${points.size} quotes${held}.`
}

import type { Macro } from '../market/macro.ts'

/** Ratings of the market's mood, most fearful first. */
export const fearAndGreedRatings = ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed'] as const
export type FearAndGreedRating = (typeof fearAndGreedRatings)[number]

export interface FearAndGreed {
  /** Whole number from 0 (extreme fear) to 100 (extreme greed). */
  readonly score: number
  readonly rating: FearAndGreedRating
}

/** The score at which each rating ends and the next begins. */
const bounds = [25, 45, 56, 76]

/** Score, rounded, and its rating. Undefined if no source provides a score. Source: the published API contract. */
export function fearAndGreed({ fearAndGreed: stated }: Macro): FearAndGreed | undefined {
  if (stated === undefined) return undefined
  const score = Math.round(stated)
  const at = bounds.findIndex((bound) => score < bound)
  return { score, rating: fearAndGreedRatings[at === -1 ? bounds.length : at] }
}

/** The mood of the market, most fearful first. */
export const fearAndGreedRatings = ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed'] as const
export type FearAndGreedRating = (typeof fearAndGreedRatings)[number]

/** Below these scores, in turn, a rating ends. */
const bounds = [25, 45, 56, 76]

/** The word for a whole score from 0, extreme fear, to 100, extreme greed. Source: the wire contract. */
export function fearAndGreedRating(score: number): FearAndGreedRating {
  const at = bounds.findIndex((bound) => score < bound)
  return fearAndGreedRatings[at === -1 ? bounds.length : at]
}

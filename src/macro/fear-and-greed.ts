import type { Macro } from '../market/macro.ts'

/** The mood of the market, most fearful first. */
export const fearAndGreedRatings = ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed'] as const
export type FearAndGreedRating = (typeof fearAndGreedRatings)[number]

export interface FearAndGreed {
  /** A whole number from 0, extreme fear, to 100, extreme greed. */
  readonly score: number
  readonly rating: FearAndGreedRating
}

/** Below these scores, in turn, a rating ends. */
const bounds = [25, 45, 56, 76]

/** The mood as a whole score and its rating. Undefined where no source states one. Source: the wire contract. */
export function fearAndGreed({ fearAndGreed: stated }: Macro): FearAndGreed | undefined {
  if (stated === undefined) return undefined
  const score = Math.round(stated)
  const at = bounds.findIndex((bound) => score < bound)
  return { score, rating: fearAndGreedRatings[at === -1 ? bounds.length : at] }
}

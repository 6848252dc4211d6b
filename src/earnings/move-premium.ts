import { ratio } from '../math/optional.ts'
import { mean, median, sampleStandardDeviation } from '../math/statistics.ts'
import { type PastReport, surprise } from './past-reports.ts'

/** Labels that compare an implied move with past moves, the most expensive first. */
export const moveAssessments = [
  'rich',
  'slightly_rich',
  'fair',
  'slightly_cheap',
  'cheap',
  'insufficient_data'
] as const
export type MoveAssessment = (typeof moveAssessments)[number]

export const directionalBiases = ['downside_overpriced', 'upside_overpriced'] as const
export type DirectionalBias = (typeof directionalBiases)[number]

/** The implied move of an earnings report compared with the absolute moves at earlier reports. Moves are in percent. */
export interface MovePremium {
  readonly implied: number | undefined
  readonly realizedMedian: number | undefined
  readonly realizedMean: number | undefined
  readonly ratio: number | undefined
  /**
   * Distance of the implied move from the mean of the past moves, in sample standard deviations. Positive if the
   * implied move is larger.
   */
  readonly zScore: number | undefined
  /** Percentage of past moves that were smaller than the implied move. Equal ones count half. */
  readonly percentile: number | undefined
  readonly assessment: MoveAssessment
  readonly bias: DirectionalBias | undefined
}

/** Minimum number of past earnings reports: for a label (`MIN_ASSESSED`), and for a rank (`MIN_RANKED`). */
const [MIN_ASSESSED, MIN_RANKED] = [4, 5]
/** Labels with their minimum ratio of implied move to median past move. */
const bands = [
  [1.5, 'rich'],
  [1.15, 'slightly_rich'],
  [0.85, 'fair'],
  [0.67, 'slightly_cheap']
] as const
/**
 * Share of all movement that was upward. From `MOSTLY_UP` on, puts were too expensive; up to `MOSTLY_DOWN`, calls were.
 */
const [MOSTLY_UP, MOSTLY_DOWN] = [0.65, 0.35]

/**
 * Compares the implied move with past moves. All are in percent. Past moves are negative if the price fell. Source: the
 * published API contract, the premium of earnings.
 */
export function movePremium(implied: number | undefined, moves: readonly number[]): MovePremium {
  const realized = moves.map(Math.abs)
  const [middle, average] = [median(realized), mean(realized)]
  const premium = implied === undefined || middle === undefined ? undefined : ratio(implied, middle)
  const isRanked = implied !== undefined && realized.length >= MIN_RANKED
  return {
    implied,
    realizedMedian: middle,
    realizedMean: average,
    ratio: premium,
    zScore: isRanked ? ratio(implied - average!, sampleStandardDeviation(realized)!) : undefined,
    percentile: isRanked ? percentileOf(implied, realized) : undefined,
    assessment: assessmentOf(premium, realized.length),
    bias: biasOf(moves)
  }
}

function percentileOf(implied: number, realized: readonly number[]): number {
  const below = realized.filter((move) => move < implied).length
  const equal = realized.filter((move) => move === implied).length
  return (100 * (below + 0.5 * equal)) / realized.length
}

function assessmentOf(premium: number | undefined, reports: number): MoveAssessment {
  if (premium === undefined || reports < MIN_ASSESSED) return 'insufficient_data'
  return bands.find(([least]) => premium >= least)?.[1] ?? 'cheap'
}

function biasOf(moves: readonly number[]): DirectionalBias | undefined {
  const up = moves.reduce((sum, move) => sum + Math.max(0, move), 0)
  const all = moves.reduce((sum, move) => sum + Math.abs(move), 0)
  if (moves.length < MIN_RANKED || all === 0) return undefined
  if (up / all >= MOSTLY_UP) return 'downside_overpriced'
  return up / all <= MOSTLY_DOWN ? 'upside_overpriced' : undefined
}

/**
 * Mean price move in percent after earnings that were above, below and near their estimate. Negative if the price fell,
 * undefined if there were none.
 */
export interface SurpriseReaction {
  readonly beat: number | undefined
  readonly miss: number | undefined
  readonly inline: number | undefined
}

/** A surprise of up to this many percent counts as in line with the estimate. */
const INLINE = 1

/** Mean price moves by kind of surprise. Earnings reports without an estimate are ignored. */
export function surpriseReaction(reports: readonly PastReport[]): SurpriseReaction {
  const kinds: Record<keyof SurpriseReaction, number[]> = { beat: [], miss: [], inline: [] }
  for (const { event, move } of reports) {
    const above = surprise(event.epsActual, event.epsEstimate)
    if (move === undefined || above === undefined) continue
    kinds[above > INLINE ? 'beat' : above < -INLINE ? 'miss' : 'inline'].push(move)
  }
  return { beat: mean(kinds.beat), miss: mean(kinds.miss), inline: mean(kinds.inline) }
}

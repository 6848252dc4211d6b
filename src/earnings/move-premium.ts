import { ratio } from '../math/optional.ts'
import { mean, median, sampleStandardDeviation } from '../math/statistics.ts'
import { type PastReport, surprise } from './past-reports.ts'

/** Labels of an implied move compared with past moves, dearest first. */
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

/** Implied move of an earnings report compared with the moves at earlier reports, percent. */
export interface MovePremium {
  readonly implied: number | undefined
  readonly realizedMedian: number | undefined
  readonly realizedMean: number | undefined
  readonly ratio: number | undefined
  /** Distance of the implied move from the mean past move in sample standard deviations. */
  readonly zScore: number | undefined
  /** Percent of past moves that were smaller, plus half of the equal ones. */
  readonly percentile: number | undefined
  readonly assessment: MoveAssessment
  readonly bias: DirectionalBias | undefined
}

/** Minimum number of past earnings reports for a label and for a rank. */
const [MIN_ASSESSED, MIN_RANKED] = [4, 5]
/** Minimum ratio of implied to median realized move for each label. */
const bands = [
  [1.5, 'rich'],
  [1.15, 'slightly_rich'],
  [0.85, 'fair'],
  [0.67, 'slightly_cheap']
] as const
/** Fractions of upward movement above which puts were overpriced and below which calls were. */
const [MOSTLY_UP, MOSTLY_DOWN] = [0.65, 0.35]

/**
 * Compares an implied move with past moves, both in percent; past moves are signed. Source: the wire contract, the
 * premium of earnings.
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

/** Mean signed move in percent after earnings above, below and near their estimate; undefined without any. */
export interface SurpriseReaction {
  readonly beat: number | undefined
  readonly miss: number | undefined
  readonly inline: number | undefined
}

/** Largest surprise, in percent, that counts as in line with the estimate. */
const INLINE = 1

/** Mean moves by surprise. Earnings reports without an estimate are ignored. */
export function surpriseReaction(reports: readonly PastReport[]): SurpriseReaction {
  const kinds: Record<keyof SurpriseReaction, number[]> = { beat: [], miss: [], inline: [] }
  for (const { event, move } of reports) {
    const above = surprise(event.epsActual, event.epsEstimate)
    if (move === undefined || above === undefined) continue
    kinds[above > INLINE ? 'beat' : above < -INLINE ? 'miss' : 'inline'].push(move)
  }
  return { beat: mean(kinds.beat), miss: mean(kinds.miss), inline: mean(kinds.inline) }
}

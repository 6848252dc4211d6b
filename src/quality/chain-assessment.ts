import { cappedDelay, overdueBy } from '../market/data-age.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { type QualityCheck, qualityScore } from './quality-check.ts'

/** Time of a chain and the timing of its feed. */
export interface ChainAge {
  readonly asOf: Instant
  /** Delay of the source in seconds. */
  readonly delay: number
  /** Shortest interval between two chains of the source, milliseconds. */
  readonly pace: number
}

/** Number of the source's intervals after which a chain counts as late, and as very late. */
const LATE = 3
const VERY_LATE = 20

/**
 * Age of a chain beyond the delay of its source, seconds. It costs points as soon as the source should have something
 * newer: after the close of its session only once the next one has opened.
 */
export function ageCheck(chain: ChainAge, now: Instant): QualityCheck {
  const { asOf, delay, pace } = chain
  const value = Math.max(0, (now - asOf) / 1000 - delay)
  return { id: 'age', value, deduction: pointsFor(overdueBy(chain, 1000 * cappedDelay(chain), now) / pace) }
}

function pointsFor(intervals: number): number {
  if (intervals <= LATE) return 0
  return intervals <= VERY_LATE ? 10 : 30
}

/** Stored result of the quality checks of a chain, except the age check, which depends on the current time. */
export interface ChainAssessment extends ChainAge {
  readonly symbol: Ticker
  /** Points deducted by all checks except the age check. */
  readonly deducted: number
}

export function scoreAt(assessment: ChainAssessment, now: Instant): number {
  return qualityScore(assessment.deducted + ageCheck(assessment, now).deduction)
}

import { isMarketOpen } from '../market/clock.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { type QualityCheck, qualityScore } from './quality-check.ts'

/** What is known of the feed of a chain when it is looked at. */
export interface ChainAge {
  readonly asOf: Instant
  /** Seconds that its source runs behind the market. */
  readonly delay: number
  /** Milliseconds between two chains of it at best. */
  readonly pace: number
}

/** Intervals of the source that a chain may be late, and those after which it is very late. */
const LATE = 3
const VERY_LATE = 20

/** How old a chain is beyond the delay of its source, seconds. Outside the session nothing newer is to be expected. */
export function ageCheck({ asOf, delay, pace }: ChainAge, now: Instant): QualityCheck {
  const value = Math.max(0, (now - asOf) / 1000 - delay)
  return { id: 'age', value, deduction: isMarketOpen(now) ? pointsFor((1000 * value) / pace) : 0 }
}

function pointsFor(intervals: number): number {
  if (intervals <= LATE) return 0
  return intervals <= VERY_LATE ? 10 : 30
}

/** What is known of the quality of a chain: with the clock it makes the score. */
export interface ChainAssessment extends ChainAge {
  readonly symbol: Ticker
  /** The points that all checks but that of the age cost. */
  readonly deducted: number
}

/** The score of a chain at a moment, 0 to 100. */
export function scoreAt(assessment: ChainAssessment, now: Instant): number {
  return qualityScore(assessment.deducted + ageCheck(assessment, now).deduction)
}

import type { Instant, Ticker } from '../market/units.ts'
import { ageCheck, type ChainAge } from './age-check.ts'
import { qualityScore } from './check.ts'

/** What is known of the quality of a chain: with the clock it makes the score. */
export interface Assessment extends ChainAge {
  readonly symbol: Ticker
  /** The points that all checks but that of the age cost. */
  readonly deducted: number
}

/** The score of a chain at a moment, 0 to 100. */
export function scoreAt(assessment: Assessment, now: Instant): number {
  return qualityScore(assessment.deducted + ageCheck(assessment, now).deduction)
}

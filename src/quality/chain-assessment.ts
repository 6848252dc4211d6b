import { cappedDelay, overdueBy } from '../market/data-age.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { checked, type QualityCheck, qualityScore } from './quality-check.ts'

/** Moment of a chain, and how fast its data source delivers. */
export interface ChainAge {
  readonly asOf: Instant
  /** Usual delay of the data source, seconds. */
  readonly delay: number
  /** Shortest interval between two chains from the data source, milliseconds. */
  readonly pace: number
}

/**
 * A chain is late if it is older than this many intervals between two chains of its source, and very late if it is
 * older than `VERY_LATE` of them.
 */
const LATE = 3
const VERY_LATE = 20

/**
 * Checks the age of a chain, in seconds beyond the usual delay of its source. Age costs points from the moment at which
 * the source should have something newer. After the close of the chain's trading session, that is only once the next
 * session has opened.
 */
export function ageCheck(chain: ChainAge, now: Instant): QualityCheck {
  const { asOf, delay, pace } = chain
  const value = Math.max(0, (now - asOf) / 1000 - delay)
  return checked('age', value, pointsFor(overdueBy(chain, 1000 * cappedDelay(chain), now) / pace))
}

function pointsFor(intervals: number): number {
  if (intervals <= LATE) return 0
  return intervals <= VERY_LATE ? 10 : 30
}

/** Points that all checks except the age check deduct from a chain, and the one that deducts most. */
export interface ChainDeductions {
  readonly deducted: number
  /** The check that deducts most; undefined if none deducts anything. */
  readonly costliest: QualityCheck | undefined
}

/** Stored result of a chain's quality checks. The age check is not included, because it depends on the current time. */
export interface ChainAssessment extends ChainAge, ChainDeductions {
  readonly symbol: Ticker
  /** Score below which nothing is concluded from the chain. */
  readonly floor: number
}

export function scoreAt(assessment: ChainAssessment, now: Instant): number {
  return qualityScore(assessment.deducted + ageCheck(assessment, now).deduction)
}

/** Why nothing is concluded from a chain: its score is below the floor, most of all because of one check. */
export interface DataDistrust {
  readonly score: number
  readonly floor: number
  readonly check: QualityCheck
}

/** Why nothing may be concluded from a chain at `now`; undefined if its score reaches the floor. */
export function distrustAt(assessment: ChainAssessment, now: Instant): DataDistrust | undefined {
  const { costliest, deducted, floor } = assessment
  const age = ageCheck(assessment, now)
  const score = qualityScore(deducted + age.deduction)
  if (score >= floor) return undefined
  const check = costliest === undefined || age.deduction > costliest.deduction ? age : costliest
  return { score, floor, check }
}

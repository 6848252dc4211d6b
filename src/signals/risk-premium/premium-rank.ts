import type { DailyRecord } from '../../market/daily-record.ts'
import { difference } from '../../math/optional.ts'
import { mean, sampleStandardDeviation } from '../../math/statistics.ts'

/** Number of past trading sessions with which a premium is compared. */
export const WINDOW_SESSIONS = 60
/**
 * Number of daily records read for the rank of the premium and for the correlation of spot and volatility. These are
 * the sessions to compare with, one session before them, and a few more in case some have no volatility.
 */
export const RECORDS_READ = WINDOW_SESSIONS + 8
export const MIN_SESSIONS = 5

export interface PremiumRank {
  /** Number of trading sessions in the comparison, at most 60. */
  readonly sessions: number
  /**
   * Distance of the premium from the mean, in sample standard deviations. Undefined with too few sessions or if all
   * premiums are equal.
   */
  readonly zScore: number | undefined
  /** Percentage of sessions with a lower premium, where equal ones count half. A whole number from 0 to 100. */
  readonly percentile: number | undefined
}

/**
 * Premiums of the last 60 records that have both volatilities, ascending by date. A premium is at-the-money minus
 * 20-day realized volatility, in vol points.
 */
export function premiumWindow(records: readonly DailyRecord[]): readonly number[] {
  return records.flatMap(({ atmIv, rv20 }) => difference(atmIv, rv20) ?? []).slice(-WINDOW_SESSIONS)
}

/** Rank of a premium among earlier ones. Source: the published API contract, x-conventions.vrp.history. */
export function premiumRank(premium: number | undefined, window: readonly number[]): PremiumRank {
  const sessions = window.length
  if (premium === undefined || sessions < MIN_SESSIONS) return { sessions, zScore: undefined, percentile: undefined }
  const deviation = sampleStandardDeviation(window)!
  const alike = window.every((other) => other === window[0]) // equal values may have a deviation by rounding
  const below = window.filter((other) => other < premium).length
  const equal = window.filter((other) => other === premium).length
  return {
    sessions,
    zScore: alike ? undefined : (premium - mean(window)!) / deviation,
    percentile: Math.round((100 * (below + 0.5 * equal)) / sessions)
  }
}

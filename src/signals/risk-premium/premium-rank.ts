import type { DailyRecord } from '../../market/daily-record.ts'
import { difference } from '../../math/optional.ts'
import { mean, sampleStandardDeviation } from '../../math/statistics.ts'

/** Number of past sessions that a premium is compared with. */
export const WINDOW_SESSIONS = 60
/**
 * Daily records read for the rank and for the correlation of spot and volatility: the window, one earlier session, and
 * a reserve for sessions without a volatility.
 */
export const RECORDS_READ = WINDOW_SESSIONS + 8
export const MIN_SESSIONS = 5

export interface PremiumRank {
  /** Number of sessions in the comparison, at most 60. */
  readonly sessions: number
  /** Distance from the mean in sample standard deviations. Undefined also if all premiums are equal. */
  readonly zScore: number | undefined
  /** Whole number from 0 to 100: the percent of lower premiums plus half of the equal ones. */
  readonly percentile: number | undefined
}

/**
 * Premiums (at-the-money less 20-day realized volatility, vol points) of the last 60 records that have both
 * volatilities, ascending by date.
 */
export function premiumWindow(records: readonly DailyRecord[]): readonly number[] {
  return records.flatMap(({ atmIv, rv20 }) => difference(atmIv, rv20) ?? []).slice(-WINDOW_SESSIONS)
}

/** Rank of a premium within a window of earlier ones. Source: the wire contract, x-conventions.vrp.history. */
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

import type { DailyRecord } from '../../market/daily-record.ts'
import { difference } from '../../math/optional.ts'
import { mean, sampleStandardDeviation } from '../../math/statistics.ts'

/** Past sessions that a premium is compared with. */
export const WINDOW_SESSIONS = 60
/**
 * Daily records that the rank and the correlation of spot and volatility read: the window and one session before it, and
 * a few more in the place of sessions without a volatility.
 */
export const RECORDS_READ = WINDOW_SESSIONS + 8
/** With fewer of them there is nothing to compare with. */
export const MIN_SESSIONS = 5

/** Where a premium stands among those of the sessions before it. */
export interface PremiumRank {
  /** Sessions compared with, 60 at most. */
  readonly sessions: number
  /** In sample deviations from their mean. Undefined also where they never differ. */
  readonly zScore: number | undefined
  /** A whole number, 0 to 100: those below, and half of those equal. */
  readonly percentile: number | undefined
}

/** atm_iv less the realized volatility of 20 returns, vol points, of the last 60 records that have both, ascending. */
export function premiumWindow(records: readonly DailyRecord[]): readonly number[] {
  return records.flatMap(({ atmIv, rv20 }) => difference(atmIv, rv20) ?? []).slice(-WINDOW_SESSIONS)
}

/** The rank of a premium in a window of earlier ones. Source: the wire contract, x-conventions.vrp.history. */
export function premiumRank(premium: number | undefined, window: readonly number[]): PremiumRank {
  const sessions = window.length
  if (premium === undefined || sessions < MIN_SESSIONS) return { sessions, zScore: undefined, percentile: undefined }
  const deviation = sampleStandardDeviation(window)!
  const alike = window.every((other) => other === window[0]) // what rounding leaves of no deviation is none
  const below = window.filter((other) => other < premium).length
  const equal = window.filter((other) => other === premium).length
  return {
    sessions,
    zScore: alike ? undefined : (premium - mean(window)!) / deviation,
    percentile: Math.round((100 * (below + 0.5 * equal)) / sessions)
  }
}

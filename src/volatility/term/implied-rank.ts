import type { DailyRecord } from '../../market/daily-record.ts'

/** Number of trading sessions over which the one-year rank and percentile are computed. */
export const RANKED_SESSIONS = 252
const MIN_RANKED = 60

/** At-the-money volatilities of the last year's daily records, percent. Undefined if there are too few. */
function window(records: readonly Pick<DailyRecord, 'atmIv'>[]): readonly number[] | undefined {
  const known = records.slice(-RANKED_SESSIONS).flatMap(({ atmIv }) => atmIv ?? [])
  return known.length < MIN_RANKED ? undefined : known
}

/**
 * One-year IV rank: 100 (iv - min) / (max - min) over the previous trading sessions, limited to 0 to 100. Volatilities
 * are in percent; records must be ascending. Undefined with fewer than 60 sessions or if all volatilities are equal.
 * Source: the published API contract, x-screener-fields.
 */
export function impliedRank(
  iv: number | undefined,
  records: readonly Pick<DailyRecord, 'atmIv'>[]
): number | undefined {
  const known = window(records)
  if (iv === undefined || known === undefined) return undefined
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return high === low ? undefined : Math.min(100, Math.max(0, (100 * (iv - low)) / (high - low)))
}

/** One-year IV percentile: percentage of the previous trading sessions that had a lower volatility. */
export function impliedPercentile(
  iv: number | undefined,
  records: readonly Pick<DailyRecord, 'atmIv'>[]
): number | undefined {
  const known = window(records)
  if (iv === undefined || known === undefined) return undefined
  return (100 * known.filter((other) => other < iv).length) / known.length
}

/** Number of daily records over which the 30-session rank is computed. `MIN_SESSIONS` is the least number. */
export const RANK_SESSIONS = 30
const MIN_SESSIONS = 10

/**
 * IV rank over the last 30 trading sessions, 0 to 100. Volatilities are at the money, in percent. Undefined if fewer
 * than 10 records have a volatility, or if all are equal. Source: the published API contract.
 */
export function ivRank(atmIv: number, records: readonly DailyRecord[]): number | undefined {
  const past = records.slice(-RANK_SESSIONS).flatMap((record) => record.atmIv ?? [])
  const [low, high] = [Math.min(...past), Math.max(...past)]
  if (past.length < MIN_SESSIONS || low === high) return undefined
  return 100 * Math.min(1, Math.max(0, (atmIv - low) / (high - low)))
}

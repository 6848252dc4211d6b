import type { DailyRecord } from '../../market/daily-record.ts'

/** Number of sessions behind the one-year rank and percentile. */
export const RANKED_SESSIONS = 252
const MIN_RANKED = 60

/** At-the-money volatilities of the last year's records, percent; undefined if there are too few. */
function window(records: readonly Pick<DailyRecord, 'atmIv'>[]): readonly number[] | undefined {
  const known = records.slice(-RANKED_SESSIONS).flatMap(({ atmIv }) => atmIv ?? [])
  return known.length < MIN_RANKED ? undefined : known
}

/**
 * One-year IV rank, 0 to 100: 100 (iv - min) / (max - min) over the previous sessions, clamped. Volatilities in
 * percent, records ascending. Undefined below 60 sessions or if all are equal. Source: the wire contract,
 * x-screener-fields.
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

/** One-year IV percentile: percent of sessions with a lower volatility. */
export function impliedPercentile(
  iv: number | undefined,
  records: readonly Pick<DailyRecord, 'atmIv'>[]
): number | undefined {
  const known = window(records)
  if (iv === undefined || known === undefined) return undefined
  return (100 * known.filter((other) => other < iv).length) / known.length
}

/** Number of daily records behind the 30-session rank, and the minimum. */
export const RANK_SESSIONS = 30
const MIN_SESSIONS = 10

/**
 * 30-session IV rank, 0 to 100, clamped. Undefined with fewer than 10 records that have a volatility or if all are
 * equal. All volatilities are at the money, in percent. Source: the wire contract.
 */
export function ivRank(atmIv: number, records: readonly DailyRecord[]): number | undefined {
  const past = records.slice(-RANK_SESSIONS).flatMap((record) => record.atmIv ?? [])
  const [low, high] = [Math.min(...past), Math.max(...past)]
  if (past.length < MIN_SESSIONS || low === high) return undefined
  return 100 * Math.min(1, Math.max(0, (atmIv - low) / (high - low)))
}

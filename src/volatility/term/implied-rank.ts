import type { DailyRecord } from '../../market/daily-record.ts'

/** Sessions that a volatility is compared with: a year of them. */
export const RANKED_SESSIONS = 252
/** With fewer of them there is nothing to compare with. */
const MIN_RANKED = 60

/** At-the-money volatilities of the records that have one, percent. Undefined where they are too few. */
function window(records: readonly Pick<DailyRecord, 'atmIv'>[]): readonly number[] | undefined {
  const known = records.slice(-RANKED_SESSIONS).flatMap(({ atmIv }) => atmIv ?? [])
  return known.length < MIN_RANKED ? undefined : known
}

/**
 * Where a volatility lies between the lowest and the highest of the sessions before, 0 to 100: 100 (iv - min) / (max - min),
 * beyond them the end itself. Undefined below 60 sessions, and where they never differ. Volatilities in percent, records
 * ascending. Source: the wire contract, x-screener-fields.
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

/** Percent of those sessions whose volatility was lower. */
export function impliedPercentile(
  iv: number | undefined,
  records: readonly Pick<DailyRecord, 'atmIv'>[]
): number | undefined {
  const known = window(records)
  if (iv === undefined || known === undefined) return undefined
  return (100 * known.filter((other) => other < iv).length) / known.length
}

/** Daily records that the rank looks back on, and the least of them that make one. */
export const RANK_SESSIONS = 30
const MIN_SESSIONS = 10

/**
 * Where a volatility stands between the lowest and the highest of the last 30 daily records, 0 to 100. A volatility beyond
 * either of them is at that end. Undefined with fewer than 10 records that have one, or where they never differ.
 *
 * Unit: both volatilities in percent, at the money. Source: the wire contract.
 */
export function ivRank(atmIv: number, records: readonly DailyRecord[]): number | undefined {
  const past = records.slice(-RANK_SESSIONS).flatMap((record) => record.atmIv ?? [])
  const [low, high] = [Math.min(...past), Math.max(...past)]
  if (past.length < MIN_SESSIONS || low === high) return undefined
  return 100 * Math.min(1, Math.max(0, (atmIv - low) / (high - low)))
}

import type { DailyRecord } from '../market/daily-record.ts'

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

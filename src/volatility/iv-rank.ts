import type { DailyRecord } from '../market/daily-record.ts'

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

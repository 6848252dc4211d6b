import type { IsoDate } from '../../market/units.ts'
import type { Totals } from '../tape-views.ts'

export interface SessionTotals {
  readonly bought: number
  readonly sold: number
  readonly other: number
  readonly trades: number
  /** Number of series with a print. */
  readonly contracts: number
  readonly biggest: number
  /** Time of the newest print, microseconds; undefined without a print. */
  readonly newest: number | undefined
}

/** Sums of the whole session, or of one expiration date. */
export function sessionTotals(totals: Totals, expiry?: IsoDate): SessionTotals {
  const { expirations } = totals
  const sums = { bought: 0, sold: 0, other: 0, trades: 0, contracts: 0, biggest: 0, newest: Number.NEGATIVE_INFINITY }
  for (let k = 0; k < totals.trades.length; k++) {
    if (totals.trades[k] === 0 || (expiry !== undefined && expirations[k].date !== expiry)) continue
    sums.bought += totals.bought[k]
    sums.sold += totals.sold[k]
    sums.other += totals.other[k]
    sums.trades += totals.trades[k]
    sums.contracts += totals.contracts[k]
    sums.biggest = Math.max(sums.biggest, totals.biggest[k])
    sums.newest = Math.max(sums.newest, totals.newest[k])
  }
  return { ...sums, newest: sums.trades === 0 ? undefined : sums.newest }
}

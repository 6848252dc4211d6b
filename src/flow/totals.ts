import { type ColumnsOf, sharedColumns } from './columns.ts'
import type { MinutesState } from './minutes.ts'
import { headerOf, type Moment } from './moment.ts'
import type { TradedState } from './traded.ts'
import type { Totals } from './views.ts'

const kinds = {
  bought: Float64Array,
  sold: Float64Array,
  other: Float64Array,
  trades: Int32Array,
  contracts: Int32Array,
  biggest: Int32Array,
  newest: Float64Array
} as const

/** The session as the sum of its minutes: a biggest print that is taken back gives way to that of another minute. */
export function totalsView({ buckets, rows }: MinutesState, { columns }: TradedState, moment: Moment): Totals {
  const { series } = moment
  const { expirations } = series
  const totals = sharedColumns(kinds, Math.max(expirations.length, 1))
  totals.newest.fill(Number.NaN)
  for (const ofMinute of rows.values()) {
    for (let expiration = 0; expiration < ofMinute.length; expiration++) {
      const row = ofMinute[expiration]
      if (row >= 0 && buckets.trades[row] > 0) addBucket(totals, expiration, buckets, row)
    }
  }
  columns.prints.forEach((prints, instrument) => {
    if (prints > 0) totals.contracts[Math.max(series.expiration[instrument], 0)]++
  })
  return { ...headerOf(moment), expirations, ...totals }
}

function addBucket(totals: ColumnsOf<typeof kinds>, at: number, buckets: MinutesState['buckets'], row: number): void {
  totals.bought[at] += buckets.bought[row]
  totals.sold[at] += buckets.sold[row]
  totals.other[at] += buckets.other[row]
  totals.trades[at] += buckets.trades[row]
  totals.biggest[at] = Math.max(totals.biggest[at], buckets.biggest[row])
  const newest = buckets.newest[row]
  if (!(totals.newest[at] >= newest)) totals.newest[at] = newest
}

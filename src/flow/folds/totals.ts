import { ADJUSTED } from '../../market/print.ts'
import { type ColumnsOf, copyOf, emptyColumns, sharedColumns, withRoom } from '../columns.ts'
import type { Fold, FoldedTape } from '../fold.ts'
import { type Totals, tapeHeaderOf, type ViewContext } from '../tape-views.ts'
import type { MinutesState } from './minutes.ts'

const kinds = { prints: Int32Array } as const

/** Number of prints of each instrument. Adjusted series are left out. */
export interface TradedState {
  columns: ColumnsOf<typeof kinds>
}

export const traded: Fold<TradedState> = {
  version: 1,
  kinds: ['option', 'stock'],
  begin: () => ({ columns: emptyColumns(kinds, 0) }),
  step(state, tape, from, to) {
    const { length } = tape.series
    if (length > state.columns.prints.length) state.columns = withRoom(state.columns, length)
    add(state, tape, from, to, 1)
  },
  undo: (state, tape, at) => add(state, tape, at, at + 1, -1),
  copy: ({ columns }) => ({ columns: copyOf(columns) })
}

function add({ columns }: TradedState, { prints }: FoldedTape, from: number, to: number, sign: number): void {
  const { flags, instrument } = prints
  for (let at = from; at < to; at++) if ((flags[at] & ADJUSTED) === 0) columns.prints[instrument[at]] += sign
}

const totalKinds = {
  bought: Float64Array,
  sold: Float64Array,
  other: Float64Array,
  trades: Int32Array,
  contracts: Int32Array,
  biggest: Int32Array,
  newest: Float64Array
} as const

/**
 * Computes the sums of a session from the sums of its minutes. The biggest and newest print stay right after a cancel,
 * because each minute corrects its own.
 */
export function totalsView({ buckets, rows }: MinutesState, { columns }: TradedState, moment: ViewContext): Totals {
  const { series } = moment
  const { expirations } = series
  const totals = sharedColumns(totalKinds, Math.max(expirations.length, 1))
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
  return { ...tapeHeaderOf(moment), expirations, ...totals }
}

function addBucket(
  totals: ColumnsOf<typeof totalKinds>,
  at: number,
  buckets: MinutesState['buckets'],
  row: number
): void {
  totals.bought[at] += buckets.bought[row]
  totals.sold[at] += buckets.sold[row]
  totals.other[at] += buckets.other[row]
  totals.trades[at] += buckets.trades[row]
  totals.biggest[at] = Math.max(totals.biggest[at], buckets.biggest[row])
  const newest = buckets.newest[row]
  if (!(totals.newest[at] >= newest)) totals.newest[at] = newest
}

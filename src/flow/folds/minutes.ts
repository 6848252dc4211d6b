import { ADJUSTED } from '../../market/print.ts'
import { MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { copyOf, emptyColumns, sharedColumns, sharedOrder, withRoom } from '../columns.ts'
import type { Fold } from '../fold.ts'
import type { MinuteBuckets, SessionMoney } from '../tape-views.ts'
import { tapeHeaderOf, type ViewContext } from '../tape-views.ts'
import {
  type Buckets,
  beginBucket,
  bucketKinds,
  bucketStateKinds,
  countPrint,
  noteEnds,
  noteExtremes,
  takeBack
} from './buckets.ts'

const MINUTE = 60_000_000 // microseconds
const NO_ROW = -1
const FIRST_ROWS = 64
const noRows: Int32Array = new Int32Array(0)

const keyKinds = { minute: Float64Array, expiration: Int32Array } as const

/** Sums by minute and expiration over all prints except those of adjusted series. */
export interface MinutesState {
  /**
   * Whether buckets have an open and a close. On option tapes they have none, because a bucket mixes the prices of many
   * contracts.
   */
  readonly hasEnds: boolean
  buckets: Buckets
  /** Number of buckets in use, in the order of their first print. */
  length: number
  /** For each minute since 1970, the bucket row of each expiration. */
  rows: Map<number, Int32Array>
}

export const minutes: Fold<MinutesState> = {
  version: 1,
  kinds: ['option', 'stock'],
  begin: ({ kind }) => ({
    hasEnds: kind === 'stock',
    buckets: emptyColumns(bucketStateKinds, FIRST_ROWS),
    length: 0,
    rows: new Map()
  }),
  step(state, { prints, series }, from, to) {
    const { hasEnds } = state
    const { ts, flags, instrument } = prints
    const expirations = Math.max(series.expirations.length, 1)
    let begin = Number.NaN
    let rows = noRows
    for (let at = from; at < to; at++) {
      if ((flags[at] & ADJUSTED) !== 0) continue
      if (!(ts[at] >= begin && ts[at] < begin + MINUTE)) {
        const minute = Math.floor(ts[at] / MINUTE)
        rows = rowsAt(state, minute, expirations)
        begin = minute * MINUTE
      }
      const expiration = Math.max(series.expiration[instrument[at]], 0)
      let row = rows[expiration]
      if (row === NO_ROW) rows[expiration] = row = newBucket(state)
      countPrint(state.buckets, row, prints, at)
      if (hasEnds) noteEnds(state.buckets, row, prints, at)
    }
  },
  undo({ hasEnds, buckets, rows }, { prints, series }, at, near) {
    if ((prints.flags[at] & ADJUSTED) !== 0) return
    const minute = Math.floor(prints.ts[at] / MINUTE)
    const expiration = series.expiration[prints.instrument[at]]
    const row = rows.get(minute)![Math.max(expiration, 0)]
    if (!takeBack(buckets, row, prints, at)) return
    const others = near('expiration')
    const { ts, flags, instrument, length } = others
    for (let k = 0; k < length; k++) {
      if (ts[k] < minute * MINUTE || ts[k] >= (minute + 1) * MINUTE || (flags[k] & ADJUSTED) !== 0) continue
      if (series.expiration[instrument[k]] !== expiration) continue
      noteExtremes(buckets, row, others, k)
      if (hasEnds) noteEnds(buckets, row, others, k)
    }
  },
  copy: ({ hasEnds, buckets, length, rows }) => ({
    hasEnds,
    buckets: copyOf(buckets),
    length,
    rows: new Map([...rows].map(([minute, row]) => [minute, row.slice()]))
  })
}

export function minutesView({ buckets, rows }: MinutesState, moment: ViewContext): MinuteBuckets {
  const order: number[] = []
  const minute: number[] = []
  const expiration: number[] = []
  for (const its of [...rows.keys()].sort((a, b) => a - b)) {
    rows.get(its)!.forEach((row, which) => {
      if (row === NO_ROW || buckets.trades[row] === 0) return
      order.push(row)
      minute.push(its * MILLISECONDS_PER_MINUTE)
      expiration.push(which)
    })
  }
  const shown = sharedOrder(bucketKinds, buckets, order)
  const keys = sharedColumns(keyKinds, order.length)
  keys.minute.set(minute)
  keys.expiration.set(expiration)
  return { ...tapeHeaderOf(moment), length: order.length, expirations: moment.series.expirations, ...keys, ...shown }
}

export function moneyView({ buckets, length }: MinutesState, moment: ViewContext): SessionMoney {
  let boughtMoney = 0
  let soldMoney = 0
  for (let row = 0; row < length; row++) {
    boughtMoney += buckets.boughtMoney[row]
    soldMoney += buckets.soldMoney[row]
  }
  return { ...tapeHeaderOf(moment), boughtMoney, soldMoney }
}

/** Bucket row of each expiration in a minute, with room for `expirations`. */
function rowsAt({ rows }: MinutesState, minute: number, expirations: number): Int32Array {
  const known = rows.get(minute) ?? noRows
  if (known.length >= expirations) return known
  const more = new Int32Array(expirations).fill(NO_ROW)
  more.set(known)
  rows.set(minute, more)
  return more
}

function newBucket(state: MinutesState): number {
  const row = state.length++
  state.buckets = withRoom(state.buckets, state.length)
  beginBucket(state.buckets, row)
  return row
}

import { ADJUSTED } from '../market/print.ts'
import { MILLISECONDS_PER_MINUTE } from '../market/units.ts'
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
import { copyOf, emptyColumns, sharedColumns, sharedOrder, withRoom } from './columns.ts'
import type { Fold } from './fold.ts'
import { headerOf, type Moment } from './moment.ts'
import type { MinuteBuckets } from './views.ts'

const MINUTE = 60_000_000 // microseconds
const NO_ROW = -1
const FIRST_ROWS = 64

const keyKinds = { minute: Float64Array, expiration: Int32Array } as const

/** Sums by minute and expiration of every print but those of adjusted series. */
export interface MinutesState {
  /** Of options nothing opens and closes a minute: prices of many contracts stand side by side. */
  readonly hasEnds: boolean
  buckets: Buckets
  /** Rows of buckets so far, in the order in which they were first needed. */
  length: number
  /**
   * Rows by expiration, one minute behind the other: where a minute begins stands for how many expirations it has places,
   * behind that their rows. One column, since an array for each minute of many tapes is more administration than content.
   */
  rows: Int32Array
  rowsLength: number
  /** Where each minute begins in them, by minute since 1970. */
  begins: Map<number, number>
}

export const minutes: Fold<MinutesState> = {
  version: 1,
  kinds: ['option', 'stock'],
  begin: ({ kind }) => ({
    hasEnds: kind === 'stock',
    buckets: emptyColumns(bucketStateKinds, FIRST_ROWS),
    length: 0,
    rows: new Int32Array(FIRST_ROWS),
    rowsLength: 0,
    begins: new Map()
  }),
  step(state, { prints, series }, from, to) {
    const { hasEnds } = state
    const { ts, flags, instrument } = prints
    const expirations = Math.max(series.expirations.length, 1)
    let begin = Number.NaN
    let first = 0
    for (let at = from; at < to; at++) {
      if ((flags[at] & ADJUSTED) !== 0) continue
      if (!(ts[at] >= begin && ts[at] < begin + MINUTE)) {
        const minute = Math.floor(ts[at] / MINUTE)
        first = firstRowAt(state, minute, expirations)
        begin = minute * MINUTE
      }
      const place = first + Math.max(series.expiration[instrument[at]], 0)
      let row = state.rows[place]
      if (row === NO_ROW) state.rows[place] = row = newBucket(state)
      countPrint(state.buckets, row, prints, at)
      if (hasEnds) noteEnds(state.buckets, row, prints, at)
    }
  },
  undo({ hasEnds, buckets, rows, begins }, { prints, series }, at, near) {
    if ((prints.flags[at] & ADJUSTED) !== 0) return
    const minute = Math.floor(prints.ts[at] / MINUTE)
    const expiration = series.expiration[prints.instrument[at]]
    const row = rows[begins.get(minute)! + 1 + Math.max(expiration, 0)]
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
  copy: ({ buckets, rows, begins, ...rest }) => ({
    ...rest,
    buckets: copyOf(buckets),
    rows: rows.slice(),
    begins: new Map(begins)
  })
}

export function minutesView({ buckets, rows, begins }: MinutesState, moment: Moment): MinuteBuckets {
  const order: number[] = []
  const minute: number[] = []
  const expiration: number[] = []
  for (const [its, begin] of [...begins].sort(([a], [b]) => a - b)) {
    for (let which = 0; which < rows[begin]; which++) {
      const row = rows[begin + 1 + which]
      if (row === NO_ROW || buckets.trades[row] === 0) continue
      order.push(row)
      minute.push(its * MILLISECONDS_PER_MINUTE)
      expiration.push(which)
    }
  }
  const shown = sharedOrder(bucketKinds, buckets, order)
  const keys = sharedColumns(keyKinds, order.length)
  keys.minute.set(minute)
  keys.expiration.set(expiration)
  return { ...headerOf(moment), length: order.length, expirations: moment.series.expirations, ...keys, ...shown }
}

/** The place of the first expiration of a minute, with places for so many of them: behind all others where it had fewer. */
function firstRowAt(state: MinutesState, minute: number, expirations: number): number {
  const known = state.begins.get(minute)
  const count = known === undefined ? 0 : state.rows[known]
  if (known !== undefined && count >= expirations) return known + 1
  const begin = state.rowsLength
  const first = begin + 1
  state.rowsLength = first + expirations
  const rows = withRoom({ row: state.rows }, state.rowsLength).row
  rows[begin] = expirations
  if (known !== undefined) rows.copyWithin(first, known + 1, known + 1 + count)
  rows.fill(NO_ROW, first + count, state.rowsLength)
  state.rows = rows
  state.begins.set(minute, begin)
  return first
}

function newBucket(state: MinutesState): number {
  const row = state.length++
  state.buckets = withRoom(state.buckets, state.length)
  beginBucket(state.buckets, row)
  return row
}

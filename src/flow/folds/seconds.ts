import { type ColumnsOf, copyOf, emptyColumns, insertRow, removeRow, sharedRows, withRoom } from '../columns.ts'
import type { Fold } from '../fold.ts'
import type { SecondBars } from '../tape-views.ts'
import { tapeHeaderOf, type ViewContext } from '../tape-views.ts'
import { beginBucket, bucketKinds, bucketStateKinds, countPrint, noteEnds, noteExtremes, takeBack } from './buckets.ts'

const SECOND = 1_000_000 // microseconds
const MILLISECONDS = 1000
const FIRST_ROWS = 64

const stateKinds = { ...bucketStateKinds, second: Float64Array } as const
const shownKinds = { ...bucketKinds, second: Float64Array } as const

/**
 * Sums of the prints of each second on a stock tape, ascending. Seconds without a print are left out. `second` is the
 * start, milliseconds.
 */
export interface SecondsState {
  buckets: ColumnsOf<typeof stateKinds>
  length: number
}

export const secondsFold: Fold<SecondsState> = {
  version: 1,
  kinds: ['stock'],
  begin: () => ({ buckets: emptyColumns(stateKinds, FIRST_ROWS), length: 0 }),
  step(state, { prints }, from, to) {
    for (let at = from; at < to; at++) {
      const row = rowOf(state, prints.ts[at])
      countPrint(state.buckets, row, prints, at)
      noteEnds(state.buckets, row, prints, at)
    }
  },
  undo(state, { prints }, at, near) {
    const row = rowOf(state, prints.ts[at])
    const second = Math.floor(prints.ts[at] / SECOND)
    if (!takeBack(state.buckets, row, prints, at)) return
    const others = near('series')
    for (let k = 0; k < others.length; k++) {
      if (Math.floor(others.ts[k] / SECOND) !== second) continue
      noteExtremes(state.buckets, row, others, k)
      noteEnds(state.buckets, row, others, k)
    }
    if (state.buckets.trades[row] === 0) removeRow(state.buckets, row, state.length--)
  },
  copy: ({ buckets, length }) => ({ buckets: copyOf(buckets), length })
}

export function secondsView({ buckets, length }: SecondsState, moment: ViewContext): SecondBars {
  return { ...tapeHeaderOf(moment), length, ...sharedRows(shownKinds, buckets, length) }
}

/** Finds or inserts the row of a time. Prints come nearly in order, so the search starts at the end. */
function rowOf(state: SecondsState, ts: number): number {
  const second = Math.floor(ts / SECOND) * MILLISECONDS
  let row = state.length
  while (row > 0 && state.buckets.second[row - 1] > second) row--
  if (row > 0 && state.buckets.second[row - 1] === second) return row - 1
  state.buckets = withRoom(state.buckets, state.length + 1)
  insertRow(state.buckets, row, state.length++)
  state.buckets.second[row] = second
  beginBucket(state.buckets, row)
  return row
}

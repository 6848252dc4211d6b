import { ADJUSTED } from '../market/print.ts'
import { type ColumnsOf, copyOf, emptyColumns, withRoom } from './columns.ts'
import type { Fold, FoldedTape } from './fold.ts'

const kinds = { prints: Int32Array } as const

/** Prints by instrument, adjusted series left out: which of them have traded. */
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

import { BUY, SELL, sideOf } from '../../market/print.ts'
import { type ColumnsOf, copyOf, emptyColumns, sharedRows, withRoom } from '../columns.ts'
import type { Fold, FoldedTape } from '../fold.ts'
import { isEligible } from '../print-rules.ts'
import type { Positions } from '../tape-views.ts'
import { tapeHeaderOf, type ViewContext } from '../tape-views.ts'

const kinds = { bought: Int32Array, sold: Int32Array, other: Int32Array } as const

/**
 * For each instrument, the contracts that customers bought, those they sold, and those traded without a known side.
 * Only eligible prints count.
 */
export interface PositionsState {
  columns: ColumnsOf<typeof kinds>
}

export const positions: Fold<PositionsState> = {
  version: 1,
  kinds: ['option'],
  begin: () => ({ columns: emptyColumns(kinds, 0) }),
  step(state, tape, from, to) {
    const { length } = tape.series
    if (length > state.columns.bought.length) state.columns = withRoom(state.columns, length)
    add(state, tape, from, to, 1)
  },
  undo: (state, tape, at) => add(state, tape, at, at + 1, -1),
  copy: ({ columns }) => ({ columns: copyOf(columns) })
}

export function positionsView({ columns }: PositionsState, moment: ViewContext): Positions {
  const { series, confidence } = moment
  return { ...tapeHeaderOf(moment), series, ...sharedRows(kinds, columns, series.length), confidence }
}

function add({ columns }: PositionsState, { prints }: FoldedTape, from: number, to: number, sign: number): void {
  const { bought, sold, other } = columns
  const { flags, judged, instrument, size } = prints
  for (let at = from; at < to; at++) {
    if (!isEligible(flags[at])) continue
    const side = sideOf(judged[at])
    const sum = side === BUY ? bought : side === SELL ? sold : other
    sum[instrument[at]] += sign * size[at]
  }
}

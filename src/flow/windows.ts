import { copyPrints, emptyPrints, type PrintColumns, type Prints, printColumns, slicePrints } from '../market/print.ts'
import type { Fold } from './fold.ts'
import { headerOf, type Moment } from './moment.ts'
import { isSamePrint } from './near-cancel.ts'
import { largePrintFloor } from './print-sizes.ts'
import type { PrintWindow } from './views.ts'

const FIRST_ROWS = 256

export interface WindowState {
  /** Prints that are shown at most. */
  readonly size: number
  /** Contracts or shares from which on a print counts. */
  readonly floor: number
  rows: Prints
  length: number
}

/** The newest 10,000 prints of a tape. */
export const newestPrints = window(10_000, { option: 0, stock: 0 })

/** The newest 5,000 large ones: 25 contracts, 1,000 shares and more. */
export const largePrints = window(5000, largePrintFloor)

export function windowView({ size, rows, length }: WindowState, moment: Moment): PrintWindow {
  const { series } = moment
  return { ...headerOf(moment), series, prints: slicePrints(rows, Math.max(length - size, 0), length) }
}

function window(size: number, floor: { readonly option: number; readonly stock: number }): Fold<WindowState> {
  return {
    version: 1,
    kinds: ['option', 'stock'],
    begin: ({ kind }) => ({ size, floor: floor[kind], rows: emptyPrints(FIRST_ROWS), length: 0 }),
    step(state, { prints }, from, to) {
      for (let at = from; at < to; at++) {
        if (prints.size[at] < state.floor) continue
        if (state.length === state.rows.length) makeRoom(state)
        copyRow(prints, at, state.rows, state.length++)
      }
    },
    undo(state, { prints }, at) {
      const { rows, length } = state
      let row = length - 1
      while (row >= 0 && !isSamePrint(rows, row, prints, at)) row--
      if (row < 0) return
      for (const name of printColumns) rows[name].copyWithin(row, row + 1, length)
      state.length--
    },
    copy: (state) => ({ ...state, rows: slicePrints(state.rows, 0, state.rows.length) })
  }
}

/** Twice the rows while there are few; then the oldest go, many at once, but for some that cancels may bring back. */
function makeRoom(state: WindowState): void {
  const { size, rows, length } = state
  const kept = Math.min(length, Math.floor(1.1 * size))
  const room = Math.min(2 * length, Math.floor(1.6 * size))
  const target = room > rows.length ? emptyPrints(room) : rows
  if (target !== rows || kept < length) copyPrints(rows, length - kept, length, target, 0)
  state.rows = target
  state.length = kept
}

function copyRow(source: PrintColumns, from: number, target: PrintColumns, to: number): void {
  target.known[to] = source.known[from]
  target.ts[to] = source.ts[from]
  target.sequence[to] = source.sequence[from]
  target.instrument[to] = source.instrument[from]
  target.price[to] = source.price[from]
  target.size[to] = source.size[from]
  target.bid[to] = source.bid[from]
  target.ask[to] = source.ask[from]
  target.spot[to] = source.spot[from]
  target.flags[to] = source.flags[from]
  target.judged[to] = source.judged[from]
  target.exchange[to] = source.exchange[from]
}

import {
  copyPrint,
  copyPrints,
  type PrintColumns,
  type Prints,
  printColumns,
  printKinds,
  printsOf,
  slicePrints
} from '../../market/print.ts'
import { emptyColumns } from '../columns.ts'
import type { Fold } from '../fold.ts'
import { firstKnown, isSamePrint } from '../near-cancel.ts'
import { largePrintFloor } from '../print-rules.ts'
import type { PrintWindow } from '../tape-views.ts'
import { tapeHeaderOf, type ViewContext } from '../tape-views.ts'

const FIRST_ROWS = 256

export interface WindowState {
  readonly size: number
  /** Smallest size of a print in the window, contracts or shares. */
  readonly floor: number
  /** Prints in rows 0 to `length`; the other rows are free. */
  rows: Prints
  length: number
}

export const NEWEST_PRINTS = 10_000
export const newestPrints = window(NEWEST_PRINTS, { option: 0, stock: 0 })

/** The newest 5,000 large prints: at least 25 contracts or 1,000 shares. */
export const largePrints = window(5000, largePrintFloor)

export function windowView({ size, rows, length }: WindowState, moment: ViewContext): PrintWindow {
  const { series } = moment
  return { ...tapeHeaderOf(moment), series, prints: slicePrints(rows, Math.max(length - size, 0), length) }
}

function window(size: number, floor: { readonly option: number; readonly stock: number }): Fold<WindowState> {
  return {
    version: 1,
    kinds: ['option', 'stock'],
    begin: ({ kind }) => ({ size, floor: floor[kind], rows: roomFor(FIRST_ROWS), length: 0 }),
    step(state, { prints }, from, to) {
      const { size: sizes } = prints
      for (let at = from; at < to; at++) {
        if (sizes[at] < state.floor) continue
        let end = at + 1
        while (end < to && sizes[end] >= state.floor) end++
        append(state, prints, at, end)
        at = end
      }
    },
    undo(state, { prints }, at) {
      const { rows, length } = state
      const { sequence } = rows
      // A print is known no earlier than its own time.
      for (let row = firstKnown(rows, length, prints.ts[at]); row < length; row++) {
        if (sequence[row] !== prints.sequence[at] || !isSamePrint(rows, row, prints, at)) continue
        for (const name of printColumns) rows[name].copyWithin(row, row + 1, length)
        state.length--
        return
      }
    },
    copy({ size, floor, rows, length }) {
      const copy = roomFor(rows.length)
      copyPrints(rows, 0, length, copy, 0)
      return { size, floor, rows: copy, length }
    }
  }
}

/**
 * Columns with room for `length` prints. They are not in shared memory, because only this fold reads them, and copies
 * within shared memory are slower.
 */
const roomFor = (length: number): Prints => printsOf(emptyColumns(printKinds, length), length)

/**
 * Makes room for one more print. While there are few prints, it doubles the room. Later it drops the oldest prints,
 * many at once, but keeps a reserve in case prints are cancelled.
 */
function makeRoom(state: WindowState): void {
  const { size, rows, length } = state
  const kept = Math.min(length, Math.floor(1.1 * size))
  const room = Math.min(2 * length, Math.floor(1.6 * size))
  const target = room > rows.length ? roomFor(room) : rows
  if (target !== rows || kept < length) copyPrints(rows, length - kept, length, target, 0)
  state.rows = target
  state.length = kept
}

function append(state: WindowState, prints: PrintColumns, from: number, to: number): void {
  for (let at = from; at < to; ) {
    if (state.length === state.rows.length) makeRoom(state)
    const end = Math.min(to, at + state.rows.length - state.length)
    copyRows(prints, at, end, state.rows, state.length)
    state.length += end - at
    at = end
  }
}

/** Number of rows from which copying whole columns is cheaper than copying row by row. */
const MANY = 64

function copyRows(source: PrintColumns, from: number, to: number, target: PrintColumns, at: number): void {
  if (to - from >= MANY) {
    copyPrints(source, from, to, target, at)
    return
  }
  for (let row = from; row < to; row++) copyPrint(source, row, target, at + row - from)
}

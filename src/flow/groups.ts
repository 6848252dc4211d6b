import { CONTRACT_SIZE } from '../market/chain.ts'
import { MICROSECONDS_PER_MILLISECOND, MID, type PrintColumns, type Prints, sideOf } from '../market/print.ts'
import {
  closeGroup,
  coalesce,
  coalesces,
  copyGroup,
  GROUP_GAP,
  GROUP_SPAN,
  type GroupColumns,
  type GroupsState,
  groupKinds
} from './coalesce.ts'
import { copyOf, emptyColumns, removeRow, sharedColumns, sharedOrder, withRoom } from './columns.ts'
import { isEligible } from './eligible.ts'
import type { Fold } from './fold.ts'
import { headerOf, type Moment } from './moment.ts'
import type { Groups } from './views.ts'

/** Premium from which on a group is notable whatever its size, USD. */
const NOTABLE_PREMIUM = 250_000
const FIRST_ROWS = 16

/** Notable groups of prints, and the newest group of each series, see `coalesce`. */
export const groups: Fold<GroupsState> = {
  version: 1,
  kinds: ['option'],
  begin: ({ unit }) => ({
    notableMoney: Math.round(NOTABLE_PREMIUM / CONTRACT_SIZE / unit),
    open: emptyColumns(groupKinds, 0),
    kept: emptyColumns(groupKinds, FIRST_ROWS),
    length: 0
  }),
  step(state, { prints, series }, from, to) {
    state.open = withRoom(state.open, series.length)
    for (let at = from; at < to; at++) if (isEligible(prints.flags[at])) coalesce(state, prints, at)
  },
  undo(state, { prints }, at, near) {
    if (!isEligible(prints.flags[at])) return
    if (coalesces(prints, at)) formAgain(state, prints, at, near)
    else drop(state, prints.instrument[at], (kept, row) => isStart(kept, row, prints, at))
  },
  copy: (state) => ({ ...state, open: copyOf(state.open), kept: copyOf(state.kept) })
}

export function groupsView(state: GroupsState, moment: Moment): Groups {
  const { open, kept } = state
  const order = closedBy(state, moment.now * MICROSECONDS_PER_MILLISECOND)
  const shown = sharedOrder(shownKinds, kept, order)
  const { sizeByAggressor } = sharedColumns({ sizeByAggressor: Int32Array }, sizesByAggressor.length * order.length)
  sizesByAggressor.forEach((name, aggressor) => {
    for (let k = 0; k < order.length; k++)
      sizeByAggressor[sizesByAggressor.length * k + aggressor] = kept[name][order[k]]
  })
  for (let k = 0; k < order.length; k++) {
    if (shown.prints[k] === 0) {
      const row = shown.instrument[k]
      for (const name of shownNames) shown[name][k] = open[name][row]
      sizeByAggressor.set(
        sizesByAggressor.map((name) => open[name][row]),
        sizesByAggressor.length * k
      )
    }
    if (shown.prints[k] === 1) shown.oneOrder[k] = 0
  }
  return { ...headerOf(moment), length: order.length, series: moment.series, ...shown, sizeByAggressor }
}

const shownKinds = {
  instrument: Int32Array,
  first: Float64Array,
  last: Float64Array,
  sequence: Float64Array,
  side: Uint8Array,
  prints: Int32Array,
  size: Int32Array,
  money: Float64Array,
  oneOrder: Uint8Array
} as const
const shownNames = Object.keys(shownKinds) as readonly (keyof typeof shownKinds)[]

/** In the order of `aggressors`. */
const sizesByAggressor = ['mid', 'aboveAsk', 'atAsk', 'atBid', 'belowBid'] as const

/**
 * Rows of the groups that no print can join any more at a time, in the order of their first prints. They became notable
 * in nearly that order, so each is put where it belongs among those before it.
 */
function closedBy({ open, kept, length }: GroupsState, now: number): Int32Array {
  const order = new Int32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) {
    const instrument = kept.instrument[row]
    const isOpen = kept.prints[row] === 0
    if (isOpen && now <= open.last[instrument] + GROUP_GAP && now <= open.first[instrument] + GROUP_SPAN) continue
    let at = count
    while (at > 0 && comesBefore(kept, row, order[at - 1])) at--
    if (at < count) order.copyWithin(at + 1, at, count)
    order[at] = row
    count++
  }
  return order.subarray(0, count)
}

function comesBefore({ first, sequence, exchange }: GroupColumns, a: number, b: number): boolean {
  if (first[a] !== first[b]) return first[a] < first[b]
  return sequence[a] === sequence[b] ? exchange[a] < exchange[b] : sequence[a] < sequence[b]
}

/**
 * Forms the groups of a series again without a print: from the last group before it that began whether or not the print
 * was there, to the first one after it of which that is true. A group begins for certain where the side changes or more than
 * the gap lies between two prints.
 */
function formAgain(state: GroupsState, prints: PrintColumns, at: number, near: Prints): void {
  const instrument = prints.instrument[at]
  const { rows, newestBefore } = rowsToForm(near, instrument, prints.ts[at])
  const isFormed = (groups: GroupColumns, row: number) =>
    isStart(groups, row, prints, at) || rows.some((k) => isStart(groups, row, near, k))
  drop(state, instrument, isFormed)

  const { open } = state
  const isLast = isFormed(open, instrument)
  const newest = emptyColumns(groupKinds, 1)
  copyGroup(open, instrument, newest, 0)
  open.side[instrument] = MID
  open.last[instrument] = newestBefore
  open.place[instrument] = 0
  for (const row of rows) coalesce(state, near, row)
  if (isLast) return
  closeGroup(state, instrument)
  copyGroup(newest, 0, open, instrument)
}

/** Rows of `near` whose groups depend on a print of time `ts`, and the newest time of the series before them. */
function rowsToForm(near: Prints, instrument: number, ts: number) {
  const rows: number[] = []
  for (let k = 0; k < near.length; k++) if (near.instrument[k] === instrument && coalesces(near, k)) rows.push(k)
  let from = 0
  let to = rows.length
  let newest = 0
  let newestBefore = 0
  rows.forEach((row, k) => {
    const its = near.ts[row]
    const begins = its - newest > GROUP_GAP || sideOf(near.judged[row]) !== sideOf(near.judged[rows[k - 1]])
    // A print is less than the gap older than the newest of its series: by these bounds it stands before `ts` in the tape,
    // or after it and joins no group that had room for it.
    if (begins && its < ts - GROUP_GAP) {
      from = k
      newestBefore = newest
    }
    if (begins && its > ts + 2 * GROUP_GAP) to = Math.min(to, k)
    newest = Math.max(newest, its)
  })
  return { rows: rows.slice(from, to), newestBefore }
}

/** Whether a group began with a print, or with the one that a cancel repeats. */
function isStart(groups: GroupColumns, row: number, prints: PrintColumns, at: number): boolean {
  return (
    groups.instrument[row] === prints.instrument[at] &&
    groups.sequence[row] === prints.sequence[at] &&
    groups.exchange[row] === prints.exchange[at]
  )
}

/** Takes kept groups of a series away. */
function drop(state: GroupsState, instrument: number, isGone: (kept: GroupColumns, row: number) => boolean): void {
  const { open, kept } = state
  const before = state.length
  for (let row = before - 1; row >= 0; row--) {
    if (kept.instrument[row] !== instrument || !isGone(kept, row)) continue
    if (kept.prints[row] === 0) open.place[instrument] = 0
    removeRow(kept, row, state.length--)
  }
  if (state.length === before) return
  for (let row = 0; row < state.length; row++) if (kept.prints[row] === 0) open.place[kept.instrument[row]] = row + 1
}

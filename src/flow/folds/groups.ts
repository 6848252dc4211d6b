import { CONTRACT_SIZE } from '../../market/chain.ts'
import { MICROSECONDS_PER_MILLISECOND, type PrintColumns, type Prints, sideOf } from '../../market/print.ts'
import { sharedColumns } from '../columns.ts'
import type { Fold } from '../fold.ts'
import { nearCancel } from '../near-cancel.ts'
import { isEligible } from '../print-rules.ts'
import type { Groups } from '../tape-views.ts'
import { tapeHeaderOf, type ViewContext } from '../tape-views.ts'
import {
  closeGroup,
  coalesce,
  coalesces,
  GROUP_GAP,
  GROUP_SPAN,
  type GroupsState,
  isStillOpen,
  NO_GROUP
} from './coalesce.ts'
import {
  clearGroup,
  copyGroup,
  copyOfGroups,
  emptyGroups,
  exchangeOfGroup,
  firstTimeOf,
  type GroupRows,
  isOneOrder,
  lastTimeOf,
  moneyOf,
  printCountOf,
  sequenceOf,
  setPlace,
  sideOfGroup,
  sizeByAggressor,
  sizeOfGroup,
  withRoomFor
} from './group-rows.ts'

/** A group with at least this premium, USD, is notable even if it has few contracts. */
const NOTABLE_PREMIUM = 250_000
const AGGRESSORS = 5

/** Finds notable groups of prints. Keeps them, and the newest group of each series; see `coalesce`. */
export const groups: Fold<GroupsState> = {
  version: 1,
  kinds: ['option'],
  begin: ({ unit }) => ({
    notableMoney: Math.round(NOTABLE_PREMIUM / CONTRACT_SIZE / unit),
    open: emptyGroups(0),
    kept: emptyGroups(0),
    keptOf: new Int32Array(0),
    length: 0
  }),
  step(state, { prints, series }, from, to) {
    state.open = withRoomFor(state.open, series.length)
    for (let at = from; at < to; at++) if (isEligible(prints.flags[at])) coalesce(state, prints, at)
  },
  undo(state, { prints }, at, near) {
    if (!isEligible(prints.flags[at])) return
    if (coalesces(prints, at)) formAgain(state, prints, at, near('series'))
    else drop(state, prints.instrument[at], (row) => isStart(state.kept, row, prints, at))
  },
  copy: (state) => ({
    ...state,
    open: copyOfGroups(state.open),
    kept: copyOfGroups(state.kept),
    keptOf: state.keptOf.slice()
  })
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

export function groupsView(state: GroupsState, moment: ViewContext): Groups {
  const order = closedBy(state, moment.now * MICROSECONDS_PER_MILLISECOND)
  const { length } = order
  const shown = sharedColumns(shownKinds, length)
  const byAggressor = sharedColumns({ size: Int32Array }, AGGRESSORS * length).size
  for (let k = 0; k < length; k++) {
    const { groups, row } = placeIn(state, order[k])
    shown.instrument[k] = state.keptOf[order[k]]
    shown.first[k] = firstTimeOf(groups, row)
    shown.last[k] = lastTimeOf(groups, row)
    shown.sequence[k] = sequenceOf(groups, row)
    shown.side[k] = sideOfGroup(groups, row)
    shown.prints[k] = printCountOf(groups, row)
    shown.size[k] = sizeOfGroup(groups, row)
    shown.money[k] = moneyOf(groups, row)
    shown.oneOrder[k] = isOneOrder(groups, row) ? 1 : 0
    for (let label = 0; label < AGGRESSORS; label++) {
      byAggressor[AGGRESSORS * k + label] = sizeByAggressor(groups, row, label)
    }
  }
  return { ...tapeHeaderOf(moment), length, series: moment.series, ...shown, sizeByAggressor: byAggressor }
}

/** The row that holds the current figures of a kept group. */
function placeIn(state: GroupsState, row: number): { readonly groups: GroupRows; readonly row: number } {
  return isStillOpen(state, row) ? { groups: state.open, row: state.keptOf[row] } : { groups: state.kept, row }
}

/**
 * Rows of the groups that are closed at `now`, because no print can join them any more. Ordered by first print. The
 * rows are nearly in this order already, so each is inserted from the end.
 */
function closedBy(state: GroupsState, now: number): Int32Array {
  const { open, kept, keptOf, length } = state
  const order = new Int32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) {
    const instrument = keptOf[row]
    if (instrument === NO_GROUP) continue
    const isOver = now > lastTimeOf(open, instrument) + GROUP_GAP || now > firstTimeOf(open, instrument) + GROUP_SPAN
    if (isStillOpen(state, row) && !isOver) continue
    let low = count === 0 || !comesBefore(kept, row, order[count - 1]) ? count : 0
    let high = count
    while (low < high) {
      const middle = (low + high) >> 1
      if (comesBefore(kept, row, order[middle])) high = middle
      else low = middle + 1
    }
    if (low < count) order.copyWithin(low + 1, low, count)
    order[low] = row
    count++
  }
  return order.subarray(0, count)
}

function comesBefore(kept: GroupRows, a: number, b: number): boolean {
  if (firstTimeOf(kept, a) !== firstTimeOf(kept, b)) return firstTimeOf(kept, a) < firstTimeOf(kept, b)
  if (sequenceOf(kept, a) !== sequenceOf(kept, b)) return sequenceOf(kept, a) < sequenceOf(kept, b)
  return exchangeOfGroup(kept, a) < exchangeOfGroup(kept, b)
}

/**
 * Forms the groups of a series again without one print. The work is limited to the rows between two certain boundaries,
 * the last before the print and the first after it. A boundary is certain if it exists with and without the print: the
 * side changes there, or the pause between two prints is longer than a group allows.
 */
function formAgain(state: GroupsState, prints: PrintColumns, at: number, near: Prints): void {
  const instrument = prints.instrument[at]
  const { rows, newestBefore } = rowsToForm(state, near, instrument, prints.ts[at])
  const isFormed = (groups: GroupRows, row: number) =>
    isStart(groups, row, prints, at) || rows.some((k) => isStart(groups, row, near, k))
  drop(state, instrument, (row) => isFormed(state.kept, row))

  const { open } = state
  const isLast = isFormed(open, instrument)
  const newest = emptyGroups(1)
  copyGroup(open, instrument, newest, 0)
  clearGroup(open, instrument, newestBefore)
  for (const row of rows) coalesce(state, near, row)
  if (isLast) return
  closeGroup(state, instrument)
  copyGroup(newest, 0, open, instrument)
}

/**
 * Finds the rows of `near` whose groups depend on a print of time `ts`, and the time of the newest print of the series
 * before these rows. If none of the rows certainly begins a group, they start with the oldest row.
 */
function rowsToForm(state: GroupsState, near: Prints, instrument: number, ts: number) {
  const { kept } = state
  const rows: number[] = []
  for (let k = 0; k < near.length; k++) if (near.instrument[k] === instrument && coalesces(near, k)) rows.push(k)
  // The print's group began after this time; groups that began earlier do not depend on the print.
  const { from: oldest } = nearCancel(ts)
  const starts: number[] = []
  for (const row of rowsOf(state, instrument)) {
    const first = firstTimeOf(kept, row)
    if (first >= oldest && first < ts - GROUP_SPAN) starts.push(row)
  }
  let from = 0
  let to = rows.length
  let newest = oldest
  let newestBefore = 0
  rows.forEach((row, k) => {
    const its = near.ts[row]
    const changesSide = k > 0 && sideOf(near.judged[row]) !== sideOf(near.judged[rows[k - 1]])
    const begins = its - newest > GROUP_GAP || changesSide || starts.some((start) => isStart(kept, start, near, row))
    // A print is at most the gap older than the newest of its series. So a row within these bounds comes before `ts` on
    // the tape, or joins none of the groups before it.
    if (begins && (its < ts - GROUP_GAP || newest < ts - GROUP_GAP)) {
      from = k
      newestBefore = newest
    }
    if (begins && its > ts + 2 * GROUP_GAP) to = Math.min(to, k)
    newest = Math.max(newest, its)
  })
  // A print that comes later is at most the gap older than `ts`, so it cannot join a group that ended before this time.
  if (newest < ts - 2 * GROUP_GAP) return { rows: [], newestBefore: newest }
  return { rows: rows.slice(from, to), newestBefore }
}

/** Whether a group began with the print in row `at` or, if that row is a cancel, with the print it cancels. */
function isStart(groups: GroupRows, row: number, prints: PrintColumns, at: number): boolean {
  return sequenceOf(groups, row) === prints.sequence[at] && exchangeOfGroup(groups, row) === prints.exchange[at]
}

/** Yields the rows of the kept groups of a series. The caller may change a row before it takes the next one. */
function* rowsOf({ keptOf, length }: GroupsState, instrument: number): Generator<number> {
  for (let row = keptOf.indexOf(instrument); row >= 0 && row < length; row = keptOf.indexOf(instrument, row + 1)) {
    yield row
  }
}

function drop(state: GroupsState, instrument: number, isGone: (row: number) => boolean): void {
  const { open, keptOf } = state
  for (const row of rowsOf(state, instrument)) {
    if (!isGone(row)) continue
    if (isStillOpen(state, row)) setPlace(open, instrument, 0)
    keptOf[row] = NO_GROUP
  }
}

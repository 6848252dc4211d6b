import { CONTRACT_SIZE } from '../market/chain.ts'
import { MICROSECONDS_PER_MILLISECOND, MID, type PrintColumns, type Prints, sideOf } from '../market/print.ts'
import {
  closeGroup,
  coalesce,
  coalesces,
  copyGroup,
  Field,
  GROUP_GAP,
  GROUP_SPAN,
  type GroupsState,
  WIDTH,
  withRoomFor
} from './coalesce.ts'
import { sharedColumns } from './columns.ts'
import { isEligible } from './eligible.ts'
import type { Fold } from './fold.ts'
import { headerOf, type Moment } from './moment.ts'
import type { Groups } from './views.ts'

/** Premium from which on a group is notable whatever its size, USD. */
const NOTABLE_PREMIUM = 250_000
const AGGRESSORS = 5

/** Notable groups of prints, and the newest group of each series, see `coalesce`. */
export const groups: Fold<GroupsState> = {
  version: 1,
  kinds: ['option'],
  begin: ({ unit }) => ({
    notableMoney: Math.round(NOTABLE_PREMIUM / CONTRACT_SIZE / unit),
    open: new Float64Array(0),
    kept: new Float64Array(0),
    length: 0
  }),
  step(state, { prints, series }, from, to) {
    state.open = withRoomFor(state.open, series.length)
    for (let at = from; at < to; at++) if (isEligible(prints.flags[at])) coalesce(state, prints, at)
  },
  undo(state, { prints }, at, near) {
    if (!isEligible(prints.flags[at])) return
    if (coalesces(prints, at)) formAgain(state, prints, at, near)
    else drop(state, prints.instrument[at], (group) => isStart(state.kept, group, prints, at))
  },
  copy: (state) => ({ ...state, open: state.open.slice(), kept: state.kept.slice() })
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

export function groupsView(state: GroupsState, moment: Moment): Groups {
  const order = closedBy(state, moment.now * MICROSECONDS_PER_MILLISECOND)
  const { length } = order
  const shown = sharedColumns(shownKinds, length)
  const { sizeByAggressor } = sharedColumns({ sizeByAggressor: Int32Array }, AGGRESSORS * length)
  for (let k = 0; k < length; k++) {
    const row = WIDTH * order[k]
    const isOpen = state.kept[row + Field.PRINTS] === 0
    const groups = isOpen ? state.open : state.kept
    const at = isOpen ? WIDTH * state.kept[row + Field.INSTRUMENT] : row
    shown.instrument[k] = groups[at + Field.INSTRUMENT]
    shown.first[k] = groups[at + Field.FIRST]
    shown.last[k] = groups[at + Field.LAST]
    shown.sequence[k] = groups[at + Field.SEQUENCE]
    shown.side[k] = groups[at + Field.SIDE]
    shown.prints[k] = groups[at + Field.PRINTS]
    shown.size[k] = groups[at + Field.SIZE]
    shown.money[k] = groups[at + Field.MONEY]
    shown.oneOrder[k] = groups[at + Field.PRINTS] > 1 ? groups[at + Field.ONE_ORDER] : 0
    for (let label = 0; label < AGGRESSORS; label++) {
      sizeByAggressor[AGGRESSORS * k + label] = groups[at + Field.BY_AGGRESSOR + label]
    }
  }
  return { ...headerOf(moment), length, series: moment.series, ...shown, sizeByAggressor }
}

/**
 * Rows of the groups that no print can join any more at a time, in the order of their first prints. They became notable
 * in nearly that order, so each is put where it belongs among those before it.
 */
function closedBy({ open, kept, length }: GroupsState, now: number): Int32Array {
  const order = new Int32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) {
    if (kept[WIDTH * row + Field.PRINTS] === 0) {
      const group = WIDTH * kept[WIDTH * row + Field.INSTRUMENT]
      if (now <= open[group + Field.LAST] + GROUP_GAP && now <= open[group + Field.FIRST] + GROUP_SPAN) continue
    }
    let at = count
    while (at > 0 && comesBefore(kept, WIDTH * row, WIDTH * order[at - 1])) at--
    if (at < count) order.copyWithin(at + 1, at, count)
    order[at] = row
    count++
  }
  return order.subarray(0, count)
}

function comesBefore(groups: Float64Array, a: number, b: number): boolean {
  if (groups[a + Field.FIRST] !== groups[b + Field.FIRST]) return groups[a + Field.FIRST] < groups[b + Field.FIRST]
  const [x, y] = [groups[a + Field.SEQUENCE], groups[b + Field.SEQUENCE]]
  return x === y ? groups[a + Field.EXCHANGE] < groups[b + Field.EXCHANGE] : x < y
}

/**
 * Forms the groups of a series again without a print: from the last group before it that began whether or not the print
 * was there, to the first one after it of which that is true. A group begins for certain where the side changes or more than
 * the gap lies between two prints.
 */
function formAgain(state: GroupsState, prints: PrintColumns, at: number, near: Prints): void {
  const instrument = prints.instrument[at]
  const { rows, newestBefore } = rowsToForm(near, instrument, prints.ts[at])
  const isFormed = (groups: Float64Array, group: number) =>
    isStart(groups, group, prints, at) || rows.some((k) => isStart(groups, group, near, k))
  drop(state, instrument, (group) => isFormed(state.kept, group))

  const { open } = state
  const group = WIDTH * instrument
  const isLast = isFormed(open, group)
  const newest = open.slice(group, group + WIDTH)
  open.fill(0, group, group + WIDTH)
  open[group + Field.SIDE] = MID
  open[group + Field.LAST] = newestBefore
  for (const row of rows) coalesce(state, near, row)
  if (isLast) return
  closeGroup(state, instrument)
  copyGroup(newest, 0, open, group)
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
function isStart(groups: Float64Array, group: number, prints: PrintColumns, at: number): boolean {
  return (
    groups[group + Field.SEQUENCE] === prints.sequence[at] &&
    groups[group + Field.INSTRUMENT] === prints.instrument[at] &&
    groups[group + Field.EXCHANGE] === prints.exchange[at]
  )
}

/** Takes kept groups of a series away. */
function drop(state: GroupsState, instrument: number, isGone: (group: number) => boolean): void {
  const { open, kept } = state
  const before = state.length
  for (let row = before - 1; row >= 0; row--) {
    const group = WIDTH * row
    if (kept[group + Field.INSTRUMENT] !== instrument || !isGone(group)) continue
    if (kept[group + Field.PRINTS] === 0) open[WIDTH * instrument + Field.PLACE] = 0
    kept.copyWithin(group, group + WIDTH, WIDTH * state.length--)
  }
  if (state.length === before) return
  for (let row = 0; row < state.length; row++) {
    const group = WIDTH * row
    if (kept[group + Field.PRINTS] === 0) open[WIDTH * kept[group + Field.INSTRUMENT] + Field.PLACE] = row + 1
  }
}

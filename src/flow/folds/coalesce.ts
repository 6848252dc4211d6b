import { INFERRED, MID, type PrintColumns, sideOf } from '../../market/print.ts'
import { withRoom } from '../columns.ts'
import { isEligible } from '../print-rules.ts'
import {
  addToGroup,
  beginGroup,
  copyGroup,
  firstTimeOf,
  type GroupRows,
  lastTimeOf,
  moneyOf,
  placeOf,
  setPlace,
  sideOfGroup,
  sizeOfGroup,
  withRoomFor
} from './group-rows.ts'

/**
 * A print joins a group if it comes at most this long after the group's last print, microseconds. The next constant
 * limits the time since the group's first print.
 */
export const GROUP_GAP = 500_000
export const GROUP_SPAN = 2_000_000

/**
 * A group of at least this many contracts is notable. An inferred print stands for several prints, so it needs more.
 */
const NOTABLE_SIZE = 100
const NOTABLE_INFERRED_SIZE = 250

export const NO_GROUP = -1

export interface GroupsState {
  /** A group with at least this premium is notable. In price units times contracts. */
  readonly notableMoney: number
  /** The newest group of each instrument. Its `place` field is 0, or, if it is notable, its row in `kept` plus 1. */
  open: GroupRows
  /** Notable groups in the order in which they became notable. A removed group leaves a gap. */
  kept: GroupRows
  /** Instrument of each row of `kept`; NO_GROUP in a gap. */
  keptOf: Int32Array
  /** Number of rows of `kept` in use. */
  length: number
}

/** Whether a kept group is still the newest of its series; its figures are then in `open`. */
export const isStillOpen = ({ kept }: GroupsState, row: number): boolean => placeOf(kept, row) === WAITING
const WAITING = 1

/**
 * Whether a print can be grouped with others: it is eligible, not inferred, and has a side. A cancel is judged like the
 * print it cancels.
 */
export const coalesces = ({ flags, judged }: PrintColumns, at: number): boolean =>
  isEligible(flags[at]) && (flags[at] & INFERRED) === 0 && sideOf(judged[at]) !== MID

/**
 * Adds an eligible print to the groups. Prints of one series and side in close succession form a group; a print of the
 * other side ends it. A print without a side, or an inferred one, is a group by itself and ends no other. If a print is
 * older than the newest print of its series, it counts as made at the time of that newest print. `open` must have a row
 * for its instrument.
 */
export function coalesce(state: GroupsState, prints: PrintColumns, at: number): void {
  if (!coalesces(prints, at)) {
    keepAlone(state, prints, at)
    return
  }
  const { open } = state
  const instrument = prints.instrument[at]
  const last = lastTimeOf(open, instrument)
  const ts = Math.max(prints.ts[at], last)
  const joins =
    sideOfGroup(open, instrument) === sideOf(prints.judged[at]) &&
    ts - last <= GROUP_GAP &&
    ts - firstTimeOf(open, instrument) <= GROUP_SPAN
  if (joins) addToGroup(open, instrument, prints, at, ts)
  else {
    closeGroup(state, instrument)
    beginGroup(open, instrument, prints, at, ts)
  }
  const isNotable = sizeOfGroup(open, instrument) >= NOTABLE_SIZE || moneyOf(open, instrument) >= state.notableMoney
  if (isNotable && placeOf(open, instrument) === 0) keepPlace(state, instrument)
}

export function closeGroup({ open, kept }: GroupsState, instrument: number): void {
  const place = placeOf(open, instrument)
  if (place === 0) return
  setPlace(open, instrument, 0)
  copyGroup(open, instrument, kept, place - 1)
}

function keepPlace(state: GroupsState, instrument: number): void {
  const row = addKept(state, instrument)
  copyGroup(state.open, instrument, state.kept, row)
  setPlace(state.kept, row, WAITING)
  setPlace(state.open, instrument, row + 1)
}

function keepAlone(state: GroupsState, prints: PrintColumns, at: number): void {
  const size = prints.size[at]
  const isInferred = (prints.flags[at] & INFERRED) !== 0
  const isLarge = size >= (isInferred ? NOTABLE_INFERRED_SIZE : NOTABLE_SIZE)
  if (!isLarge && (isInferred || size * prints.price[at] < state.notableMoney)) return
  const row = addKept(state, prints.instrument[at])
  beginGroup(state.kept, row, prints, at, prints.ts[at])
}

function addKept(state: GroupsState, instrument: number): number {
  const row = state.length++
  state.kept = withRoomFor(state.kept, state.length)
  state.keptOf = withRoom({ instrument: state.keptOf }, state.length).instrument
  state.keptOf[row] = instrument
  return row
}

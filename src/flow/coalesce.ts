import { aggressorOf, INFERRED, INTERMARKET_SWEEP, MID, type PrintColumns, sideOf } from '../market/print.ts'
import { isEligible } from './eligible.ts'

/** A print joins a group at most so long after its last print, and after its first one, microseconds. */
export const GROUP_GAP = 500_000
export const GROUP_SPAN = 2_000_000

/** Contracts from which on a group is notable. An inferred print is the sum of several, so it needs more. */
const NOTABLE_SIZE = 100
const NOTABLE_INFERRED_SIZE = 250

/**
 * Fields of a group. They stand side by side, unlike columns, since every print reads and writes most of those of its
 * series: apart, each would be fetched from far memory by itself, three times as slow on a session of SPY.
 */
export const Field = {
  INSTRUMENT: 0,
  FIRST: 1,
  LAST: 2,
  /** Of the first print, as its exchange. */
  SEQUENCE: 3,
  EXCHANGE: 4,
  SIDE: 5,
  /** 1 as long as the prints may be one order: one named exchange, one price, no sweep mark. */
  ONE_ORDER: 6,
  /** In `kept` 0 while the group is still the newest of its series: `open` has it. */
  PRINTS: 7,
  SIZE: 8,
  MONEY: 9,
  /** Contracts by aggressor, five fields. */
  BY_AGGRESSOR: 10,
  /** In `open` the row of `kept` that waits for the group, plus one; 0: it is not notable. */
  PLACE: 15
} as const

/** Numbers of a group. */
export const WIDTH = 16

export interface GroupsState {
  /** Money from which on a group is notable, price units times contracts. */
  readonly notableMoney: number
  /** The newest group of each instrument, WIDTH numbers each; side MID before its first. */
  open: Float64Array
  /** Notable groups in the order in which they became so. */
  kept: Float64Array
  /** How many those are. */
  length: number
}

/** Whether a print, or the one that a cancel takes back, belongs to a run: eligible, with a side of its own. */
export const coalesces = ({ flags, judged }: PrintColumns, at: number): boolean =>
  isEligible(flags[at]) && (flags[at] & INFERRED) === 0 && sideOf(judged[at]) !== MID

/**
 * Takes an eligible print into the groups. Those of one series and side that follow each other closely are one group; a
 * print of the other side ends it; one without side stands alone and ends nothing, and so does an inferred one. A print that
 * is older than the newest group of its series counts as that newest time. `open` must have room for its instrument.
 */
export function coalesce(state: GroupsState, prints: PrintColumns, at: number): void {
  if (!coalesces(prints, at)) {
    keepAlone(state, prints, at)
    return
  }
  const { open } = state
  const group = WIDTH * prints.instrument[at]
  const last = open[group + Field.LAST]
  const ts = Math.max(prints.ts[at], last)
  const joins =
    open[group + Field.SIDE] === sideOf(prints.judged[at]) &&
    ts - last <= GROUP_GAP &&
    ts - open[group + Field.FIRST] <= GROUP_SPAN
  if (!joins) {
    closeGroup(state, prints.instrument[at])
    beginGroup(open, group, prints, at, ts)
  }
  addPrint(open, group, prints, at, ts)
  const isNotable = open[group + Field.SIZE] >= NOTABLE_SIZE || open[group + Field.MONEY] >= state.notableMoney
  if (isNotable && open[group + Field.PLACE] === 0) keepPlace(state, group)
}

/** Ends the newest group of an instrument, as the next one begins. */
export function closeGroup({ open, kept }: GroupsState, instrument: number): void {
  const group = WIDTH * instrument
  const place = open[group + Field.PLACE]
  if (place === 0) return
  open[group + Field.PLACE] = 0
  copyGroup(open, group, kept, WIDTH * (place - 1))
}

export function copyGroup(source: Float64Array, from: number, target: Float64Array, to: number): void {
  for (let field = 0; field < WIDTH; field++) target[to + field] = source[from + field]
}

/** The groups themselves where there is room for so many, else a copy of at least twice their number. */
export function withRoomFor(groups: Float64Array, count: number): Float64Array {
  if (WIDTH * count <= groups.length) return groups
  const longer = new Float64Array(Math.max(WIDTH * count, 2 * groups.length))
  longer.set(groups)
  return longer
}

function keepPlace(state: GroupsState, group: number): void {
  const row = addKept(state)
  copyGroup(state.open, group, state.kept, WIDTH * row)
  state.kept[WIDTH * row + Field.PRINTS] = 0
  state.open[group + Field.PLACE] = row + 1
}

function addKept(state: GroupsState): number {
  state.kept = withRoomFor(state.kept, state.length + 1)
  return state.length++
}

function keepAlone(state: GroupsState, prints: PrintColumns, at: number): void {
  const size = prints.size[at]
  const isInferred = (prints.flags[at] & INFERRED) !== 0
  const isLarge = size >= (isInferred ? NOTABLE_INFERRED_SIZE : NOTABLE_SIZE)
  if (!isLarge && (isInferred || size * prints.price[at] < state.notableMoney)) return
  const group = WIDTH * addKept(state)
  beginGroup(state.kept, group, prints, at, prints.ts[at])
  addPrint(state.kept, group, prints, at, prints.ts[at])
}

function beginGroup(groups: Float64Array, group: number, prints: PrintColumns, at: number, ts: number): void {
  groups[group + Field.INSTRUMENT] = prints.instrument[at]
  groups[group + Field.FIRST] = ts
  groups[group + Field.SEQUENCE] = prints.sequence[at]
  groups[group + Field.EXCHANGE] = prints.exchange[at]
  groups[group + Field.SIDE] = sideOf(prints.judged[at])
  groups[group + Field.ONE_ORDER] = prints.exchange[at] === 0 ? 0 : 1
  for (let field: number = Field.PRINTS; field < WIDTH; field++) groups[group + field] = 0
}

function addPrint(groups: Float64Array, group: number, prints: PrintColumns, at: number, ts: number): void {
  const size = prints.size[at]
  const price = prints.price[at]
  groups[group + Field.LAST] = ts
  groups[group + Field.PRINTS]++
  const contracts = (groups[group + Field.SIZE] += size)
  const money = (groups[group + Field.MONEY] += size * price)
  groups[group + Field.BY_AGGRESSOR + aggressorOf(prints.judged[at])] += size
  const isSameOrder =
    prints.exchange[at] === groups[group + Field.EXCHANGE] &&
    money === contracts * price && // as long as all before had one price, so has this one
    (prints.flags[at] & INTERMARKET_SWEEP) === 0
  if (!isSameOrder) groups[group + Field.ONE_ORDER] = 0
}

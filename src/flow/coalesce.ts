import { aggressorOf, INFERRED, INTERMARKET_SWEEP, MID, type PrintColumns, sideOf } from '../market/print.ts'
import { type ColumnsOf, withRoom } from './columns.ts'
import { isEligible } from './eligible.ts'

/** A print joins a group at most so long after its last print, and after its first one, microseconds. */
export const GROUP_GAP = 500_000
export const GROUP_SPAN = 2_000_000

/** Contracts from which on a group is notable. An inferred print is the sum of several, so it needs more. */
const NOTABLE_SIZE = 100
const NOTABLE_INFERRED_SIZE = 250

export const groupKinds = {
  instrument: Int32Array,
  first: Float64Array,
  last: Float64Array,
  /** Of the first print, as its exchange and price. */
  sequence: Float64Array,
  exchange: Uint8Array,
  price: Int32Array,
  side: Uint8Array,
  /** 1 as long as its prints may be one order: one named exchange, one price, no sweep mark. */
  oneOrder: Uint8Array,
  /** In `kept` 0 while the group is still the newest of its series: `open` has it. */
  prints: Int32Array,
  size: Int32Array,
  money: Float64Array,
  /** Contracts by aggressor. */
  mid: Int32Array,
  aboveAsk: Int32Array,
  atAsk: Int32Array,
  atBid: Int32Array,
  belowBid: Int32Array,
  /** In `open` the row of `kept` that waits for it, plus one; 0: it is not notable. */
  place: Int32Array
} as const

export type GroupColumns = ColumnsOf<typeof groupKinds>

export interface GroupsState {
  /** Money from which on a group is notable, price units times contracts. */
  readonly notableMoney: number
  /** The newest group of each instrument; side MID before its first. */
  open: GroupColumns
  /** Notable groups in the order in which they became so. */
  kept: GroupColumns
  length: number
}

/** Whether a print, or the one that a cancel takes back, belongs to a run: eligible, with a side of its own. */
export const coalesces = ({ flags, judged }: PrintColumns, at: number): boolean =>
  isEligible(flags[at]) && (flags[at] & INFERRED) === 0 && sideOf(judged[at]) !== MID

/**
 * Takes an eligible print into the groups. Those of one series and side that follow each other closely are one group; a
 * print of the other side ends it; one without side stands alone and ends nothing, and so does an inferred one. A print that
 * is older than the newest group of its series counts as that newest time. `open` must have a row for its instrument.
 */
export function coalesce(state: GroupsState, prints: PrintColumns, at: number): void {
  if (!coalesces(prints, at)) {
    keepAlone(state, prints, at)
    return
  }
  const { open } = state
  const instrument = prints.instrument[at]
  const last = open.last[instrument]
  const ts = Math.max(prints.ts[at], last)
  const joins =
    open.side[instrument] === sideOf(prints.judged[at]) &&
    ts - last <= GROUP_GAP &&
    ts - open.first[instrument] <= GROUP_SPAN
  if (!joins) {
    closeGroup(state, instrument)
    beginGroup(open, instrument, prints, at, ts)
  }
  addPrint(open, instrument, prints, at, ts)
  const isNotable = open.size[instrument] >= NOTABLE_SIZE || open.money[instrument] >= state.notableMoney
  if (isNotable && open.place[instrument] === 0) keepPlace(state, instrument)
}

/** Ends the newest group of an instrument, as the next one begins. */
export function closeGroup({ open, kept }: GroupsState, instrument: number): void {
  const place = open.place[instrument]
  if (place === 0) return
  open.place[instrument] = 0
  copyGroup(open, instrument, kept, place - 1)
}

export function copyGroup(source: GroupColumns, from: number, target: GroupColumns, to: number): void {
  for (const name in groupKinds) target[name as keyof GroupColumns][to] = source[name as keyof GroupColumns][from]
}

function keepPlace(state: GroupsState, instrument: number): void {
  const row = addKept(state)
  copyGroup(state.open, instrument, state.kept, row)
  state.kept.prints[row] = 0
  state.open.place[instrument] = row + 1
}

function addKept(state: GroupsState): number {
  state.kept = withRoom(state.kept, state.length + 1)
  return state.length++
}

function keepAlone(state: GroupsState, prints: PrintColumns, at: number): void {
  const size = prints.size[at]
  const isInferred = (prints.flags[at] & INFERRED) !== 0
  const isLarge = size >= (isInferred ? NOTABLE_INFERRED_SIZE : NOTABLE_SIZE)
  if (!isLarge && (isInferred || size * prints.price[at] < state.notableMoney)) return
  const row = addKept(state)
  beginGroup(state.kept, row, prints, at, prints.ts[at])
  addPrint(state.kept, row, prints, at, prints.ts[at])
}

function beginGroup(groups: GroupColumns, row: number, prints: PrintColumns, at: number, ts: number): void {
  groups.instrument[row] = prints.instrument[at]
  groups.first[row] = ts
  groups.sequence[row] = prints.sequence[at]
  groups.exchange[row] = prints.exchange[at]
  groups.price[row] = prints.price[at]
  groups.side[row] = sideOf(prints.judged[at])
  groups.oneOrder[row] = prints.exchange[at] === 0 ? 0 : 1
  groups.prints[row] = 0
  groups.size[row] = 0
  groups.money[row] = 0
  groups.mid[row] = 0
  groups.aboveAsk[row] = 0
  groups.atAsk[row] = 0
  groups.atBid[row] = 0
  groups.belowBid[row] = 0
}

function addPrint(groups: GroupColumns, row: number, prints: PrintColumns, at: number, ts: number): void {
  const size = prints.size[at]
  const price = prints.price[at]
  groups.last[row] = ts
  groups.prints[row]++
  groups.size[row] += size
  groups.money[row] += size * price
  const sameOrder =
    prints.exchange[at] === groups.exchange[row] &&
    price === groups.price[row] &&
    (prints.flags[at] & INTERMARKET_SWEEP) === 0
  if (!sameOrder) groups.oneOrder[row] = 0
  const aggressor = aggressorOf(prints.judged[at])
  if (aggressor === 0) groups.mid[row] += size
  else if (aggressor === 1) groups.aboveAsk[row] += size
  else if (aggressor === 2) groups.atAsk[row] += size
  else if (aggressor === 3) groups.atBid[row] += size
  else groups.belowBid[row] += size
}

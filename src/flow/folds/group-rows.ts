import { aggressorOf, INTERMARKET_SWEEP, type PrintColumns, sideOf } from '../../market/print.ts'
import { grownLength } from '../../memory/grown-length.ts'

// Groups are stored row by row, because a print reads and writes almost every field of its series' newest group. The
// fields of a group share one cache line; as columns, each would be a cache miss of its own.

/** Storage for groups of prints, 64 bytes each; `numbers` and `counts` are views of one buffer. */
export interface GroupRows {
  readonly length: number
  readonly numbers: Float64Array
  readonly counts: Int32Array
}

const BYTES = 64
const NUMBERS = 8
const COUNTS = 16

// Indexes in `numbers`: times in microseconds, sequence of the first print, price units times contracts.
const FIRST = 0
const LAST = 1
const SEQUENCE = 2
const MONEY = 3

// Indexes in `counts`, which lie behind the numbers.
const FORM = 8
const PRINTS = 9
const PLACE = 10
const BY_AGGRESSOR = 11

// Bit 2 of FORM: the prints may be one order. Bits 0 and 1 hold the side, the bits above the exchange of the first
// print.
const ONE_ORDER = 4
const EXCHANGE = 3

export function emptyGroups(length: number): GroupRows {
  const memory = new ArrayBuffer(BYTES * length)
  return { length, numbers: new Float64Array(memory), counts: new Int32Array(memory) }
}

/** Returns the groups if they have room for `length`, else a longer copy. */
export function withRoomFor(groups: GroupRows, length: number): GroupRows {
  return length <= groups.length ? groups : copyOfGroups(groups, grownLength(groups.length, length))
}

export function copyOfGroups({ numbers, length }: GroupRows, longer = length): GroupRows {
  const copy = emptyGroups(longer)
  // Copies bytes: as doubles, some bit patterns of counts would be changed.
  new Uint8Array(copy.numbers.buffer).set(new Uint8Array(numbers.buffer))
  return copy
}

export function copyGroup(source: GroupRows, from: number, target: GroupRows, to: number): void {
  for (let k = FIRST; k <= MONEY; k++) target.numbers[NUMBERS * to + k] = source.numbers[NUMBERS * from + k]
  for (let k = FORM; k < COUNTS; k++) target.counts[COUNTS * to + k] = source.counts[COUNTS * from + k]
}

export const firstTimeOf = ({ numbers }: GroupRows, row: number): number => numbers[NUMBERS * row + FIRST]
export const lastTimeOf = ({ numbers }: GroupRows, row: number): number => numbers[NUMBERS * row + LAST]
export const sequenceOf = ({ numbers }: GroupRows, row: number): number => numbers[NUMBERS * row + SEQUENCE]
export const moneyOf = ({ numbers }: GroupRows, row: number): number => numbers[NUMBERS * row + MONEY]

/** Side of a group; MID if the row has none. */
export const sideOfGroup = ({ counts }: GroupRows, row: number): number => sideOf(counts[COUNTS * row + FORM])
export const exchangeOfGroup = ({ counts }: GroupRows, row: number): number => counts[COUNTS * row + FORM] >> EXCHANGE
export const printCountOf = ({ counts }: GroupRows, row: number): number => counts[COUNTS * row + PRINTS]
export const sizeByAggressor = ({ counts }: GroupRows, row: number, aggressor: number): number =>
  counts[COUNTS * row + BY_AGGRESSOR + aggressor]

/** Whether several prints look like one order: one named exchange, one price, no sweep mark. */
export const isOneOrder = (groups: GroupRows, row: number): boolean =>
  printCountOf(groups, row) > 1 && (groups.counts[COUNTS * row + FORM] & ONE_ORDER) !== 0

export function sizeOfGroup(groups: GroupRows, row: number): number {
  const at = COUNTS * row + BY_AGGRESSOR
  const { counts } = groups
  return counts[at] + counts[at + 1] + counts[at + 2] + counts[at + 3] + counts[at + 4]
}

/** A field that the caller may use; 0 when a group begins. */
export const placeOf = ({ counts }: GroupRows, row: number): number => counts[COUNTS * row + PLACE]
export function setPlace({ counts }: GroupRows, row: number, place: number): void {
  counts[COUNTS * row + PLACE] = place
}

/** Empties a row, but keeps the time of the newest print of its series. */
export function clearGroup({ numbers }: GroupRows, row: number, newest: number): void {
  numbers.fill(0, NUMBERS * row, NUMBERS * (row + 1)) // clears the counts too
  numbers[NUMBERS * row + LAST] = newest
}

/** Begins a group with the print in row `at`, which counts as made at `ts`, microseconds. */
export function beginGroup(groups: GroupRows, row: number, prints: PrintColumns, at: number, ts: number): void {
  const exchange = prints.exchange[at]
  const { numbers, counts } = groups
  numbers[NUMBERS * row + FIRST] = ts
  numbers[NUMBERS * row + SEQUENCE] = prints.sequence[at]
  for (let k = MONEY; k < NUMBERS; k++) numbers[NUMBERS * row + k] = 0 // clears the counts too
  counts[COUNTS * row + FORM] = sideOf(prints.judged[at]) | (exchange === 0 ? 0 : ONE_ORDER) | (exchange << EXCHANGE)
  addToGroup(groups, row, prints, at, ts)
}

/** Adds the print in row `at` to a group; it counts as made at `ts`, microseconds. */
export function addToGroup(groups: GroupRows, row: number, prints: PrintColumns, at: number, ts: number): void {
  const size = prints.size[at]
  const price = prints.price[at]
  const { numbers, counts } = groups
  numbers[NUMBERS * row + LAST] = ts
  const money = (numbers[NUMBERS * row + MONEY] += size * price)
  counts[COUNTS * row + PRINTS]++
  counts[COUNTS * row + BY_AGGRESSOR + aggressorOf(prints.judged[at])] += size
  const isSameOrder =
    exchangeOfGroup(groups, row) === prints.exchange[at] &&
    (prints.flags[at] & INTERMARKET_SWEEP) === 0 &&
    money === price * sizeOfGroup(groups, row) // true only if all prints had this price
  if (!isSameOrder) counts[COUNTS * row + FORM] &= ~ONE_ORDER
}

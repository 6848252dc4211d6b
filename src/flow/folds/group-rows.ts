import { aggressorOf, INTERMARKET_SWEEP, type PrintColumns, sideOf } from '../../market/print.ts'
import { grownLength } from '../../memory/grown-length.ts'

// A print reads and writes nearly everything that is known of the newest group of its series. So that stands side by side,
// in one line of the processor's cache: as columns, every field would be fetched from far memory by itself.

/** Groups, a row of 64 bytes for each: numbers and counts are two readings of one buffer. */
export interface GroupRows {
  readonly length: number
  readonly numbers: Float64Array
  readonly counts: Int32Array
}

const BYTES = 64
const NUMBERS = 8
const COUNTS = 16

// Places in `numbers`: times in microseconds, the sequence of the first print, price units times contracts.
const FIRST = 0
const LAST = 1
const SEQUENCE = 2
const MONEY = 3

// Places in `counts`, behind those.
const FORM = 8
const PRINTS = 9
const PLACE = 10
const BY_AGGRESSOR = 11

// The form: side in bits 0 and 1, in bit 2 whether its prints may be one order, above them the exchange of the first one.
const ONE_ORDER = 4
const EXCHANGE = 3

export function emptyGroups(length: number): GroupRows {
  const memory = new ArrayBuffer(BYTES * length)
  return { length, numbers: new Float64Array(memory), counts: new Int32Array(memory) }
}

/** The groups themselves where there is room for so many, else a longer copy. */
export function withRoomFor(groups: GroupRows, length: number): GroupRows {
  return length <= groups.length ? groups : copyOfGroups(groups, grownLength(groups.length, length))
}

export function copyOfGroups({ numbers, length }: GroupRows, longer = length): GroupRows {
  const copy = emptyGroups(longer)
  // Bits are copied, whatever they stand for: as numbers, some patterns of counts would be changed on the way.
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

/** MID where there is no group yet. */
export const sideOfGroup = ({ counts }: GroupRows, row: number): number => sideOf(counts[COUNTS * row + FORM])
export const exchangeOfGroup = ({ counts }: GroupRows, row: number): number => counts[COUNTS * row + FORM] >> EXCHANGE
export const printCountOf = ({ counts }: GroupRows, row: number): number => counts[COUNTS * row + PRINTS]
export const sizeByAggressor = ({ counts }: GroupRows, row: number, aggressor: number): number =>
  counts[COUNTS * row + BY_AGGRESSOR + aggressor]

/** Whether several prints look like one order met by several: one named exchange, one price, no sweep mark. */
export const isOneOrder = (groups: GroupRows, row: number): boolean =>
  printCountOf(groups, row) > 1 && (groups.counts[COUNTS * row + FORM] & ONE_ORDER) !== 0

export function sizeOfGroup(groups: GroupRows, row: number): number {
  const at = COUNTS * row + BY_AGGRESSOR
  const { counts } = groups
  return counts[at] + counts[at + 1] + counts[at + 2] + counts[at + 3] + counts[at + 4]
}

/** A number that is kept with a group, 0 when it begins. */
export const placeOf = ({ counts }: GroupRows, row: number): number => counts[COUNTS * row + PLACE]
export function setPlace({ counts }: GroupRows, row: number, place: number): void {
  counts[COUNTS * row + PLACE] = place
}

/** A row without a group, but with the newest time of its series. */
export function clearGroup({ numbers }: GroupRows, row: number, newest: number): void {
  numbers.fill(0, NUMBERS * row, NUMBERS * (row + 1)) // the counts with them
  numbers[NUMBERS * row + LAST] = newest
}

/** Begins a group with a print that counts as of time `ts`. */
export function beginGroup(groups: GroupRows, row: number, prints: PrintColumns, at: number, ts: number): void {
  const exchange = prints.exchange[at]
  const { numbers, counts } = groups
  numbers[NUMBERS * row + FIRST] = ts
  numbers[NUMBERS * row + SEQUENCE] = prints.sequence[at]
  for (let k = MONEY; k < NUMBERS; k++) numbers[NUMBERS * row + k] = 0 // the counts with it
  counts[COUNTS * row + FORM] = sideOf(prints.judged[at]) | (exchange === 0 ? 0 : ONE_ORDER) | (exchange << EXCHANGE)
  addToGroup(groups, row, prints, at, ts)
}

/** Adds a print that counts as of time `ts`. */
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
    money === price * sizeOfGroup(groups, row) // as long as all before had one price, so has this one
  if (!isSameOrder) counts[COUNTS * row + FORM] &= ~ONE_ORDER
}

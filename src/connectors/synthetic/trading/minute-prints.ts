import { INTERMARKET_SWEEP, LATE, MULTI_LEG } from '../../../market/print.ts'
import { bitsOf } from '../../../math/random.ts'

/** Prints of one minute, without prices, as columns ordered by contract. `eventsOf` sorts them by time. */
export interface MinutePrints {
  readonly length: number
  readonly slot: Int32Array
  /**
   * Time of each print, in microseconds since the minute began. It is never a whole second, so that each print is
   * clearly before or after any whole second.
   */
  readonly time: Int32Array
  /** Contracts or shares. */
  readonly size: Int32Array
  readonly flags: Uint16Array
  /** Time of the cancel in microseconds since the minute began; 0 if the print stands. */
  readonly cancelled: Int32Array
  /** Random 32 bits that decide the print's side, price and exchange. */
  readonly draw: Int32Array
}

/** Sizes of the orders into which trading is divided, and which orders are split over several exchanges. */
export interface Sizes {
  /** Sizes of orders. Each entry is equally likely, so frequent sizes occur several times. */
  readonly table: Int32Array
  /** Smallest size of an order that may be split over several exchanges. Three in ten such orders are. */
  readonly sweep: number
}

/** Sizes in contracts: nearly half of the prints have 1 to 3, few have hundreds. */
export const contractSizes: Sizes = {
  table: sizeTable([
    [56, 1],
    [34, 2],
    [23, 3],
    [15, 4],
    [30, 5],
    [8, 6],
    [8, 8],
    [30, 10],
    [10, 15],
    [14, 20],
    [8, 25],
    [11, 50],
    [6, 100],
    [2, 200],
    [1, 500]
  ]),
  sweep: 20
}

/** Sizes in shares: odd lots, round lots, and blocks of ten thousand and more. */
export const shareSizes: Sizes = {
  table: sizeTable([
    [14, 3],
    [16, 10],
    [14, 25],
    [14, 50],
    [86, 100],
    [36, 200],
    [20, 300],
    [24, 500],
    [16, 1000],
    [9, 2000],
    [5, 5000],
    [2, 12_000]
  ]),
  sweep: 500
}

function sizeTable(counts: readonly (readonly [count: number, size: number])[]): Int32Array {
  return Int32Array.from(counts.flatMap(([count, size]) => Array.from({ length: count }, () => size)))
}

const MINUTE = 60_000_000
const SECOND = 1_000_000
/**
 * Microseconds between the prints of one order that is split over exchanges; `SWEEP_PRINTS` is their maximum number.
 */
const SWEEP_STEP = 40_000
const SWEEP_PRINTS = 5
/**
 * Number of prints out of 4096 that are one leg of a spread. The next two numbers are for prints that are followed by a
 * canceled print, and for prints that are reported late.
 */
const WITH_LEG = 300
const TAKEN_BACK = 1
const REPORTED_LATE = 2

/** Index ranges of the contracts of each expiration. The other leg of a spread is chosen from the same range. */
export interface Slots {
  readonly series: readonly { readonly start: number; readonly end: number }[]
  readonly key: Int32Array
}

/**
 * Divides the volume of a minute into prints. `minute` is unique among all minutes of all sessions. The prints of a
 * contract add up to its volume. Prints that are canceled come in addition. Their cancels fall in the same minute, so
 * sums over whole minutes do not contain them.
 */
export function printsOfMinute(
  { series, key }: Slots,
  minute: number,
  contracts: Int32Array,
  sizes: Sizes
): MinutePrints {
  const rows = new Rows()
  const left = contracts.slice()
  for (const { start, end } of series) {
    for (let slot = start; slot < end; slot++) {
      if (left[slot] > 0) cutSlot(rows, left, slot, end, bitsOf(key[slot], minute, CUT), sizes)
    }
  }
  return rows
}

const CUT = 0x7002

function cutSlot(rows: Rows, left: Int32Array, slot: number, end: number, key: number, sizes: Sizes): void {
  const { table, sweep } = sizes
  for (let order = 0; left[slot] > 0; order++) {
    const bits = bitsOf(key, order, 1)
    const draw = bitsOf(key, order, 2)
    const rare = draw >>> 20
    const time = within(uniformOf(bitsOf(key, order, 3)) * MINUTE)
    const size = Math.min(table[(bits & 0xffff) % table.length], left[slot])
    const leg = bits >>> 20 < WITH_LEG ? legBeside(left, slot, end, (bits >>> 16) & 7) : -1
    if (leg >= 0) {
      const both = Math.min(size, left[leg])
      left[slot] -= both
      left[leg] -= both
      rows.add(slot, time, both, MULTI_LEG, 0, draw)
      rows.add(leg, time, both, MULTI_LEG, 0, draw ^ SIDE_BITS)
      continue
    }
    left[slot] -= size
    if (size >= sweep && (bits >>> 16) % 10 < 3) {
      addSweep(rows, slot, time, size, 2 + ((bits >>> 16) % (SWEEP_PRINTS - 1)), draw)
      continue
    }
    rows.add(slot, time, size, rare >= TAKEN_BACK && rare < TAKEN_BACK + REPORTED_LATE ? LATE : 0, 0, draw)
    if (rare < TAKEN_BACK) addTakenBack(rows, slot, size, key, order)
  }
}

/**
 * Finds the other leg of a spread: a contract of the same expiration, some strikes away, that still has volume to
 * print; -1 if there is none.
 */
function legBeside(left: Int32Array, slot: number, end: number, away: number): number {
  const last = Math.min(end, slot + 20)
  for (let leg = slot + 1 + away; leg < last; leg++) if (left[leg] > 0) return leg
  return -1
}

function addSweep(rows: Rows, slot: number, time: number, size: number, prints: number, draw: number): void {
  const start = Math.min(time, MINUTE - SWEEP_PRINTS * SWEEP_STEP)
  for (let at = 0, rest = size; at < prints; at++) {
    const part = at === prints - 1 ? rest : Math.floor(size / prints)
    rest -= part
    rows.add(slot, within(start + at * SWEEP_STEP), part, INTERMARKET_SWEEP, 0, nextExchange(draw, at))
  }
}

/** Adds a mistaken print, early enough to be canceled at least a second later within the minute. */
function addTakenBack(rows: Rows, slot: number, size: number, key: number, order: number): void {
  const time = within(uniformOf(bitsOf(key, order, 4)) * (MINUTE - 2 * SECOND))
  const wait = SECOND + uniformOf(bitsOf(key, order, 5)) * (MINUTE - SECOND - time)
  rows.add(slot, time, size, 0, within(Math.min(MINUTE - 1, time + wait)), bitsOf(key, order, 6))
}

function uniformOf(bits: number): number {
  return (bits >>> 0) / 2 ** 32
}

function within(time: number): number {
  const whole = Math.floor(time)
  return whole % SECOND === 0 ? whole + 1 : whole
}

// Use of the low 20 bits of `draw`: ten for the side, three for the place within the spread, four for the exchange.

export const EXCHANGES = 16
export function drawnExchange(draw: number): number {
  return 1 + ((draw >>> 13) & (EXCHANGES - 1))
}

/** Moves a draw to another exchange. The odd step visits all exchanges in turn. */
function nextExchange(draw: number, at: number): number {
  return (draw & ~(0xf << 13)) | (((drawnExchange(draw) - 1 + 5 * at) & 0xf) << 13)
}

/** Whether a print's price lies inside the spread, as one in eight does. */
export function isInside(draw: number): boolean {
  return ((draw >>> 10) & 7) === 0
}

const SIDE_BITS = 1023
/**
 * A number from 0 to 1 that decides a print's side. If one leg of a spread has a high number, the other has a low one.
 */
export function sideDraw(draw: number): number {
  return ((draw & SIDE_BITS) + 0.5) / (SIDE_BITS + 1)
}

/** Adds to `volume` the prints, and subtracts the cancels, before `end`, in microseconds since the minute began. */
export function addUpTo(volume: Int32Array, prints: MinutePrints, end: number): void {
  const { length, slot, time, size, cancelled } = prints
  for (let row = 0; row < length; row++) {
    if (time[row] < end) volume[slot[row]] += size[row]
    if (cancelled[row] > 0 && cancelled[row] < end) volume[slot[row]] -= size[row]
  }
}

export interface MinuteEvents {
  readonly length: number
  /** Microseconds since the minute began, ascending. */
  readonly time: Int32Array
  readonly row: Int32Array
  /** 1 if the event cancels a print, 0 if it is the print itself. */
  readonly cancel: Uint8Array
  readonly place: Int32Array
}

export function eventsOf({ length: rows, time, cancelled }: MinutePrints): MinuteEvents {
  let length = rows
  for (let row = 0; row < rows; row++) if (cancelled[row] > 0) length++
  const order = new Float64Array(length)
  for (let row = 0, at = rows; row < rows; row++) {
    order[row] = time[row] * ROWS + 2 * row
    if (cancelled[row] > 0) order[at++] = cancelled[row] * ROWS + 2 * row + 1
  }
  order.sort()
  const events = {
    length,
    time: new Int32Array(length),
    row: new Int32Array(length),
    cancel: new Uint8Array(length),
    place: new Int32Array(rows)
  }
  for (let at = 0; at < length; at++) {
    const when = Math.floor(order[at] / ROWS)
    const rest = order[at] - when * ROWS
    events.time[at] = when
    events.row[at] = rest >> 1
    events.cancel[at] = rest & 1
    if ((rest & 1) === 0) events.place[rest >> 1] = at
  }
  return events
}

const ROWS = 2 ** 20

const FIRST_CAPACITY = 256

class Rows implements MinutePrints {
  length = 0
  slot = new Int32Array(FIRST_CAPACITY)
  time = new Int32Array(FIRST_CAPACITY)
  size = new Int32Array(FIRST_CAPACITY)
  flags = new Uint16Array(FIRST_CAPACITY)
  cancelled = new Int32Array(FIRST_CAPACITY)
  draw = new Int32Array(FIRST_CAPACITY)

  add(slot: number, time: number, size: number, flags: number, cancelled: number, draw: number): void {
    const at = this.length++
    if (at === this.slot.length) this.#grow()
    this.slot[at] = slot
    this.time[at] = time
    this.size[at] = size
    this.flags[at] = flags
    this.cancelled[at] = cancelled
    this.draw[at] = draw
  }

  #grow(): void {
    const capacity = 2 * this.slot.length
    this.slot = grown(this.slot, new Int32Array(capacity))
    this.time = grown(this.time, new Int32Array(capacity))
    this.size = grown(this.size, new Int32Array(capacity))
    this.flags = grown(this.flags, new Uint16Array(capacity))
    this.cancelled = grown(this.cancelled, new Int32Array(capacity))
    this.draw = grown(this.draw, new Int32Array(capacity))
  }
}

function grown<Column extends Int32Array | Uint16Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

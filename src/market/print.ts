import { sharedMemory } from '../memory/shared-memory.ts'
import type { Instant } from './units.ts'

export type TapeKind = 'option' | 'stock'
export const tapeKinds = ['option', 'stock'] as const satisfies readonly TapeKind[]

/** Origin of a tape's prints: a feed or import; the growth of contract volumes between polls; the synthetic market. */
export const tapeSources = ['recorded', 'inferred', 'synthetic'] as const
export type TapeSource = (typeof tapeSources)[number]

/**
 * USD per unit of a tape's prices, which are whole numbers: 1/10000 USD, or whole cents if a stock costs more than the
 * smaller unit can express. Times are whole microseconds since 1970, UTC.
 */
export const PRICE_UNIT = 1e-4
export const LARGE_PRICE_UNIT = 0.01
export const MICROSECONDS_PER_MILLISECOND = 1000

/** Marks an absent price: no quote, or one too old to judge by. */
export const NO_PRICE = -1

/** Bit flags of a print. This one: the print is part of a trade in several contracts. */
export const MULTI_LEG = 1
export const STOCK_TIED = 2
export const CROSS = 4
export const LATE = 8
export const OUT_OF_SEQUENCE = 16
/** The print was made outside the regular trading hours. */
export const EXTENDED = 32
/** The contract delivers something other than 100 shares. */
export const ADJUSTED = 64
/** The stock print counts in volume, but its price must not set open, high, low or close. */
export const SETS_NO_PRICE = 128
/** The row cancels an earlier print and repeats its fields. */
export const CANCEL = 256
export const CORRECTION = 512
/** The print was computed from the growth of a contract's volume between two polls. */
export const INFERRED = 1024
/** The print is the first one after a period of which prints are missing. */
export const AFTER_GAP = 2048
/** The order was sent to several exchanges at once (intermarket sweep). */
export const INTERMARKET_SWEEP = 4096

/** Flags of prints that have no side, because their price was not made against the quote. They stay on the tape. */
export const MARKED = MULTI_LEG | STOCK_TIED | CROSS | LATE | OUT_OF_SEQUENCE
/** Flags of prints that the open interest simulator, the groups and hedge flow ignore. */
export const NOT_ELIGIBLE = MARKED | EXTENDED | ADJUSTED | CANCEL

/** Side of the customer: undecided, bought or sold. */
export const MID = 0
export const BUY = 1
export const SELL = 2
export const sides = ['mid', 'buy', 'sell'] as const

/** Position of a print's price relative to the quote. */
export const aggressors = ['mid', 'above_ask', 'at_ask', 'at_bid', 'below_bid'] as const
/** Rule that decided the side of a print. */
export const deciders = ['none', 'quote', 'locked', 'tick'] as const

/** Packs side (bits 0 and 1), aggressor (2 to 4) and decider (5 and 6) into a value of the `judged` column. */
export const judgedOf = (side: number, aggressor: number, decider: number) => side | (aggressor << 2) | (decider << 5)
export const sideOf = (judged: number) => judged & 3
/** 1 if the customer bought, -1 if they sold, 0 in the middle; by side, looked up since sides are as good as random. */
export const signs = Int8Array.of(0, 1, -1)
export const aggressorOf = (judged: number) => (judged >> 2) & 7
export const deciderOf = (judged: number) => (judged >> 5) & 3

/** Array types of the print columns. */
export const printKinds = {
  known: Float64Array,
  ts: Float64Array,
  sequence: Float64Array,
  instrument: Int32Array,
  price: Int32Array,
  size: Int32Array,
  bid: Int32Array,
  ask: Int32Array,
  spot: Int32Array,
  flags: Uint16Array,
  judged: Uint8Array,
  exchange: Uint8Array
} as const

type Columns = typeof printKinds

/**
 * Prints, one per row, in the order in which they became known.
 *
 * `known`: when the print became visible, never falling: the latest of its own time, its arrival minus the delay of its
 * source, and the previous row's value. `ts`: the exchange's time. `sequence`: unique with `exchange` within a session.
 * `instrument`: row in the series of its tape. `size`: contracts or shares. `bid`, `ask`: the quote it was judged by.
 * `spot`: mid price of the underlying at the print. `exchange`: the feed's number of it, 0 if none is named.
 */
export type PrintColumns = { readonly [Name in keyof Columns]: InstanceType<Columns[Name]> }

export interface Prints extends PrintColumns {
  readonly length: number
}

export const printColumns = Object.keys(printKinds) as readonly (keyof Columns)[]

/** Zeroed columns for `length` prints, in one shared buffer. */
export function emptyPrints(length: number): Prints {
  return printsIn(sharedMemory, length)
}

/**
 * Zeroed columns for `length` prints, in one buffer that only this thread reads. V8 counts such memory, and frees it
 * sooner than shared memory when the columns grow.
 */
export function ownPrints(length: number): Prints {
  return printsIn((bytes) => new ArrayBuffer(bytes), length)
}

function printsIn(memory: (bytes: number) => SharedArrayBuffer | ArrayBuffer, length: number): Prints {
  const widest = Object.entries(printKinds).sort(([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT)
  const row = widest.reduce((sum, [, { BYTES_PER_ELEMENT }]) => sum + BYTES_PER_ELEMENT, 0)
  const buffer = memory(row * length)
  let offset = 0
  const made = widest.map(([name, Kind]) => {
    const column = new (Kind as new (buffer: ArrayBufferLike, offset: number, length: number) => Float64Array)(
      buffer,
      offset,
      length
    )
    offset += column.byteLength
    return [name, column]
  })
  return printsOf(Object.fromEntries(made) as PrintColumns, length)
}

/**
 * Combines columns and their length. All prints are built here field by field, so that V8 sees one kind of object;
 * spreading would give each its own kind, which makes every loop over prints several times slower.
 */
export function printsOf(columns: PrintColumns, length: number): Prints {
  const { known, ts, sequence, instrument, price, size, bid, ask, spot, flags, judged, exchange } = columns
  return { known, ts, sequence, instrument, price, size, bid, ask, spot, flags, judged, exchange, length }
}

/** Copies rows [from, to) of `source` to row `at` of `target`. */
export function copyPrints(source: PrintColumns, from: number, to: number, target: PrintColumns, at: number): void {
  for (const name of printColumns) target[name].set(source[name].subarray(from, to) as never, at)
}

/** Copies rows [from, to) into new memory. */
export function slicePrints(source: PrintColumns, from: number, to: number): Prints {
  const slice = emptyPrints(to - from)
  copyPrints(source, from, to, slice, 0)
  return slice
}

/** Copies the given rows, in that order, into new memory. */
export function pickPrints(source: PrintColumns, rows: readonly number[]): Prints {
  const picked = emptyPrints(rows.length)
  for (let k = 0; k < rows.length; k++) copyPrint(source, rows[k], picked, k)
  return picked
}

/** Copies one row, column by column; a loop over column names would take ten times as long. */
export function copyPrint(source: PrintColumns, row: number, target: PrintColumns, at: number): void {
  target.known[at] = source.known[row]
  target.ts[at] = source.ts[row]
  target.sequence[at] = source.sequence[row]
  target.instrument[at] = source.instrument[row]
  target.price[at] = source.price[row]
  target.size[at] = source.size[row]
  target.bid[at] = source.bid[row]
  target.ask[at] = source.ask[row]
  target.spot[at] = source.spot[row]
  target.flags[at] = source.flags[row]
  target.judged[at] = source.judged[row]
  target.exchange[at] = source.exchange[row]
}

/** Number of rows at the beginning of a tape that were known at a moment, milliseconds. */
export function rowsKnownBy({ known, length }: Prints, at: Instant): number {
  const moment = MICROSECONDS_PER_MILLISECOND * at
  let [from, to] = [0, length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (known[middle] <= moment) from = middle + 1
    else to = middle
  }
  return from
}

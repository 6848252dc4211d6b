import { giveBackMemory, noteSharedMemory, sharedMemory } from '../memory/shared-memory.ts'
import type { Settlement } from './clock.ts'
import type { Dividend } from './dividend.ts'
import { refuseGone } from './gone-chain.ts'
import type { Instant, IsoDate, Ticker } from './units.ts'

export const CALL = 0
export const PUT = 1
/** Marks an unknown figure in an integer column; unknown is not zero. */
export const UNKNOWN = -1
/** Shares that one standard contract delivers. Adjusted contracts deliver something else and never enter a chain. */
export const CONTRACT_SIZE = 100

/** The contracts of one option root that expire together: slots `start` to `end` of the chain's columns. */
export interface Expiration {
  readonly date: IsoDate
  readonly root: string
  readonly settlement: Settlement
  readonly start: number
  readonly end: number
}

/** The underlying's quote as the source states it. An index has no two-sided quote, and some sources send no sizes. */
export interface UnderlyingQuote {
  readonly bid: number | undefined
  readonly ask: number | undefined
  readonly last: number
  readonly time: Instant
}

/** Quotes of the contracts, one slot each. Prices in USD per share; NaN and UNKNOWN mark figures the feed lacks. */
export interface ContractColumns {
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly bid: Float64Array
  readonly ask: Float64Array
  readonly last: Float64Array
  readonly bidSize: Int32Array
  readonly askSize: Int32Array
  /** Contracts traded in the session that `asOf` belongs to. */
  readonly volume: Int32Array
  /** Open contracts at the end of the previous session, as published in the morning. */
  readonly openInterest: Int32Array
}

export interface ChainHeader {
  readonly symbol: Ticker
  /** Time that the chain describes; measures treat it as "now". */
  readonly asOf: Instant
  /** Seconds by which the source's newest data lags behind the clock: 900 for a feed delayed by 15 minutes. */
  readonly delay: number
  /**
   * Price of the underlying: midpoint of its quote, its last price if a side is missing, its close once the session is
   * over.
   */
  readonly spot: number
  readonly quote: UnderlyingQuote
  /** Name of the source, if the service has several; absent if there is only one. */
  readonly source?: string | undefined
  /** When a collector requested the chain from the source; absent if this service did so itself. */
  readonly observedAt?: Instant | undefined
}

export function headerOf({ symbol, asOf, delay, spot, quote, source }: ChainHeader): ChainHeader {
  return { symbol, asOf, delay, spot, quote, source }
}

/**
 * All listed options of one underlying at one moment. Sorted by expiration, root, strike, call before put. Immutable.
 */
export interface Chain extends ChainHeader, ContractColumns {
  readonly size: number
  readonly expirations: readonly Expiration[]
  /** Cash dividends expected at `asOf`, ascending by ex-date; absent if none is known. */
  readonly dividends?: readonly Dividend[] | undefined
}

/**
 * Builds a chain field by field, including absent ones, so that all chains have one hidden class in V8. Spreading gave
 * each chain its own class, and looking up its fields by name took about a tenth of the time of a response about the
 * past.
 */
export function chainOf(
  { symbol, asOf, delay, spot, quote, source, observedAt }: ChainHeader,
  { strike, right, bid, ask, last, bidSize, askSize, volume, openInterest }: ContractColumns,
  expirations: readonly Expiration[]
): Chain {
  return {
    symbol,
    asOf,
    delay,
    spot,
    quote,
    source,
    observedAt,
    strike,
    right,
    bid,
    ask,
    last,
    bidSize,
    askSize,
    volume,
    openInterest,
    size: strike.length,
    expirations,
    dividends: undefined
  }
}

/** One contract as a connector parses it, before it becomes a slot of the chain's columns. */
export interface ContractRow {
  readonly root: string
  readonly expiration: IsoDate
  readonly settlement: Settlement
  readonly right: number
  readonly strike: number
  readonly bid: number
  readonly ask: number
  readonly last: number
  readonly bidSize: number
  readonly askSize: number
  readonly volume: number
  readonly openInterest: number
}

const floatColumns = ['strike', 'bid', 'ask', 'last'] as const
const countColumns = ['bidSize', 'askSize', 'volume', 'openInterest'] as const

/**
 * Builds a chain from rows in any order. Of a contract that appears twice, the last row counts. The columns lie in one
 * shared buffer, so a chain passes between threads without being copied.
 */
export function buildChain(header: ChainHeader, rows: readonly ContractRow[]): Chain {
  const sorted = inOrder(rows)
  const columns = contractColumns(sorted.length)
  const { strike, right, bid, ask, last, bidSize, askSize, volume, openInterest } = columns
  const expirations: Expiration[] = []
  for (let slot = 0, start = 0; slot < sorted.length; slot++) {
    const row = sorted[slot]
    strike[slot] = row.strike
    right[slot] = row.right
    bid[slot] = row.bid
    ask[slot] = row.ask
    last[slot] = row.last
    bidSize[slot] = countOf(row.bidSize)
    askSize[slot] = countOf(row.askSize)
    volume[slot] = countOf(row.volume)
    openInterest[slot] = countOf(row.openInterest)
    const next = sorted[slot + 1]
    if (next === undefined || next.expiration !== row.expiration || next.root !== row.root) {
      expirations.push({
        date: row.expiration,
        root: row.root,
        settlement: row.settlement,
        start,
        end: slot + 1
      })
      start = slot + 1
    }
  }
  return chainOf(header, columns, expirations)
}

/**
 * Converts a count to a value for a 32-bit column. A value that is not a count in that range becomes UNKNOWN, so that
 * it never wraps around.
 */
function countOf(value: number): number {
  return value >= 0 && value < 2 ** 31 ? value : UNKNOWN
}

/**
 * Sorts rows in chain order and keeps the last row of each contract. Most feeds send them sorted, and checking that
 * costs a tenth of sorting.
 */
export function inOrder(rows: readonly ContractRow[]): readonly ContractRow[] {
  if (rows.every((row, at) => at === 0 || compareRows(rows[at - 1], row) < 0)) return rows
  const sorted = rows.toSorted(compareRows)
  return sorted.filter((row, at) => at + 1 === sorted.length || compareRows(row, sorted[at + 1]) !== 0)
}

function compareRows(a: ContractRow, b: ContractRow): number {
  if (a.expiration !== b.expiration) return a.expiration < b.expiration ? -1 : 1
  if (a.root !== b.root) return a.root < b.root ? -1 : 1
  return a.strike - b.strike || a.right - b.right
}

/** Bytes of all columns of one contract. */
export const BYTES_PER_CONTRACT = 8 * floatColumns.length + 4 * countColumns.length + 1

/** Empty columns for a chain of `size` contracts, in one shared buffer. */
export function contractColumns(size: number): ContractColumns {
  const buffer = sharedMemory(size * BYTES_PER_CONTRACT)
  let offset = 0
  const floats = () => new Float64Array(buffer, (offset += 8 * size) - 8 * size, size)
  const counts = () => new Int32Array(buffer, (offset += 4 * size) - 4 * size, size)
  return {
    strike: floats(),
    bid: floats(),
    ask: floats(),
    last: floats(),
    bidSize: counts(),
    askSize: counts(),
    volume: counts(),
    openInterest: counts(),
    right: new Uint8Array(buffer, offset, size)
  }
}

/** Copies all columns of a chain's contracts into columns of the same length. */
export function copyContracts(from: ContractColumns, to: ContractColumns): void {
  for (const name of [...floatColumns, ...countColumns]) to[name].set(from[name])
  to.right.set(from.right)
}

/** Columns of a chain that change from one snapshot to the next while the listed contracts stay the same. */
export type QuoteColumns = Pick<ContractColumns, 'bid' | 'ask' | 'last' | 'bidSize' | 'askSize' | 'volume'>

/** Empty quote columns in one shared buffer, for a chain that shares its contracts with another one. */
export function quoteColumns(size: number): QuoteColumns {
  const buffer = sharedMemory(size * (8 * 3 + 4 * 3))
  const floats = (at: number) => new Float64Array(buffer, 8 * size * at, size)
  const counts = (at: number) => new Int32Array(buffer, size * (24 + 4 * at), size)
  return { bid: floats(0), ask: floats(1), last: floats(2), bidSize: counts(0), askSize: counts(1), volume: counts(2) }
}

/**
 * The part of a chain, priced or not, that is listed under one option root: SPXW out of SPX. Undefined if nothing is
 * listed there.
 */
export function chainOfRoot<AnyChain extends Chain>(chain: AnyChain, root: Ticker): AnyChain | undefined {
  refuseGone(chain)
  const listed = chain.expirations.filter((expiration) => expiration.root === root)
  if (listed.length === 0) return undefined
  const size = listed.reduce((sum, { start, end }) => sum + end - start, 0)
  const part: Record<string, unknown> = { ...(chain as Chain), symbol: root, size }
  for (const [name, column] of Object.entries(chain)) {
    if (isColumn(column)) part[name] = partOf(column, listed, size)
    // Arrays with one item per expiration, such as the carries of a priced chain, are cut like the expirations.
    else if (Array.isArray(column) && name !== 'dividends')
      part[name] = column.filter((_, at) => chain.expirations[at].root === root)
  }
  let start = 0
  part.expirations = listed.map((listing) => {
    const end = start + listing.end - listing.start
    const moved = { ...listing, start, end }
    start = end
    return moved
  })
  return part as unknown as AnyChain
}

type Column = Float64Array | Int32Array | Uint8Array

const isColumn = (value: unknown): value is Column =>
  value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array

function partOf(column: Column, listed: readonly Expiration[], size: number): Column {
  const Kind = column.constructor as new (buffer: SharedArrayBuffer, offset: number, length: number) => Column
  const part = new Kind(sharedMemory(size * column.BYTES_PER_ELEMENT), 0, size)
  let at = 0
  for (const { start, end } of listed) {
    part.set(column.subarray(start, end), at)
    at += end - start
  }
  return part
}

/** Counts the memory of a chain received from another thread, which this thread now holds too. */
export function noteReceived(chain: Chain): void {
  noteSharedMemory(chainBytes(chain))
}

/** Counts the memory of a chain as returned, because the thread that made the chain reuses that memory. */
export function noteReturned(chain: Chain): void {
  noteSharedMemory(-chainBytes(chain))
}

/** Bytes of a chain's columns. */
export function chainBytes(chain: Chain): number {
  let bytes = 0
  for (const column of Object.values(chain)) if (isColumn(column)) bytes += column.byteLength
  return bytes
}

/**
 * Frees the memory of a chain's columns (see `giveBackMemory`). A chain of the archive shares the buffer of its contracts
 * with others of its session; that one is left alone. In a chain from a source all columns lie in one buffer.
 */
export function giveBackColumns({ bid }: Chain): void {
  giveBackMemory(bid.buffer as SharedArrayBuffer)
}

/** Converts an unknown count to 0, so that it adds nothing to a sum. */
export function known(count: number): number {
  return count > 0 ? count : 0
}

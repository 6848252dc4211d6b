import { type Chain, type ChainHeader, chainOf, quoteColumns } from '../../market/chain.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { StoredSnapshot } from '../store.ts'
import type { ContractList } from './contract-list.ts'
import { bidLevels, decodeBids, decodePrices } from './prices.ts'
import { fromSnapshotBytes, headerInSnapshotBytes } from './snapshot-bytes.ts'
import type { SnapshotColumns } from './snapshot-row.ts'

/** What `StoredSnapshot.packed` is: the columns of a row of the database, or a snapshot as a session file has it. */
export interface PackedSnapshot {
  readonly contracts: ContractList
  readonly columns: SnapshotColumns | Uint8Array
}

/**
 * The chain of a stored snapshot, slot for slot what was written. Runs on any thread; its columns lie in shared memory,
 * those that its contract list has are shared by all chains of the list. An absent side of the underlying's quote is undefined.
 */
export function decodeSnapshot({ symbol, asOf, packed }: StoredSnapshot): Chain {
  const { contracts, columns: kept } = packed as PackedSnapshot
  const { expirations, strike, right, openInterest, slots } = contracts
  const written = kept instanceof Uint8Array ? fromSnapshotBytes(kept) : kept

  const size = slots.length
  const columns = quoteColumns(size)
  const put = (from: Int32Array, into: Int32Array) => {
    for (let place = 0; place < size; place++) into[slots[place]] = from[place]
  }
  put(written.bidSize, columns.bidSize)
  put(written.askSize, columns.askSize)
  put(written.volume, columns.volume)

  const [unit, lastUnit] = written.header.subarray(HEADER_FIGURES)
  const levels = bidLevels(written.bidBends)
  decodeBids(written.bidBends, levels, slots, unit, columns.bid)
  decodePrices(written.spread, slots, unit, columns.ask, levels)
  decodePrices(written.last, slots, lastUnit, columns.last)
  const prices = [columns.bid, columns.ask, columns.last]
  written.oddSlot.forEach((at, k) => {
    prices[Math.floor(at / size)][slots[at % size]] = written.oddPrice[k]
  })

  const header = headerIn(written.header, symbol, asOf)
  return chainOf(header, { strike, right, openInterest, ...columns }, expirations)
}

/** What a stored snapshot says beside its options, of a symbol or of a weekly root. Undefined: it lists nothing under that. */
export function decodeHeader({ symbol, asOf, packed }: StoredSnapshot, of: Ticker): ChainHeader | undefined {
  const { contracts, columns } = packed as PackedSnapshot
  if (of !== symbol && !contracts.expirations.some(({ root }) => root === of)) return undefined
  return headerIn(columns instanceof Uint8Array ? headerInSnapshotBytes(columns) : columns.header, of, asOf)
}

/** Header figures that the header of a chain is made of; the units of prices stand behind them. */
const HEADER_FIGURES = 6

function headerIn([delay, spot, bid, ask, last, time]: Float64Array, symbol: Ticker, asOf: Instant): ChainHeader {
  return { symbol, asOf, delay, spot, quote: { bid: known(bid), ask: known(ask), last, time } }
}

function known(price: number): number | undefined {
  return Number.isNaN(price) ? undefined : price
}

import { type Chain, type ChainHeader, chainOf, quoteColumns } from '../../market/chain.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { StoredSnapshot } from '../history-store.ts'
import type { StoredContracts } from './contract-list.ts'
import { fromSnapshotBytes, headerInSnapshotBytes } from './snapshot-bytes.ts'
import {
  contractNumbers,
  oddPriceColumns,
  type SnapshotBeingDecoded,
  type SnapshotHeader,
  storedHeader
} from './snapshot-columns.ts'
import type { SnapshotColumns } from './snapshot-row.ts'

/** Content of `StoredSnapshot.packed`: columns of a database row, or the packed bytes of a session file. */
export interface PackedSnapshot {
  readonly contracts: StoredContracts
  readonly columns: SnapshotColumns | Uint8Array
}

/**
 * Restores the chain of a stored snapshot; works on any thread. The columns of the chain are in shared memory. All
 * chains with the same contract list share the columns of that list.
 */
export function decodeSnapshot({ symbol, asOf, packed }: StoredSnapshot): Chain {
  const { contracts, columns: kept } = packed as PackedSnapshot
  const { expirations, strike, right, openInterest, slots } = contracts
  const stored = kept instanceof Uint8Array ? fromSnapshotBytes(kept) : kept

  const size = slots.length
  const header = storedHeader(stored.header)
  const chain: SnapshotBeingDecoded = { ...quoteColumns(size), slots, header, levels: new Int32Array(0) }
  contractNumbers.forEach(({ decode }, k) => {
    decode(stored.numbers[k], chain)
  })
  stored.oddSlot.forEach((at, k) => {
    chain[oddPriceColumns[Math.floor(at / size)]][slots[at % size]] = stored.oddPrice[k]
  })
  const { bid, ask, last, bidSize, askSize, volume } = chain
  return chainOf(
    chainHeader(header, symbol, asOf),
    { strike, right, openInterest, bid, ask, last, bidSize, askSize, volume },
    expirations
  )
}

/**
 * Restores only the header of a stored snapshot's chain, for its symbol or one of its roots. Undefined if nothing is
 * listed under that root.
 */
export function decodeHeader({ symbol, asOf, packed }: StoredSnapshot, of: Ticker): ChainHeader | undefined {
  const { contracts, columns } = packed as PackedSnapshot
  if (of !== symbol && !contracts.expirations.some(({ root }) => root === of)) return undefined
  const stored = columns instanceof Uint8Array ? headerInSnapshotBytes(columns) : columns.header
  return chainHeader(storedHeader(stored), of, asOf)
}

function chainHeader(stored: SnapshotHeader, symbol: Ticker, asOf: Instant): ChainHeader {
  const { delay, spot, underlying_bid: bid, underlying_ask: ask, underlying_last: last, underlying_time: time } = stored
  return { symbol, asOf, delay, spot, quote: { bid: known(bid), ask: known(ask), last, time } }
}

function known(price: number): number | undefined {
  return Number.isNaN(price) ? undefined : price
}

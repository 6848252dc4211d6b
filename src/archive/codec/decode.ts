import { type Chain, chainOf, quoteColumns } from '../../market/chain.ts'
import type { StoredSnapshot } from '../store.ts'
import type { ContractList } from './contract-list.ts'
import { bidLevels, decodeBids, decodePrices } from './prices.ts'
import { fromSnapshotBytes } from './snapshot-bytes.ts'
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

  const [delay, spot, bid, ask, last, time, unit, lastUnit] = written.header
  const levels = bidLevels(written.bidBends)
  decodeBids(written.bidBends, levels, slots, unit, columns.bid)
  decodePrices(written.spread, slots, unit, columns.ask, levels)
  decodePrices(written.last, slots, lastUnit, columns.last)
  const prices = [columns.bid, columns.ask, columns.last]
  written.oddSlot.forEach((at, k) => {
    prices[Math.floor(at / size)][slots[at % size]] = written.oddPrice[k]
  })

  const header = { symbol, asOf, delay, spot, quote: { bid: known(bid), ask: known(ask), last, time } }
  return chainOf(header, { strike, right, openInterest, ...columns }, expirations)
}

function known(price: number): number | undefined {
  return Number.isNaN(price) ? undefined : price
}

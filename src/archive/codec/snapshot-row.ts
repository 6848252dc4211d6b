import type { Instant } from '../../market/units.ts'
import type { Fidelity, WrittenAt } from '../store.ts'
import { type NativeArrays, type NativeBlock, readNative } from './native.ts'

/**
 * Everything of a snapshot but its contracts, as the archive keeps it (`encodeSnapshot`): whole numbers, one for each
 * contract in the order of the archive, figures of the underlying, and prices that are no whole numbers.
 */
export interface SnapshotColumns {
  readonly header: Float64Array
  readonly bidBends: Int32Array
  readonly spread: Int32Array
  readonly last: Int32Array
  readonly bidSize: Int32Array
  readonly askSize: Int32Array
  readonly volume: Int32Array
  readonly oddSlot: Uint32Array
  readonly oddPrice: Float64Array
}

/** The columns with a number for each contract, in the order in which they are packed. */
export const contractFields = ['bidBends', 'spread', 'last', 'bidSize', 'askSize', 'volume'] as const

/** A snapshot as a row of the database. */
export interface SnapshotRow {
  readonly asOf: Instant
  readonly written: WrittenAt
  readonly fidelity: Fidelity
  /** Names its contract list among those of the symbol and session. */
  readonly series: string
  readonly columns: SnapshotColumns
}

/** What `snapshotRowsOf` reads of a row. */
export const snapshotFields = `toUnixTimestamp64Milli(ts) AS as_of, toUnixTimestamp64Micro(written) AS written_at,
  toString(fidelity) AS fidelity, series, header,
  bid_bends, spread, last, bid_size, ask_size, volume, odd_slot, odd_price`

/** The rows of an answer with these fields, in its order. */
export function snapshotRowsOf(bytes: Uint8Array): readonly SnapshotRow[] {
  return readNative(bytes).flatMap((block) => Array.from({ length: block.rows }, (_, at) => rowOf(block, at)))
}

function rowOf(block: NativeBlock, at: number): SnapshotRow {
  const arrayOf = <Values extends Float64Array | Int32Array | Uint32Array>(name: string): Values => {
    const { ends, flat } = block.columns[name] as NativeArrays
    // The only row of a block has the whole of it, without a copy.
    return (block.rows === 1 ? flat : flat.slice(at === 0 ? 0 : ends[at - 1], ends[at])) as Values
  }
  return {
    asOf: Number((block.columns['as_of'] as BigInt64Array)[at]),
    written: Number((block.columns['written_at'] as BigInt64Array)[at]) as WrittenAt,
    fidelity: (block.columns['fidelity'] as readonly Fidelity[])[at],
    series: (block.columns['series'] as readonly string[])[at],
    columns: {
      header: arrayOf('header'),
      bidBends: arrayOf('bid_bends'),
      spread: arrayOf('spread'),
      last: arrayOf('last'),
      bidSize: arrayOf('bid_size'),
      askSize: arrayOf('ask_size'),
      volume: arrayOf('volume'),
      oddSlot: arrayOf('odd_slot'),
      oddPrice: arrayOf('odd_price')
    }
  }
}

import type { Instant } from '../../market/units.ts'
import type { Fidelity, WrittenAt } from '../history-store.ts'
import { type NativeArrays, type NativeBlock, readNative } from './native.ts'
import { contractNumbers } from './snapshot-columns.ts'

/** Content of a stored snapshot, except its contracts. */
export interface SnapshotColumns {
  /** Values in the order of `headerFigures`. */
  readonly header: Float64Array
  /** Columns in the order of `contractNumbers`, all of equal length. */
  readonly numbers: readonly Int32Array[]
  readonly oddSlot: Uint32Array
  readonly oddPrice: Float64Array
}

export interface StoredSnapshotRow {
  readonly asOf: Instant
  readonly written: WrittenAt
  readonly fidelity: Fidelity
  /** Id of the contract list, unique for the symbol and session. */
  readonly series: string
  readonly columns: SnapshotColumns
}

export const snapshotFields = `toUnixTimestamp64Milli(ts) AS as_of, toUnixTimestamp64Micro(written) AS written_at,
  toString(fidelity) AS fidelity, series, header,
  ${contractNumbers.map(({ name }) => name).join(', ')}, odd_slot, odd_price`

/** Reads rows that were selected with `snapshotFields`, in order. */
export function snapshotRowsOf(bytes: Uint8Array): readonly StoredSnapshotRow[] {
  return readNative(bytes).flatMap((block) => Array.from({ length: block.rows }, (_, at) => rowOf(block, at)))
}

function rowOf(block: NativeBlock, at: number): StoredSnapshotRow {
  const arrayOf = <Values extends Float64Array | Int32Array | Uint32Array>(name: string): Values => {
    const { ends, flat } = block.columns[name] as NativeArrays
    // The only row of a block needs no copy.
    return (block.rows === 1 ? flat : flat.slice(at === 0 ? 0 : ends[at - 1], ends[at])) as Values
  }
  return {
    asOf: Number((block.columns['as_of'] as BigInt64Array)[at]),
    written: Number((block.columns['written_at'] as BigInt64Array)[at]) as WrittenAt,
    fidelity: (block.columns['fidelity'] as readonly Fidelity[])[at],
    series: (block.columns['series'] as readonly string[])[at],
    columns: {
      header: arrayOf('header'),
      numbers: ofOneLength(contractNumbers.map(({ name }) => arrayOf<Int32Array>(name))),
      oddSlot: arrayOf('odd_slot'),
      oddPrice: arrayOf('odd_price')
    }
  }
}

/** Fills columns that were added after the snapshot was written, which are empty in its row. */
function ofOneLength(columns: readonly Int32Array[]): readonly Int32Array[] {
  const { length } = columns[0]
  return columns.map((column, k) => {
    const { name, absent } = contractNumbers[k]
    if (column.length === length) return column
    if (column.length > 0 || absent === undefined)
      throw new Error(`a snapshot has ${column.length} of ${length} ${name}`)
    return new Int32Array(length).fill(absent)
  })
}

import { CALL, type Chain, type Expiration } from '../../market/chain.ts'
import type { Settlement } from '../../market/clock.ts'
import { dateOfEpochDay } from '../../market/units.ts'
import { sharedMemory } from '../../memory/shared-memory.ts'
import { columnTypes } from '../clickhouse/schema/archive-table.ts'
import { type NativeArrays, type NativeBlock, readNative } from './native.ts'
import type { EncodedColumn } from './snapshot-columns.ts'
import { arrayField, floatField, quotedText } from './tab-separated.ts'

const texts = 'Array(String) CODEC(ZSTD(3))'

/**
 * A contract list: the contracts and open interest that many snapshots of a session share. It is read once, into shared
 * memory that all chains with this list use. Columns are in slot order, the order of the chain.
 */
export interface StoredContracts {
  readonly expirations: readonly Expiration[]
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly openInterest: Int32Array
  /** Slot (index in the chain) of each contract, listed in archive order; see `archiveOrder`. */
  readonly slots: Uint32Array
}

interface ListBeingEncoded {
  readonly chain: Chain
  /** Slots (indexes in the chain), listed in archive order; see `archiveOrder`. */
  readonly order: Uint32Array
}

/**
 * Columns of the table `option_series` that follow the key columns. The id of a list is a hash of the text of these
 * columns, so their order must never change.
 */
export const contractListColumns: readonly EncodedColumn<ListBeingEncoded>[] = [
  {
    name: 'expiration',
    type: 'Array(Date32) CODEC(ZSTD(3))',
    write: ({ chain }, text) => text.text(arrayField(chain.expirations.map(({ date }) => quotedText(date))))
  },
  {
    name: 'root',
    type: texts,
    write: ({ chain }, text) => text.text(arrayField(chain.expirations.map(({ root }) => quotedText(root))))
  },
  {
    name: 'settlement',
    type: texts,
    write: ({ chain }, text) => text.text(arrayField(chain.expirations.map(({ settlement }) => quotedText(settlement))))
  },
  {
    name: 'contracts',
    type: 'Array(UInt32) CODEC(ZSTD(3))',
    write: ({ chain }, text) => text.text(arrayField(chain.expirations.map(({ start, end }) => end - start)))
  },
  {
    name: 'strike',
    type: columnTypes.floats,
    write: ({ chain, order }, text) =>
      text.text(arrayField(Array.from(order, (slot) => floatField(chain.strike[slot]))))
  },
  {
    name: 'right',
    type: 'Array(UInt8) CODEC(ZSTD(3))',
    write: ({ chain, order }, text) => text.wholes(chain.right, order)
  },
  {
    name: 'open_interest',
    type: columnTypes.counts,
    write: ({ chain, order }, text) => text.wholes(chain.openInterest, order)
  }
]

/** Reads a list from the result of a query for `contractListColumns`; undefined if the result is empty. */
export function contractListOf(bytes: Uint8Array): StoredContracts | undefined {
  const [block] = readNative(bytes)
  if (block === undefined) return undefined
  return listedContracts(expirationsOf(block), {
    strikes: arrayOf<Float64Array>(block, 'strike'),
    rights: arrayOf<Uint8Array>(block, 'right'),
    interest: arrayOf<Int32Array>(block, 'open_interest')
  })
}

/** Columns of a contract list in archive order; see `archiveOrder`. */
export interface ListColumns {
  readonly strikes: Float64Array
  readonly rights: Uint8Array
  readonly interest: Int32Array
}

/** Puts the columns of a list in slot order, in shared memory. */
export function listedContracts(
  expirations: readonly Expiration[],
  { strikes, rights, interest }: ListColumns
): StoredContracts {
  const size = strikes.length
  const shared = sharedMemory(size * (8 + 4 + 4 + 1))
  const list: StoredContracts = {
    expirations,
    strike: new Float64Array(shared, 0, size),
    slots: new Uint32Array(shared, 8 * size, size),
    openInterest: new Int32Array(shared, 12 * size, size),
    right: new Uint8Array(shared, 16 * size, size)
  }
  fillSlots(expirations, strikes, rights, list.slots)
  for (let place = 0; place < size; place++) {
    const slot = list.slots[place]
    list.strike[slot] = strikes[place]
    list.right[slot] = rights[place]
    list.openInterest[slot] = interest[place]
  }
  return list
}

export function bytesOfList({ slots, expirations }: StoredContracts): number {
  return 1000 + 17 * slots.length + 100 * expirations.length
}

function expirationsOf(block: NativeBlock): readonly Expiration[] {
  const roots = arrayOf<readonly string[]>(block, 'root')
  const settlements = arrayOf<readonly string[]>(block, 'settlement')
  const contracts = arrayOf<Uint32Array>(block, 'contracts')
  let end = 0
  return Array.from(arrayOf<Int32Array>(block, 'expiration'), (day, k) => {
    const start = end
    end += contracts[k]
    return { date: dateOfEpochDay(day), root: roots[k], settlement: settlements[k] as Settlement, start, end }
  })
}

/**
 * Computes the slot of each contract in archive order. In slot order, calls and puts of an expiration alternate by
 * strike, call first.
 */
function fillSlots(
  expirations: readonly Expiration[],
  strike: Float64Array,
  right: Uint8Array,
  slots: Uint32Array
): void {
  for (const { start, end } of expirations) {
    let put = start
    while (put < end && right[put] === CALL) put++
    const firstPut = put
    let call = start
    for (let slot = start; slot < end; slot++) {
      const isCall = call < firstPut && (put === end || strike[call] <= strike[put])
      slots[isCall ? call++ : put++] = slot
    }
  }
}

/** The array of a column in a block with a single row. */
function arrayOf<Values extends NativeArrays['flat']>(block: NativeBlock, name: string): Values {
  return (block.columns[name] as NativeArrays).flat as Values
}

import type { QuoteColumns } from '../../market/chain.ts'
import { columnTypes } from '../clickhouse/schema/archive-table.ts'
import type { ChainSnapshot } from '../history-store.ts'
import { bidLevels, decodeBids, decodePrices, encodeBids, encodePrices, type OddPrices } from './prices.ts'
import { arrayField, floatField, instantField, quotedText, textField } from './tab-separated.ts'
import type { TabSeparatedBytes } from './tab-separated-bytes.ts'

// Every column of a stored snapshot, declared once. The database table and its migrations, the encoding and decoding of
// rows, and the packed bytes of session files with their layout hash all follow from these lists.

export interface SnapshotBeingEncoded extends ChainSnapshot {
  readonly session: string
  readonly series: string
  /** Slots (indexes in the chain), listed in archive order; see `archiveOrder`. */
  readonly order: Uint32Array
  readonly header: SnapshotHeader
  /** Prices that are no whole number of units, collected while the price columns are encoded. */
  readonly odd: OddPrices
  /** Bids in whole units, set when the bids are encoded. Asks are stored relative to them. */
  levels: Int32Array
}

export interface SnapshotBeingDecoded extends QuoteColumns {
  /** Slot (index in the chain) of each contract, listed in archive order; see `archiveOrder`. */
  readonly slots: Uint32Array
  readonly header: SnapshotHeader
  /** Bids in whole units, set when the bids are decoded. Asks are stored relative to them. */
  levels: Int32Array
}

/** A column that may have been added by a later migration. */
export interface LaterColumn {
  readonly name: string
  /** Version of the migration that adds the column; absent for columns of the first version. */
  readonly added?: number | undefined
}

/** A column of a database table, with the function that encodes it from `Source`. */
export interface EncodedColumn<Source> extends LaterColumn {
  readonly type: string
  /** Writes the column's value as TabSeparated text. Columns are written in the order of their list. */
  readonly write: (source: Source, text: TabSeparatedBytes) => void
}

/** A snapshot column with one whole number per contract, in archive order (see `archiveOrder`). */
export type ContractNumbers = {
  readonly name: string
  readonly encode: (snapshot: SnapshotBeingEncoded) => Int32Array
  /** Writes the numbers into the columns of the chain. Columns are decoded in the order of their list. */
  readonly decode: (numbers: Int32Array, chain: SnapshotBeingDecoded) => void
} & (
  | { readonly added?: undefined; readonly absent?: undefined }
  | {
      readonly added: number
      /** Value for every contract in snapshots stored before the column was added. */
      readonly absent: number
    }
)

/**
 * Columns that may contain odd prices, which are no whole number of units. The index here is the column number in
 * `odd_slot`.
 */
export const oddPriceColumns = ['bid', 'ask', 'last'] as const

const oddNumber = (name: (typeof oddPriceColumns)[number]) => oddPriceColumns.indexOf(name)

/**
 * Columns with one number per contract. Prices are in units of 1 / `unit` or 1 / `last_unit` USD; see
 * `codec/prices.ts`.
 */
export const contractNumbers: readonly ContractNumbers[] = [
  {
    name: 'bid_bends',
    encode(snapshot) {
      const bends = encodeBids(snapshot.chain.bid, snapshot.order, snapshot.header.unit, snapshot.odd)
      snapshot.levels = bidLevels(bends)
      return bends
    },
    decode(bends, chain) {
      chain.levels = bidLevels(bends)
      decodeBids(bends, chain.levels, chain.slots, chain.header.unit, chain.bid)
    }
  },
  {
    name: 'spread',
    encode: ({ chain, order, header, odd, levels }) =>
      encodePrices(chain.ask, order, header.unit, odd, oddNumber('ask'), levels),
    decode: (spread, { slots, header, ask, levels }) => decodePrices(spread, slots, header.unit, ask, levels)
  },
  {
    name: 'last',
    encode: ({ chain, order, header, odd }) =>
      encodePrices(chain.last, order, header.last_unit, odd, oddNumber('last')),
    decode: (prices, { slots, header, last }) => decodePrices(prices, slots, header.last_unit, last)
  },
  {
    name: 'bid_size',
    encode: ({ chain, order }) => inArchiveOrder(chain.bidSize, order),
    decode: (sizes, { slots, bidSize }) => putInSlots(sizes, slots, bidSize)
  },
  {
    name: 'ask_size',
    encode: ({ chain, order }) => inArchiveOrder(chain.askSize, order),
    decode: (sizes, { slots, askSize }) => putInSlots(sizes, slots, askSize)
  },
  {
    name: 'volume',
    encode: ({ chain, order }) => inArchiveOrder(chain.volume, order),
    decode: (volumes, { slots, volume }) => putInSlots(volumes, slots, volume)
  }
]

/**
 * Figures of the whole snapshot. They share the array `header`, because each separate column slows down a read. Moments
 * are in milliseconds; `unit` and `last_unit` are units per USD. Add new figures at the end; older snapshots read NaN
 * for them.
 */
export const headerFigures = [
  { name: 'delay' },
  { name: 'spot' },
  { name: 'underlying_bid' },
  { name: 'underlying_ask' },
  { name: 'underlying_last' },
  { name: 'underlying_time' },
  { name: 'unit' },
  { name: 'last_unit' }
] as const satisfies readonly LaterColumn[]

export type SnapshotHeader = Readonly<Record<(typeof headerFigures)[number]['name'], number>>

export function storedHeader(stored: Float64Array): SnapshotHeader {
  return Object.fromEntries(headerFigures.map(({ name }, k) => [name, stored[k] ?? Number.NaN])) as SnapshotHeader
}

/** Columns of the table `option_images`, except `written`, which the database sets. */
export const snapshotColumns: readonly EncodedColumn<SnapshotBeingEncoded>[] = [
  { name: 'symbol', type: columnTypes.symbol, write: ({ chain }, text) => text.text(textField(chain.symbol)) },
  { name: 'ts', type: columnTypes.moment, write: ({ chain }, text) => text.text(instantField(chain.asOf)) },
  { name: 'session', type: 'Date32', write: ({ session }, text) => text.text(session) },
  { name: 'series', type: 'String CODEC(ZSTD(3))', write: ({ series }, text) => text.text(series) },
  {
    name: 'header',
    type: columnTypes.floats,
    write: ({ header }, text) => text.text(arrayField(headerFigures.map(({ name }) => floatField(header[name]))))
  },
  { name: 'fidelity', type: columnTypes.fidelity, write: ({ fidelity }, text) => text.text(fidelity) },
  {
    name: 'missing',
    type: 'Array(LowCardinality(String))',
    write: ({ missing }, text) => text.text(arrayField(missing.map(quotedText)))
  },
  ...contractNumbers.map(({ encode, ...column }) => ({
    ...column,
    type: columnTypes.counts,
    write: (snapshot: SnapshotBeingEncoded, text: TabSeparatedBytes) => text.wholes(encode(snapshot))
  })),
  { name: 'odd_slot', type: 'Array(UInt32) CODEC(ZSTD(3))', write: ({ odd }, text) => text.text(arrayField(odd.slot)) },
  {
    name: 'odd_price',
    type: columnTypes.floats,
    write: ({ odd }, text) => text.text(arrayField(odd.price.map(floatField)))
  }
]

export function inArchiveOrder<Column extends Int32Array | Uint8Array>(column: Column, order: Uint32Array): Column {
  const moved = column.slice() as Column
  for (let place = 0; place < order.length; place++) moved[place] = column[order[place]]
  return moved
}

function putInSlots(numbers: Int32Array, slots: Uint32Array, column: Int32Array): void {
  for (let place = 0; place < slots.length; place++) column[slots[place]] = numbers[place]
}

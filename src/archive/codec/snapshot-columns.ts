import type { QuoteColumns } from '../../market/chain.ts'
import { columnTypes } from '../clickhouse/schema/archive-table.ts'
import type { ChainSnapshot } from '../history-store.ts'
import { bidLevels, decodeBids, decodePrices, encodeBids, encodePrices, type OddPrices } from './prices.ts'
import { arrayField, floatField, instantField, quotedText, textField } from './tab-separated.ts'

// Every column of a stored snapshot, declared once. The table and its migrations, the rows that are written and read, the bytes
// of a session file and the version in its name all follow from these lists.

/** A snapshot on its way into the archive. */
export interface SnapshotBeingEncoded extends ChainSnapshot {
  readonly session: string
  /** Id of its contract list. */
  readonly series: string
  /** Slots of the chain in the order of the archive. */
  readonly order: Uint32Array
  readonly header: SnapshotHeader
  /** Filled by the columns of prices. */
  readonly odd: OddPrices
  /** Bids in whole units, filled by the column of bids: asks are measured from them. */
  levels: Int32Array
}

/** A chain that is being read out of the archive, its columns still to be filled. */
export interface SnapshotBeingDecoded extends QuoteColumns {
  /** The slot of each place in the order of the archive. */
  readonly slots: Uint32Array
  readonly header: SnapshotHeader
  /** Bids in whole units, filled by the column of bids: asks are measured from them. */
  levels: Int32Array
}

/** A column that a migration added to tables of earlier versions. */
export interface LaterColumn {
  readonly name: string
  /** Version of the migration; absent for columns that the table has had from the start. */
  readonly added?: number
}

/** A column of a table whose fields are made from `Source`. */
export interface EncodedColumn<Source> extends LaterColumn {
  /** SQL type and compression. */
  readonly type: string
  /** The field of a row as text. Columns are encoded in the order of their list. */
  readonly encode: (source: Source) => string
}

/** A column with a whole number for each contract, in the order of the archive. */
export interface ContractNumbers extends LaterColumn {
  /** The number of every contract in snapshots that were written before the column was added. */
  readonly absent?: number
  readonly encode: (snapshot: SnapshotBeingEncoded) => Int32Array
  /** Puts the numbers into the columns of the chain. Columns are decoded in the order of their list. */
  readonly decode: (numbers: Int32Array, chain: SnapshotBeingDecoded) => void
}

/** The columns that may hold odd prices, in the order in which `odd_slot` counts them. */
export const oddPriceColumns = ['bid', 'ask', 'last'] as const

const oddNumber = (name: (typeof oddPriceColumns)[number]) => oddPriceColumns.indexOf(name)

/** Prices stand in units of `unit` and `last_unit`, parts of one USD: see `codec/prices.ts`. */
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
 * Figures of a snapshot as a whole, which share the column `header`: each column more would cost a read more than its bytes do.
 * Moments are in milliseconds, units in parts of one USD. A new figure goes last; older snapshots read NaN for it.
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

/** The figures of a stored header by their names. */
export function storedHeader(stored: Float64Array): SnapshotHeader {
  return Object.fromEntries(headerFigures.map(({ name }, k) => [name, stored[k] ?? Number.NaN])) as SnapshotHeader
}

/** The columns of the table `option_images`, but for the moment of the write, which the database fills in. */
export const snapshotColumns: readonly EncodedColumn<SnapshotBeingEncoded>[] = [
  { name: 'symbol', type: columnTypes.symbol, encode: ({ chain }) => textField(chain.symbol) },
  { name: 'ts', type: columnTypes.moment, encode: ({ chain }) => instantField(chain.asOf) },
  { name: 'session', type: 'Date32', encode: ({ session }) => session },
  { name: 'series', type: 'String CODEC(ZSTD(3))', encode: ({ series }) => series },
  {
    name: 'header',
    type: columnTypes.floats,
    encode: ({ header }) => arrayField(headerFigures.map(({ name }) => floatField(header[name])))
  },
  { name: 'fidelity', type: columnTypes.fidelity, encode: ({ fidelity }) => fidelity },
  {
    name: 'missing',
    type: 'Array(LowCardinality(String))',
    encode: ({ missing }) => arrayField(missing.map(quotedText))
  },
  ...contractNumbers.map(({ encode, ...column }) => ({
    ...column,
    type: columnTypes.counts,
    encode: (snapshot: SnapshotBeingEncoded) => arrayField(encode(snapshot))
  })),
  { name: 'odd_slot', type: 'Array(UInt32) CODEC(ZSTD(3))', encode: ({ odd }) => arrayField(odd.slot) },
  { name: 'odd_price', type: columnTypes.floats, encode: ({ odd }) => arrayField(odd.price.map(floatField)) }
]

/** Figures of contracts in the order of the archive. */
export function inArchiveOrder<Column extends Int32Array | Uint8Array>(column: Column, order: Uint32Array): Column {
  const moved = column.slice() as Column
  for (let place = 0; place < order.length; place++) moved[place] = column[order[place]]
  return moved
}

function putInSlots(numbers: Int32Array, slots: Uint32Array, column: Int32Array): void {
  for (let place = 0; place < slots.length; place++) column[slots[place]] = numbers[place]
}

import {
  type AddedColumns,
  type ArchiveTable,
  columnTypes,
  fidelityColumn,
  momentColumn,
  symbolColumn,
  weekly,
  writtenColumn
} from './archive-table.ts'

const prints = [symbolColumn, momentColumn('ts'), 'session Date32', 'sequence UInt64 CODEC(Delta, ZSTD(3))']
const printed = [
  `price ${columnTypes.price}`,
  'size UInt32 CODEC(ZSTD(3))',
  `bid ${columnTypes.price}`,
  `ask ${columnTypes.price}`,
  'exchange LowCardinality(String)',
  'conditions Array(LowCardinality(String))',
  writtenColumn
]

export const optionPrintsTable: ArchiveTable = {
  name: 'option_prints',
  columns: [
    ...prints,
    'expiration Date32',
    'root LowCardinality(String)',
    `strike ${columnTypes.price}`,
    '`right` UInt8',
    `underlying ${columnTypes.price}`,
    ...printed
  ],
  orderBy: ['symbol', 'ts', 'sequence'],
  partitionBy: weekly
}

export const stockPrintsTable: ArchiveTable = {
  name: 'stock_prints',
  columns: [...prints, ...printed],
  orderBy: ['symbol', 'ts', 'sequence'],
  partitionBy: weekly
}

/**
 * Table with one row for each print or cancel, in the order of its tape. Values are whole numbers in the units of
 * `market/print.ts`; moments are in microseconds. `known` is when the print became known. `behind` is how much earlier
 * the print was made; it is nearly always 0.
 */
const tapeOf = (name: string): ArchiveTable => ({
  name,
  columns: [
    symbolColumn,
    'session Date32',
    'position UInt32 CODEC(Delta, ZSTD(3))',
    'known Int64 CODEC(Delta, ZSTD(3))',
    'behind Int64 CODEC(ZSTD(3))',
    'sequence Int64 CODEC(Delta, ZSTD(3))',
    'instrument Int32 CODEC(T64, ZSTD(3))',
    'price Int32 CODEC(ZSTD(3))',
    'size Int32 CODEC(T64, ZSTD(3))',
    'bid Int32 CODEC(ZSTD(3))',
    'ask Int32 CODEC(ZSTD(3))',
    'spot Int32 CODEC(Delta, ZSTD(3))',
    'flags UInt16 CODEC(T64, ZSTD(3))',
    'judged UInt8 CODEC(ZSTD(3))',
    'exchange UInt8 CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'position'],
  partitionBy: weekly
})

export const optionTapeTable = tapeOf('option_tape')
export const stockTapeTable = tapeOf('stock_tape')

/** Added column: whether price and ask are stored as differences from the bid; 0 in older rows. */
export const aboveBid = (table: string): AddedColumns => ({
  table,
  columns: ['above UInt8 DEFAULT 0 CODEC(ZSTD(3))']
})

/** One row for each option series of a tape, with the number by which prints refer to it. */
export const tapeSeriesTable: ArchiveTable = {
  name: 'tape_series',
  columns: [
    symbolColumn,
    'session Date32',
    'instrument Int32 CODEC(Delta, ZSTD(3))',
    'expiration Date32 CODEC(ZSTD(3))',
    'root LowCardinality(String)',
    'settlement LowCardinality(String)',
    `strike ${columnTypes.price}`,
    '`right` UInt8 CODEC(ZSTD(3))',
    'adjusted UInt8 CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'instrument'],
  partitionBy: weekly
}

/** One row for each tape: its source, its price unit in USD, and whether it was imported. */
export const tapesTable: ArchiveTable = {
  name: 'tapes',
  columns: [
    symbolColumn,
    'session Date32',
    'kind LowCardinality(String)',
    'source LowCardinality(String)',
    'unit Float64',
    fidelityColumn,
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'kind']
}

/**
 * One row for each half minute of hedging pressure: sums since the open in whole cents, in the order of
 * `pressureClasses`. `next` is 1970-01-01 if no later expiration is listed.
 */
export const flowPressureTable: ArchiveTable = {
  name: 'flow_pressure',
  columns: [
    symbolColumn,
    'session Date32',
    momentColumn('ts'),
    'next Date32',
    'cells Array(Float64) CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'ts'],
  partitionBy: weekly
}

/**
 * One row for each session whose flow was compared with the open interest of the next: the numbers of `CustomerSums` of
 * each group, one group after the other.
 */
export const customerSumsTable: ArchiveTable = {
  name: 'customer_sums',
  columns: [symbolColumn, 'session Date32', 'version UInt32', 'sums Array(Float64) CODEC(ZSTD(3))', writtenColumn],
  orderBy: ['symbol', 'session']
}

/** One row for each recorded 0DTE bar. Figures are stored as arrays of names and values. */
export const zeroDteSamplesTable: ArchiveTable = {
  name: 'zero_dte_samples',
  columns: [
    symbolColumn,
    'session Date32',
    momentColumn('ts'),
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'ts'],
  partitionBy: weekly
}

export const strikeMinuteColumns = [
  'strike',
  'gex',
  'dex',
  'vex',
  'chex',
  'oi',
  'signed_delta',
  'signed_gamma',
  'contracts'
] as const

/**
 * Table with one row for each minute of a symbol's contracts that expire the same day. Array columns have one number
 * per strike; money is in cents.
 */
export const zeroDteStrikesTable: ArchiveTable = {
  name: 'zero_dte_strikes',
  columns: [
    symbolColumn,
    'session Date32',
    momentColumn('ts'),
    'version UInt32',
    `spot ${columnTypes.price}`,
    ...strikeMinuteColumns.map((name) => `${name} Array(${name === 'strike' ? 'Float64' : 'Int64'}) CODEC(ZSTD(3))`),
    writtenColumn
  ],
  orderBy: ['symbol', 'session', 'ts'],
  partitionBy: weekly,
  settings: 'index_granularity = 64'
}

import { strikeFigures } from '../../market/strike-sums.ts'
import { optionQuotes, optionTrades, optionTradesAboveBid } from './schema-views.ts'

/** A table of the archive. Of rows that agree in `orderBy` the one written last stays. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  readonly settings?: string
}

/** A query with a name; `of` are the tables it reads, written {name} in it. */
export interface View {
  readonly name: string
  readonly query: string
}

/** Columns that a table of an earlier version gained. */
export interface AddedColumns {
  readonly table: string
  readonly columns: readonly string[]
}

/** What one version of the program added to the archive. A migration that was released never changes again. */
export interface Migration {
  readonly version: number
  readonly tables: readonly Table[]
  readonly columns?: readonly AddedColumns[]
  readonly views: readonly View[]
  /** Views of an earlier version that ask otherwise from now on, for the same columns. */
  readonly replacedViews?: readonly View[]
}

const price = 'Float64 CODEC(ZSTD(3))'
/** Whole numbers along the contracts of a snapshot. T64 cuts the bits that no value needs. */
const counts = 'Array(Int32) CODEC(T64, ZSTD(6))'
const written = "written DateTime64(6, 'UTC') DEFAULT now64(6) CODEC(Delta, ZSTD(3))"
const symbol = 'symbol LowCardinality(String)'
const moment = (name: string) => `${name} DateTime64(3, 'UTC') CODEC(Delta, ZSTD(3))`

/** A week to a part of the disk: snapshots are thinned out by rewriting parts, and a read opens those of its week alone. */
const fidelity = "fidelity Enum8('recorded' = 1, 'imported' = 2)"
const weekly = 'toMonday(session)'

/** One row for each contract list with its open interest, shared by the snapshots of a session. */
const optionSeries: Table = {
  name: 'option_series',
  columns: [
    symbol,
    'session Date32',
    'id String',
    'expiration Array(Date32) CODEC(ZSTD(3))',
    'root Array(String) CODEC(ZSTD(3))',
    'settlement Array(String) CODEC(ZSTD(3))',
    'contracts Array(UInt32) CODEC(ZSTD(3))',
    'strike Array(Float64) CODEC(ZSTD(3))',
    '`right` Array(UInt8) CODEC(ZSTD(3))',
    `open_interest ${counts}`,
    written
  ],
  orderBy: ['symbol', 'session', 'id'],
  partitionBy: weekly
}

/**
 * What a snapshot has one figure of, in one column: each more would cost a read more than its bytes do. Moments are in
 * milliseconds, units in parts of one USD.
 */
export const headerFields = [
  'delay',
  'spot',
  'underlying_bid',
  'underlying_ask',
  'underlying_last',
  'underlying_time',
  'unit',
  'last_unit'
] as const

/**
 * One row for each snapshot, with a number for each contract in its arrays. A granule holds about one snapshot of a large
 * chain, so that reading one reads little else. Blocks of 128 KB hold a few, which compress against each other: in parts
 * that keep each column in a file of its own, those from 1 MB on.
 */
const optionSnapshots: Table = {
  name: 'option_images',
  columns: [
    symbol,
    moment('ts'),
    'session Date32',
    'series String CODEC(ZSTD(3))',
    'header Array(Float64) CODEC(ZSTD(3))',
    ...headerFields.map((name, k) => `${name} Float64 ALIAS header[${k + 1}]`),
    fidelity,
    'missing Array(LowCardinality(String))',
    `bid_bends ${counts}`,
    `spread ${counts}`,
    `last ${counts}`,
    `bid_size ${counts}`,
    `ask_size ${counts}`,
    `volume ${counts}`,
    'odd_slot Array(UInt32) CODEC(ZSTD(3))',
    'odd_price Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'ts'],
  partitionBy: weekly,
  settings:
    'index_granularity = 64, index_granularity_bytes = 262144, min_compress_block_size = 131072, max_compress_block_size = 1048576, min_bytes_for_wide_part = 1048576'
}

const prints = [symbol, moment('ts'), 'session Date32', 'sequence UInt64 CODEC(Delta, ZSTD(3))']
const printed = [
  `price ${price}`,
  'size UInt32 CODEC(ZSTD(3))',
  `bid ${price}`,
  `ask ${price}`,
  'exchange LowCardinality(String)',
  'conditions Array(LowCardinality(String))',
  written
]

const optionPrints: Table = {
  name: 'option_prints',
  columns: [
    ...prints,
    'expiration Date32',
    'root LowCardinality(String)',
    `strike ${price}`,
    '`right` UInt8',
    `underlying ${price}`,
    ...printed
  ],
  orderBy: ['symbol', 'ts', 'sequence'],
  partitionBy: weekly
}

const stockPrints: Table = {
  name: 'stock_prints',
  columns: [...prints, ...printed],
  orderBy: ['symbol', 'ts', 'sequence'],
  partitionBy: weekly
}

const dailyBars: Table = {
  name: 'daily_bars',
  columns: [
    symbol,
    'session Date32',
    ...['open', 'high', 'low', 'close', 'volume'].map((name) => `${name} ${price}`),
    fidelity,
    written
  ],
  orderBy: ['symbol', 'session']
}

/** Figures by the name of their field, so that a record may gain one without a migration. */
const dailyRecords: Table = {
  name: 'daily_records',
  columns: [
    symbol,
    'session Date32',
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'session', 'version']
}

/** One row for each ex-date: from when on each of its dividends was known, milliseconds, and its USD per share. */
const dividends: Table = {
  name: 'dividends',
  columns: [
    symbol,
    'ex_date Date32',
    'known_from Array(Float64) CODEC(ZSTD(3))',
    'amount Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'ex_date']
}

/** One row for each thing that was said of a report: texts empty, counts 0 and figures not a number where it was not stated. */
const earnings: Table = {
  name: 'earnings',
  columns: [
    symbol,
    'date Date32',
    moment('known_from'),
    'timing LowCardinality(String)',
    'confirmed UInt8',
    'company String CODEC(ZSTD(3))',
    'fiscal_period LowCardinality(String)',
    'fiscal_year UInt16 CODEC(ZSTD(3))',
    'importance UInt8 CODEC(ZSTD(3))',
    ...['eps_estimate', 'eps_actual', 'revenue_estimate', 'revenue_actual'].map((name) => `${name} ${price}`),
    written
  ],
  orderBy: ['symbol', 'date', 'known_from']
}

/** One row for each report with recorded closes around it: figures by the name of their field, and who made them. */
const eventRecords: Table = {
  name: 'event_records',
  columns: [
    symbol,
    'before Date32',
    'after Date32',
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'before', 'version']
}

/**
 * One row for each print, in the order of its tape: whole numbers in the units of `market/print.ts`, moments in
 * microseconds. The time of the exchange stands as what it lies behind `known`, nearly always 0.
 */
const tapeOf = (name: string): Table => ({
  name,
  columns: [
    symbol,
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
    written
  ],
  orderBy: ['symbol', 'session', 'position'],
  partitionBy: weekly
})

const optionTape = tapeOf('option_tape')
const stockTape = tapeOf('stock_tape')

/** One row for each series of a tape of option prints, by the number that its prints name it by. */
const tapeSeries: Table = {
  name: 'tape_series',
  columns: [
    symbol,
    'session Date32',
    'instrument Int32 CODEC(Delta, ZSTD(3))',
    'expiration Date32 CODEC(ZSTD(3))',
    'root LowCardinality(String)',
    'settlement LowCardinality(String)',
    `strike ${price}`,
    '`right` UInt8 CODEC(ZSTD(3))',
    'adjusted UInt8 CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'session', 'instrument'],
  partitionBy: weekly
}

/** One row for each tape: where it comes from, what a unit of its prices is, USD, and who wrote it. */
const tapes: Table = {
  name: 'tapes',
  columns: [
    symbol,
    'session Date32',
    'kind LowCardinality(String)',
    'source LowCardinality(String)',
    'unit Float64',
    fidelity,
    written
  ],
  orderBy: ['symbol', 'session', 'kind']
}

/** One row for each raw bar of what expires on its day: figures by the name of their field, and who made them. */
const zeroDteSamples: Table = {
  name: 'zero_dte_samples',
  columns: [
    symbol,
    'session Date32',
    moment('ts'),
    'version UInt32',
    'field Array(String) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'session', 'ts'],
  partitionBy: weekly
}

/** What a strike minute has of each strike. */
export const strikeColumns = [
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

/** One row for each minute, with a number for each strike that expires on the day in its arrays; money in whole cents. */
const zeroDteStrikes: Table = {
  name: 'zero_dte_strikes',
  columns: [
    symbol,
    'session Date32',
    moment('ts'),
    'version UInt32',
    `spot ${price}`,
    ...strikeColumns.map((name) => `${name} Array(${name === 'strike' ? 'Float64' : 'Int64'}) CODEC(ZSTD(3))`),
    written
  ],
  orderBy: ['symbol', 'session', 'ts'],
  partitionBy: weekly,
  settings: 'index_granularity = 64'
}

/**
 * One row for each snapshot: what was computed of it, by the name of the field, and the version of the formulas. `elapsed` is
 * how long after the open of its session it was taken, milliseconds, and `left` how long before the close; a snapshot after
 * the close counts as taken at it, one of a day without a session as taken before the open. `written` is when what it was
 * made of began to be read: it rests on everything that was written before, and on nothing that was written later.
 */
const figureRows: Table = {
  name: 'figure_rows',
  columns: [
    symbol,
    'session Date32',
    moment('ts'),
    'version LowCardinality(String)',
    'elapsed Int32 CODEC(Delta, ZSTD(3))',
    'left Int32 CODEC(Delta, ZSTD(3))',
    'field Array(LowCardinality(String)) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    written
  ],
  orderBy: ['symbol', 'ts'],
  partitionBy: weekly
}

/**
 * What the snapshot of a row adds up to by strike, strikes ascending: exposures in whole cents, open interest in hundredths of
 * a contract. Strikes hardly change from row to row, so they take next to no room.
 */
const strikesOfRows: AddedColumns = {
  table: 'figure_rows',
  columns: [
    'strike Array(Float64) CODEC(ZSTD(3))',
    ...strikeFigures.map((name) => `${name} Array(Int64) CODEC(T64, ZSTD(3))`)
  ]
}

/** The least moment from which anything was ever known of the ex-date, milliseconds: what was replaced included. */
const sinceOfDividends: AddedColumns = { table: 'dividends', columns: ['since Float64 DEFAULT arrayMin(known_from)'] }

/** Whether price and ask stand as what they lie above the bid, by the tape that it is a column of; 0 in older rows. */
const aboveBid = (table: string): AddedColumns => ({ table, columns: ['above UInt8 DEFAULT 0 CODEC(ZSTD(3))'] })

const gaps: Table = {
  name: 'gaps',
  columns: [symbol, moment('since'), moment('until'), 'reason String', written],
  orderBy: ['symbol', 'since', 'until', 'reason']
}

/** Which migrations were applied. It is there before any other table. */
export const schemaVersions: Table = {
  name: 'schema_versions',
  columns: ['version UInt32', written],
  orderBy: ['version']
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    tables: [optionSeries, optionSnapshots, optionPrints, stockPrints, dailyBars, dailyRecords, gaps],
    views: [optionQuotes]
  },
  { version: 2, tables: [dividends], views: [] },
  {
    version: 3,
    tables: [optionTape, stockTape, tapeSeries, tapes, zeroDteSamples, zeroDteStrikes, earnings, eventRecords],
    views: [optionTrades]
  },
  { version: 4, tables: [figureRows], views: [] },
  { version: 5, tables: [], columns: [strikesOfRows, sinceOfDividends], views: [] },
  {
    version: 6,
    tables: [],
    columns: ['option_tape', 'stock_tape'].map(aboveBid),
    views: [],
    replacedViews: [optionTradesAboveBid]
  }
]

export const schemaVersion = migrations.at(-1)!.version

/** A row that was acknowledged is on the disk, and not merely with the operating system. */
const durable = 'fsync_after_insert = 1, fsync_part_directory = 1'

/** How a table or view is made: alone on a server, or with its part of the rows on each server of a cluster. */
export interface Placement {
  readonly engine: (table: string) => string
  /** The name under which the rows of a server lie. */
  readonly local: (name: string) => string
  readonly onCluster: string
}

export const singleServer: Placement = {
  engine: () => 'ReplacingMergeTree(written)',
  local: (name) => name,
  onCluster: ''
}

export function createTable(table: Table, { engine, local, onCluster }: Placement): string {
  const { name, columns, orderBy, partitionBy, settings } = table
  return [
    `CREATE TABLE IF NOT EXISTS ${local(name)}${onCluster}`,
    `(\n  ${columns.join(',\n  ')}\n)`,
    `ENGINE = ${engine(name)}`,
    ...(partitionBy === undefined ? [] : [`PARTITION BY ${partitionBy}`]),
    `ORDER BY (${orderBy.join(', ')})`,
    `SETTINGS ${settings === undefined ? durable : `${settings}, ${durable}`}`
  ].join('\n')
}

export function addColumns({ table, columns }: AddedColumns, { local, onCluster }: Placement): string {
  return `ALTER TABLE ${local(table)}${onCluster} ${columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')}`
}

export function createView(view: View, { local, onCluster }: Placement): string {
  return `CREATE VIEW IF NOT EXISTS ${local(view.name)}${onCluster} AS\n${queryOf(view, local)}`
}

export function replaceView(view: View, { local, onCluster }: Placement): string {
  return `CREATE OR REPLACE VIEW ${local(view.name)}${onCluster} AS\n${queryOf(view, local)}`
}

const queryOf = ({ query }: View, local: Placement['local']) => query.replace(/\{(\w+)\}/g, (_, table) => local(table))

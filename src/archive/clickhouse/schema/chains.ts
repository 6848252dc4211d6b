import { counts, fidelity, moment, symbol, type Table, weekly, written } from './table.ts'

/** One row for each contract list with its open interest, shared by the snapshots of a session. */
export const optionSeries: Table = {
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
const headerFields = [
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
export const optionSnapshots: Table = {
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

import { strikeFigures } from '../../../market/strike-sums.ts'
import {
  type AddedColumns,
  type ArchiveTable,
  momentColumn,
  symbolColumn,
  weekly,
  writtenColumn
} from './archive-table.ts'

/**
 * Table of figures over time: one row for each snapshot, with the version of the formulas. Figures are stored as arrays
 * of names and values. `elapsed` is the milliseconds from the open to the snapshot, `left` from the snapshot to the
 * close. A snapshot after the close counts as taken at the close. On a day without a session, `elapsed` is negative.
 * `written` is the archive's clock time just before the inputs were read.
 */
export const figureRowsTable: ArchiveTable = {
  name: 'figure_rows',
  columns: [
    symbolColumn,
    'session Date32',
    momentColumn('ts'),
    'version LowCardinality(String)',
    'elapsed Int32 CODEC(Delta, ZSTD(3))',
    'left Int32 CODEC(Delta, ZSTD(3))',
    'field Array(LowCardinality(String)) CODEC(ZSTD(3))',
    'figure Array(Float64) CODEC(ZSTD(3))',
    writtenColumn
  ],
  orderBy: ['symbol', 'ts'],
  partitionBy: weekly
}

/**
 * Added columns with one number per strike, strikes ascending: exposures in cents, open interest in hundredths of a
 * contract.
 */
export const strikesOfRows: AddedColumns = {
  table: 'figure_rows',
  columns: [
    'strike Array(Float64) CODEC(ZSTD(3))',
    ...strikeFigures.map((name) => `${name} Array(Int64) CODEC(T64, ZSTD(3))`)
  ]
}

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
 * One row for each snapshot: what was computed of it, by the name of the field, and the version of the formulas. `elapsed` is
 * how long after the open of its session it was taken, milliseconds, and `left` how long before the close; a snapshot after
 * the close counts as taken at it, one of a day without a session as taken before the open. `written` is when what it was
 * made of began to be read: it rests on everything that was written before, and on nothing that was written later.
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
 * What the snapshot of a row adds up to by strike, strikes ascending: exposures in whole cents, open interest in hundredths of
 * a contract. Strikes hardly change from row to row, so they take next to no room.
 */
export const strikesOfRows: AddedColumns = {
  table: 'figure_rows',
  columns: [
    'strike Array(Float64) CODEC(ZSTD(3))',
    ...strikeFigures.map((name) => `${name} Array(Int64) CODEC(T64, ZSTD(3))`)
  ]
}

import { type AddedColumns, type ArchiveTable, type ArchiveView, writtenColumn } from './archive-table.ts'
import { optionQuotes, optionTrades, optionTradesAboveBid } from './archive-views.ts'
import { chainColumnsAdded, newestChainColumn, optionImagesTable, optionSeriesTable } from './chain-tables.ts'
import {
  dailyBarsTable,
  dailyRecordsTable,
  dividendsTable,
  earningsTable,
  eventRecordsTable,
  gapsTable,
  sinceOfDividends,
  splitsTable
} from './day-tables.ts'
import { figureRowsTable, strikesOfRows } from './figure-tables.ts'
import {
  aboveBid,
  customerSumsTable,
  flowPressureTable,
  optionPrintsTable,
  optionTapeTable,
  stockPrintsTable,
  stockTapeTable,
  tapeSeriesTable,
  tapesTable,
  zeroDteSamplesTable,
  zeroDteStrikesTable
} from './tape-tables.ts'

/** Changes to the schema in one version. A released migration never changes. */
export interface SchemaMigration {
  readonly version: number
  readonly tables: readonly ArchiveTable[]
  readonly columns?: readonly AddedColumns[]
  readonly views: readonly ArchiveView[]
  /** Views of earlier versions that get a new query for the same columns. */
  readonly replacedViews?: readonly ArchiveView[]
}

/** Applied migrations. This table is created before any other. */
export const schemaVersionsTable: ArchiveTable = {
  name: 'schema_versions',
  columns: ['version UInt32', writtenColumn],
  orderBy: ['version']
}

const listed: readonly SchemaMigration[] = [
  {
    version: 1,
    tables: [
      optionSeriesTable,
      optionImagesTable,
      optionPrintsTable,
      stockPrintsTable,
      dailyBarsTable,
      dailyRecordsTable,
      gapsTable
    ],
    views: [optionQuotes]
  },
  { version: 2, tables: [dividendsTable], views: [] },
  {
    version: 3,
    tables: [
      optionTapeTable,
      stockTapeTable,
      tapeSeriesTable,
      tapesTable,
      zeroDteSamplesTable,
      zeroDteStrikesTable,
      earningsTable,
      eventRecordsTable
    ],
    views: [optionTrades]
  },
  { version: 4, tables: [figureRowsTable], views: [] },
  { version: 5, tables: [], columns: [strikesOfRows, sinceOfDividends], views: [] },
  {
    version: 6,
    tables: [],
    columns: ['option_tape', 'stock_tape'].map(aboveBid),
    views: [],
    replacedViews: [optionTradesAboveBid]
  },
  { version: 7, tables: [flowPressureTable, customerSumsTable], views: [] },
  { version: 8, tables: [splitsTable], views: [] }
]

/**
 * All schema migrations, in order. A version may consist only of new columns for chains; these are listed with the
 * tables of chains.
 */
export const schemaMigrations: readonly SchemaMigration[] = Array.from(
  { length: Math.max(listed.length, newestChainColumn) },
  (_, k): SchemaMigration => {
    const { version, columns = [], ...others } = listed[k] ?? { version: k + 1, tables: [], views: [] }
    return { version, columns: [...columns, ...chainColumnsAdded(version)], ...others }
  }
)

export const schemaVersion = schemaMigrations.at(-1)!.version

/** Every table of an archive. */
export const archiveTables: readonly ArchiveTable[] = [
  schemaVersionsTable,
  ...schemaMigrations.flatMap(({ tables }) => tables)
]

import { contractListColumns } from '../../codec/contract-list.ts'
import { headerFigures, type LaterColumn, snapshotColumns } from '../../codec/snapshot-columns.ts'
import {
  type AddedColumns,
  type ArchiveTable,
  identifier,
  symbolColumn,
  weekly,
  writtenColumn
} from './archive-table.ts'

const listColumns = contractListColumns.map(defined)
const aliases = headerFigures.map(({ name, ...column }: LaterColumn, k) => ({
  ...column,
  definition: `${name} Float64 ALIAS header[${k + 1}]`
}))
const imageColumns = snapshotColumns.map(defined).flatMap((column, k) => {
  return snapshotColumns[k].name === 'header' ? [column, ...aliases] : [column]
})

/**
 * Table with one row per contract list: the contracts of a chain and their open interest. Many snapshots of a session
 * share one list.
 */
export const optionSeriesTable: ArchiveTable = {
  name: 'option_series',
  columns: [symbolColumn, 'session Date32', 'id String', ...definitions(listColumns), writtenColumn],
  orderBy: ['symbol', 'session', 'id'],
  partitionBy: weekly
}

/**
 * Table with one row per snapshot; array columns have one number per contract. A granule, the smallest unit that
 * ClickHouse reads, holds about one snapshot of a large chain, so that reading one snapshot reads little else. Blocks
 * of 128 KB hold a few snapshots, which compress well together. Both apply to parts of 1 MB or more, which have a file
 * per column.
 */
export const optionImagesTable: ArchiveTable = {
  name: 'option_images',
  columns: [...definitions(imageColumns), writtenColumn],
  orderBy: ['symbol', 'ts'],
  partitionBy: weekly,
  settings:
    'index_granularity = 64, index_granularity_bytes = 262144, min_compress_block_size = 131072, max_compress_block_size = 1048576, min_bytes_for_wide_part = 1048576'
}

/** Columns that the migration to `version` adds to the two tables of chains. */
export function chainColumnsAdded(version: number): readonly AddedColumns[] {
  return [
    { table: 'option_series', columns: definitions(listColumns, version) },
    { table: 'option_images', columns: definitions(imageColumns, version) }
  ].filter(({ columns }) => columns.length > 0)
}

/** Newest migration that adds columns to these tables; 0 for none. */
export const newestChainColumn = Math.max(0, ...[...listColumns, ...imageColumns].map(({ added = 0 }) => added))

interface Definition {
  readonly definition: string
  readonly added?: number | undefined
}

function defined({ name, type, ...column }: LaterColumn & { readonly type: string }): Definition {
  return { ...column, definition: `${identifier(name)} ${type}` }
}

function definitions(columns: readonly Definition[], version?: number): readonly string[] {
  return columns.filter(({ added }) => added === version).map(({ definition }) => definition)
}

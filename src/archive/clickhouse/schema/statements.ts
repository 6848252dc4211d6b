import type { AddedColumns, ArchiveTable, ArchiveView } from './archive-table.ts'

/** ClickHouse settings: a confirmed write is on the disk, not only in the memory of the operating system. */
const durable = 'fsync_after_insert = 1, fsync_part_directory = 1'

/** How tables and views are created: on a single server, or on each server of a cluster. */
export interface Placement {
  readonly engine: (table: string) => string
  /** Name of the table that holds one server's rows. */
  readonly local: (name: string) => string
  readonly onCluster: string
}

export const singleServer: Placement = {
  engine: () => 'ReplacingMergeTree(written)',
  local: (name) => name,
  onCluster: ''
}

export function createTable(table: ArchiveTable, { engine, local, onCluster }: Placement): string {
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

export function createView(view: ArchiveView, { local, onCluster }: Placement): string {
  return `CREATE VIEW IF NOT EXISTS ${local(view.name)}${onCluster} AS\n${queryOf(view, local)}`
}

export function replaceView(view: ArchiveView, { local, onCluster }: Placement): string {
  return `CREATE OR REPLACE VIEW ${local(view.name)}${onCluster} AS\n${queryOf(view, local)}`
}

const queryOf = ({ query }: ArchiveView, local: Placement['local']) =>
  query.replace(/\{(\w+)\}/g, (_, table) => local(table))

import { schemaMigrations, schemaVersionsTable } from './migrations.ts'
import { addColumns, createTable, createView, type Placement, replaceView } from './statements.ts'

/**
 * Statements that create the archive on a cluster, in the database of the archive's address. Each server has `_local`
 * tables with the rows of its shard; tables with the plain names distribute rows to them by symbol. The servers must
 * define the macros {shard} and {replica}. `from` is the existing schema version, 0 for none.
 */
export function clusterStatements(cluster: string, from = 0): readonly string[] {
  const placement: Placement = {
    engine: (table) =>
      `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/${table}', '{replica}', written)`,
    local: (name) => `${name}_local`,
    onCluster: ` ON CLUSTER '${cluster}'`
  }
  const plain = (name: string) => name
  const spread = (name: string, by: string) =>
    `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER '${cluster}' AS ${name}_local
ENGINE = Distributed('${cluster}', currentDatabase(), ${name}_local, ${by})`
  const made = schemaMigrations.filter(({ version }) => version > from)
  return [
    createTable(schemaVersionsTable, placement),
    spread(schemaVersionsTable.name, 'version'),
    ...made.flatMap(({ version, tables, columns = [], views, replacedViews = [] }) => [
      ...tables.flatMap((table) => [createTable(table, placement), spread(table.name, 'cityHash64(symbol)')]),
      ...columns.flatMap((added) => [addColumns(added, placement), addColumns(added, { ...placement, local: plain })]),
      ...views.flatMap((view) => [createView(view, placement), spread(view.name, 'cityHash64(symbol)')]),
      ...replacedViews.map((view) => replaceView(view, placement)),
      `INSERT INTO ${schemaVersionsTable.name} (version) VALUES (${version})`
    ])
  ]
}

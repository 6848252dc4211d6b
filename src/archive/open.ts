import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ticker } from '../market/units.ts'
import type { DatabaseConnection } from './clickhouse/database-connection.ts'
import { clickhouseStore, type DatabaseStore } from './clickhouse/database-store.ts'
import { selectOutdated } from './clickhouse/day-queries.ts'
import { isEngineInstalled, openEmbedded } from './clickhouse/embedded.ts'
import { schemaMigrations, schemaVersion, schemaVersionsTable } from './clickhouse/schema/migrations.ts'
import { addColumns, createTable, createView, replaceView, singleServer } from './clickhouse/schema/statements.ts'
import { rowsOf } from './codec/native-rows.ts'
import { HistoryError } from './history-error.ts'
import type { OutdatedDay } from './history-store.ts'

export interface HistorySettings {
  readonly data: string
  /** Folder of an embedded archive; by default, `history` below the data folder. */
  readonly folder?: string | undefined
  /** `embedded`, `off`, or the http or https address of a ClickHouse server. */
  readonly history: string
  readonly recordVersion: number
  /** Version of the formulas of figures over time; needed only by processes that read or write such figures. */
  readonly figureVersion?: string
  /** Size of each of the larger caches of the embedded engine, bytes; undefined for its default. */
  readonly cacheBytes?: number | undefined
  /** Index whose options imply the interest rates used for figures; undefined if rates are configured. */
  readonly ratesIndex?: Ticker | undefined
}

/**
 * The opened archive, with the days whose daily records must be computed again; or a sentence that tells why there is
 * no archive and how to get one.
 */
export type OpenedHistory =
  | {
      readonly store: DatabaseStore
      readonly outdated: () => Promise<readonly OutdatedDay[]>
      readonly reason?: undefined
    }
  | { readonly store: undefined; readonly outdated?: undefined; readonly reason: string }

/** Folder into which the start-up script installs the engine. */
export const enginePath = join(checkout(), '.engine')

/**
 * Opens the archive and applies missing migrations. A missing engine is not an error, since the service also runs
 * without history. Rejects with a clear message if another process uses the folder, a server does not answer, or a
 * newer version of the program wrote the tables.
 */
export async function openHistory(settings: HistorySettings): Promise<OpenedHistory> {
  const { data, history, recordVersion, figureVersion = '', ratesIndex, cacheBytes } = settings
  const { folder = join(data, 'history') } = settings
  if (history === 'off') return { store: undefined, reason: 'history is switched off: start with --history embedded' }
  if (history === 'embedded' && !isEngineInstalled(enginePath)) {
    return {
      store: undefined,
      reason: 'the engine that keeps history is not installed: start once with a network, or give --history an address'
    }
  }
  const connection = await (history === 'embedded'
    ? openEmbedded(folder, enginePath, cacheBytes)
    : connect(history, enginePath))
  try {
    await migrate(connection)
  } catch (error) {
    await connection.close()
    if (history === 'embedded') throw error
    const { host } = new URL(history) // the full address contains the password
    throw new HistoryError(`the history on ${host} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
  return {
    store: clickhouseStore(connection, { recordVersion, figureVersion, ratesIndex }),
    outdated: () => selectOutdated(connection, recordVersion)
  }
}

/** The client for servers is a large package, so it is loaded only when needed. */
async function connect(address: string, engine: string): Promise<DatabaseConnection> {
  const { openServer } = await import('./clickhouse/server.ts')
  return openServer(address, engine)
}

/** Applies missing migrations in order. Each can be repeated, in case the previous start was interrupted. */
export async function migrate(connection: DatabaseConnection): Promise<void> {
  const before = await versionOf(connection)
  if (before > schemaVersion) {
    throw new HistoryError(
      `the history was written by a newer program (version ${before}; this one knows ${schemaVersion})`
    )
  }
  if (before === schemaVersion) return
  const [spread] = rowsOf(
    await connection.read(`SELECT count() AS tables FROM system.tables
WHERE database = currentDatabase() AND engine = 'Distributed' AND name = '${schemaVersionsTable.name}'`)
  )
  if (spread.tables !== 0) {
    const command = `gammawall history schema --cluster NAME --from ${before}`
    throw new HistoryError(
      `the history on the cluster is of version ${before}, this program needs ${schemaVersion}: ${command}`
    )
  }
  const lacking = schemaMigrations.filter(({ version }) => version > before)
  const changes = lacking.flatMap(({ tables, columns = [], views, replacedViews = [] }) => [
    ...tables.map((table) => createTable(table, singleServer)),
    ...columns.map((added) => addColumns(added, singleServer)),
    ...views.map((view) => createView(view, singleServer)),
    ...replacedViews.map((view) => replaceView(view, singleServer))
  ])
  const versions = lacking.map(({ version }) => `(${version})`).join(', ')
  await connection.runAll([
    createTable(schemaVersionsTable, singleServer),
    ...changes,
    `INSERT INTO ${schemaVersionsTable.name} (version) VALUES ${versions}`
  ])
}

async function versionOf(connection: DatabaseConnection): Promise<number> {
  const [found] = rowsOf(
    await connection.read(`SELECT count() AS tables FROM system.tables
WHERE database = currentDatabase() AND name = '${schemaVersionsTable.name}'`)
  )
  if (found.tables === 0) return 0
  const [newest] = rowsOf(await connection.read(`SELECT max(version) AS version FROM ${schemaVersionsTable.name}`))
  return newest.version as number
}

function checkout(): string {
  let folder = new URL('./', import.meta.url)
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('../', folder)
  return fileURLToPath(folder)
}

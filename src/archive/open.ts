import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ticker } from '../market/units.ts'
import { damageAtOpening, PART_GONE, reportingDamage } from './clickhouse/damage.ts'
import type { DatabaseConnection } from './clickhouse/database-connection.ts'
import { clickhouseStore, type DatabaseStore } from './clickhouse/database-store.ts'
import { selectOutdated } from './clickhouse/day-queries.ts'
import { isEngineInstalled, openEmbedded } from './clickhouse/embedded.ts'
import { keepPartList } from './clickhouse/part-list.ts'
import { schemaMigrations, schemaVersion, schemaVersionsTable } from './clickhouse/schema/migrations.ts'
import { addColumns, createTable, createView, replaceView, singleServer } from './clickhouse/schema/statements.ts'
import { rowsOf } from './codec/native-rows.ts'
import { isReadOnly } from './folder-check.ts'
import { type Damage, HistoryDamage, HistoryError } from './history-error.ts'
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
  /** Called with each damaged file that is met, which may be the same again. Paths are below the data folder. */
  readonly onDamage?: (damage: Damage) => void
  /** Index whose options imply the interest rates used for figures; undefined if rates are configured. */
  readonly ratesIndex?: Ticker | undefined
}

/**
 * The opened archive, with the days whose daily records must be computed again; or a sentence that tells why there is
 * no archive and how to get one. `isDamaged` says that there is one, and that its files cannot be opened.
 */
export type OpenedHistory =
  | {
      readonly store: DatabaseStore
      readonly outdated: () => Promise<readonly OutdatedDay[]>
      readonly reason?: undefined
      readonly isDamaged?: undefined
    }
  | {
      readonly store: undefined
      readonly outdated?: undefined
      readonly reason: string
      readonly isDamaged?: boolean
    }

/** Folder into which the start-up script installs the engine; it names another place than the package by the variable. */
export const enginePath = join(process.env['GAMMAWALL_ENGINE_FOLDER'] || checkout(), '.engine')

/**
 * Opens the archive and applies missing migrations. A missing engine is not an error, since the service also runs
 * without history. Rejects with a clear message if another process uses the folder, a server does not answer, or a
 * newer version of the program wrote the tables.
 */
export async function openHistory(settings: HistorySettings): Promise<OpenedHistory> {
  const { data, history } = settings
  const { folder = join(data, 'history') } = settings
  const onDamage = ({ path, reason }: Damage) => settings.onDamage?.({ path: join(basename(folder), path), reason })
  if (history === 'off') return { store: undefined, reason: 'history is switched off: start with --history embedded' }
  if (history === 'embedded' && !isEngineInstalled(enginePath)) {
    return {
      store: undefined,
      reason:
        'the engine that keeps history is not installed (it is for Linux with glibc on x64): ' +
        'start once with a network, or give --history an address'
    }
  }
  if (history !== 'embedded') return opened(await openOnServer(history), settings)
  try {
    return opened(await openInFolder({ ...settings, folder, onDamage }), settings)
  } catch (error) {
    if (error instanceof HistoryError && isReadOnly(folder)) return { store: undefined, reason: error.message }
    if (!(error instanceof HistoryDamage)) throw error
    onDamage(error.damage)
    return { store: undefined, isDamaged: true, reason: `${error.message}; see gammawall history verify` }
  }
}

function opened(
  connection: DatabaseConnection,
  { recordVersion, figureVersion = '', ratesIndex }: HistorySettings
): OpenedHistory {
  return {
    store: clickhouseStore(connection, { recordVersion, figureVersion, ratesIndex }),
    outdated: () => selectOutdated(connection, recordVersion)
  }
}

/** Opens the archive of the embedded engine. Reports what is damaged, and rejects if that leaves nothing to open. */
async function openInFolder({
  folder,
  cacheBytes,
  onDamage
}: HistorySettings & {
  readonly folder: string
  readonly onDamage: (damage: Damage) => void
}): Promise<DatabaseConnection> {
  const connection = reportingDamage(await openEmbedded(folder, enginePath, cacheBytes), onDamage)
  try {
    await migrate(connection)
    const found = await damageAtOpening(connection, folder)
    for (const damage of found) onDamage(damage)
    // The list still names what is gone, until a repair writes a new one.
    return found.some(({ reason }) => reason === PART_GONE) ? connection : listingParts(connection, folder)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** How often the parts of the archive are listed, milliseconds. */
const LIST_EVERY = 60_000

/** Lists the parts of the archive now and then, after each deletion and at the end, so that a missing one is noticed. */
function listingParts(connection: DatabaseConnection, folder: string): DatabaseConnection {
  const list = () => keepPartList(connection, folder).catch(() => {}) // what cannot be read is reported where it is read
  const timer = setInterval(list, LIST_EVERY).unref()
  return {
    ...connection,
    async run(statement) {
      await connection.run(statement)
      if (/\bDELETE WHERE\b/.test(statement)) await list()
    },
    async close() {
      clearInterval(timer)
      await list()
      await connection.close()
    }
  }
}

/** The client for servers is a large package, so it is loaded only when needed. */
async function openOnServer(history: string): Promise<DatabaseConnection> {
  const { openServer } = await import('./clickhouse/server.ts')
  const connection = await openServer(history, enginePath)
  try {
    await migrate(connection)
    return connection
  } catch (error) {
    await connection.close()
    const { host } = new URL(history) // the full address contains the password
    throw new HistoryError(`the history on ${host} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
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

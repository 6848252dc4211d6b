import { join } from 'node:path'
import { FOUND_DAMAGED, PART_GONE, partsSetAside, tablesMissing } from './clickhouse/damage.ts'
import { type DatabaseConnection, textLiteral } from './clickhouse/database-connection.ts'
import { openEmbedded } from './clickhouse/embedded.ts'
import { partsGone } from './clickhouse/part-list.ts'
import { archiveTables } from './clickhouse/schema/migrations.ts'
import { rowsOf } from './codec/native-rows.ts'
import { DATABASE, damagedFiles } from './folder-check.ts'
import { type Damage, HistoryDamage } from './history-error.ts'
import { lostDaysIn, lostWith, type SymbolDay } from './lost-days.ts'

/** A part of a table that cannot be read. */
export interface DamagedPart extends Damage {
  readonly table: string
  readonly part: string
  /** `damaged` while the engine uses it, `set aside` if the engine found it so, `gone` without its folder. */
  readonly state: 'damaged' | 'set aside' | 'gone'
  /** Symbols and days of its rows, as far as they can be told. */
  readonly holds: readonly SymbolDay[]
}

/** Damage found in an archive. */
export interface ArchiveDamage {
  /** Files that the engine needs to open the archive, and files that this user may not use. */
  readonly files: readonly Damage[]
  /** Tables whose description is gone. */
  readonly tables: readonly string[]
  readonly parts: readonly DamagedPart[]
  /** Why the engine does not open the archive, so that its tables could not be checked. */
  readonly unopened: string | undefined
}

/** Memory of the engine for its larger caches while it checks, bytes: everything is read once. */
const CACHE_BYTES = 2 ** 24

/** Reads everything in an archive that no service uses, and compares it with its checksums. */
export async function checkArchive(folder: string, engine: string): Promise<ArchiveDamage> {
  const files = damagedFiles(folder)
  const nothing = { files, tables: [], parts: [] }
  if (files.some(({ path }) => path.endsWith('.sql') || path.endsWith('format_version.txt'))) {
    return { ...nothing, unopened: 'its tables are checked once these are repaired' }
  }
  try {
    return await withArchive(folder, engine, async (connection) => ({
      files,
      tables: await tablesMissing(connection),
      parts: await damagedParts(connection, folder),
      unopened: undefined
    }))
  } catch (error) {
    if (!(error instanceof HistoryDamage)) throw error
    return { ...nothing, unopened: error.message }
  }
}

/** Opens an archive for `work` and closes it. */
export async function withArchive<Result>(
  folder: string,
  engine: string,
  work: (connection: DatabaseConnection) => Promise<Result>
): Promise<Result> {
  const connection = await openEmbedded(folder, engine, CACHE_BYTES)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function damagedParts(connection: DatabaseConnection, folder: string): Promise<readonly DamagedPart[]> {
  const found: DamagedPart[] = []
  const missing = new Set(await tablesMissing(connection))
  for (const { name: table } of archiveTables) {
    if (missing.has(table)) continue
    const checks = rowsOf(
      await connection.read(`CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0`)
    ) as unknown as readonly { part_path: string; is_passed: number; message: string }[]
    for (const { part_path: part, is_passed, message } of checks) {
      if (is_passed === 1) continue
      const path = await pathOf(connection, table, part)
      const holds = await lostDaysIn(connection, table, part)
      found.push({ table, part, state: 'damaged', path, reason: firstSentence(message), holds })
    }
  }
  for (const { table, part, path } of await partsSetAside(connection)) {
    const holds = await lostWith(connection, table, part)
    found.push({ table, part, state: 'set aside', path, reason: FOUND_DAMAGED, holds })
  }
  for (const { table, part } of await partsGone(connection, folder)) {
    if (missing.has(table)) continue
    const holds = await lostWith(connection, table, part)
    found.push({ table, part, state: 'gone', path: join('data', DATABASE, table, part), reason: PART_GONE, holds })
  }
  return found
}

async function pathOf(connection: DatabaseConnection, table: string, part: string): Promise<string> {
  const [found] = rowsOf(
    await connection.read(`SELECT path FROM system.parts
WHERE database = currentDatabase() AND table = ${textLiteral(table)} AND name = ${textLiteral(part)}`)
  )
  const path = found?.['path']
  return typeof path === 'string'
    ? path.slice(path.indexOf('store/')).replace(/\/$/, '')
    : join('data', DATABASE, table, part)
}

/** Text of a message of the engine, without its number and the name of its class. */
function firstSentence(message: string): string {
  return message
    .replace(/^Code: \d+\. DB::Exception: /, '')
    .split(/\. | \(version|: While/)[0]
    .replace(/\s*\([0-9a-f]{32} vs [0-9a-f]{32}\)/, '')
}

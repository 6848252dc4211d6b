import { join } from 'node:path'
import { rowsOf } from '../codec/native-rows.ts'
import { DATABASE } from '../folder-check.ts'
import { type Damage, HistoryDamage } from '../history-error.ts'
import type { DatabaseConnection } from './database-connection.ts'
import { partsGone } from './part-list.ts'
import { archiveTables } from './schema/migrations.ts'

/** Errors of the engine that mean damaged files, by the names that its messages end with. */
const damaging = [
  'ATTEMPT_TO_READ_AFTER_EOF',
  'BAD_SIZE_OF_FILE_IN_DATA_PART',
  'CANNOT_DECOMPRESS',
  'CANNOT_OPEN_FILE',
  'CANNOT_READ_ALL_DATA',
  'CANNOT_READ_FROM_FILE_DESCRIPTOR',
  'CHECKSUM_DOESNT_MATCH',
  'CORRUPTED_DATA',
  'EXPECTED_END_OF_FILE',
  'FILE_DOESNT_EXIST',
  'INCORRECT_MARK',
  'NO_FILE_IN_DATA_PART',
  'SIZES_OF_MARKS_FILES_ARE_INCONSISTENT',
  'TOO_LARGE_SIZE_COMPRESSED',
  'UNKNOWN_CODEC',
  'UNKNOWN_TABLE'
]
const damageName = new RegExp(`\\((${damaging.join('|')})\\)`)
/** Errors that are about the archive even if the message names no file. */
const ofTheArchive: ReadonlySet<string> = new Set(['CHECKSUM_DOESNT_MATCH', 'CORRUPTED_DATA', 'UNKNOWN_TABLE'])
/** Too many open files, a full and a read-only disk: the files themselves are sound. */
const ofTheSystem = /errno: (24|28|30)\b/
const storedAt = /store\/[0-9a-f]{3}\/[0-9a-f-]{36}\/[^/\s']+/

/** What an error of the engine says about damaged files of the archive; undefined for any other error. */
export function damageIn(error: unknown): Damage | undefined {
  if (!(error instanceof Error) || ofTheSystem.test(error.message)) return undefined
  const name = damageName.exec(error.message)?.[1]
  if (name === undefined) return undefined
  const [path] = storedAt.exec(error.message) ?? []
  if (path === undefined && !ofTheArchive.has(name)) return undefined // a file elsewhere, such as the target of an export
  return { path: path ?? 'store', reason: name.toLowerCase().replaceAll('_', ' ') }
}

/** A connection that reports damaged files that it meets, and throws a HistoryDamage for them. */
export function reportingDamage(
  connection: DatabaseConnection,
  onDamage: (damage: Damage) => void
): DatabaseConnection {
  const reported = <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      try {
        return await work(...args)
      } catch (error) {
        const damage = damageIn(error)
        if (damage === undefined) throw error
        onDamage(damage)
        throw new HistoryDamage(damage, error)
      }
    }
  }
  return {
    ...connection,
    read: reported(connection.read),
    run: reported(connection.run),
    runAll: reported(connection.runAll),
    insert: reported(connection.insert),
    save: reported(connection.save)
  }
}

/** A part of a table that the engine set aside when it opened the archive, because its files were damaged. */
export interface SetAside {
  readonly table: string
  /** Name of the part as it was in use. */
  readonly part: string
  /** Its folder, below that of the archive. */
  readonly path: string
}

export async function partsSetAside(connection: Pick<DatabaseConnection, 'read'>): Promise<readonly SetAside[]> {
  const found = rowsOf(
    await connection.read(`SELECT table, name, path FROM system.detached_parts
WHERE database = currentDatabase() AND match(reason, '^(broken|unexpected|covered-by-broken)') ORDER BY table, name`)
  )
  return found.map(({ table, name, path }) => ({
    table: table as string,
    part: (name as string).replace(/^\D+_/, ''),
    path: (path as string).slice((path as string).indexOf('store/'))
  }))
}

/** Names of the tables that the archive should have and the engine does not know, because their description is gone. */
export async function tablesMissing(connection: Pick<DatabaseConnection, 'read'>): Promise<readonly string[]> {
  const known = rowsOf(await connection.read('SELECT name FROM system.tables WHERE database = currentDatabase()'))
  const names = new Set(known.map(({ name }) => name))
  return archiveTables.map(({ name }) => name).filter((name) => !names.has(name))
}

/** Damage that shows when an archive is opened: parts set aside or gone since `folder` was closed, and missing tables. */
export async function damageAtOpening(
  connection: Pick<DatabaseConnection, 'read'>,
  folder: string
): Promise<readonly Damage[]> {
  return [
    ...(await partsSetAside(connection)).map(({ path }) => ({ path, reason: FOUND_DAMAGED })),
    ...(await tablesMissing(connection)).map((table) => ({
      path: join('data', DATABASE, table),
      reason: NO_DESCRIPTION
    })),
    ...(await partsGone(connection, folder)).map(({ table, part }) => ({
      path: join('data', DATABASE, table, part),
      reason: PART_GONE
    }))
  ]
}

export const FOUND_DAMAGED = 'the engine found it damaged and set it aside'
export const NO_DESCRIPTION = 'the description of the table is missing'
export const PART_GONE = 'the folder is missing'

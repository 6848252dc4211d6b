import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Damage } from './history-error.ts'

/** Folders whose files come and go while the engine is open. */
const ofTheMoment = /^(tmp|delete_tmp|tmp_.*)$/

/** Name of the database in an embedded archive. */
export const DATABASE = 'gammawall'

/** Whether a folder holds an archive of the embedded engine. */
export function holdsArchive(folder: string): boolean {
  return entries(join(folder, 'metadata')).length > 0 || entries(join(folder, 'store')).length > 0
}

/**
 * Damage that can be seen without the engine: files and folders that cannot be read, and descriptions of tables that are
 * empty or cut, without which the engine does not open the archive.
 */
export function damagedFiles(folder: string): readonly Damage[] {
  const lost = databaseLost(folder)
  const mode = isReadOnly(folder) ? constants.R_OK : constants.R_OK | constants.W_OK
  const found = [...everyFile(folder)].flatMap(({ path, stats }) => {
    const reason = unreadable(path, mode) ?? (stats.isDirectory() ? undefined : wrongContent(path, stats))
    return reason === undefined ? [] : [{ path: relative(folder, path), reason }]
  })
  return lost === undefined ? found : [lost, ...found]
}

/** Set if an archive has tables and no description of the database: the engine would begin an empty one. */
export function databaseLost(folder: string): Damage | undefined {
  const path = join('metadata', `${DATABASE}.sql`)
  if (databaseIdOf(folder) === undefined || existsSync(join(folder, path))) return undefined
  return { path, reason: 'the description of the database is missing' }
}

/** Id of the database: the folder in which the descriptions of its tables are. */
export function databaseIdOf(folder: string): string | undefined {
  const store = join(folder, 'store')
  const ids = entries(store).flatMap((start) => entries(join(store, start)).map((id) => ({ start, id })))
  return ids.find(({ start, id }) => existsSync(join(store, start, id, 'schema_versions.sql')))?.id
}

/** Whether a folder lies on a disk that is mounted read-only. */
export function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

/** Id of a table in the folder of an archive, by which its files are stored; undefined if it is not known. */
export function tableIdOf(folder: string, table: string): string | undefined {
  try {
    return basename(readlinkSync(join(folder, 'data', DATABASE, table)))
  } catch {
    return undefined
  }
}

function* everyFile(folder: string): Generator<{ readonly path: string; readonly stats: Stats }> {
  for (const name of entries(folder)) {
    if (ofTheMoment.test(name)) continue
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink()) continue
    yield { path, stats }
    if (stats.isDirectory()) yield* everyFile(path)
  }
}

function unreadable(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    return `this user may not read and write it (${(error as NodeJS.ErrnoException).code})`
  }
}

function wrongContent(path: string, { size }: Stats): string | undefined {
  if (path.endsWith('.sql')) {
    const text = size === 0 ? '' : readFileSync(path, 'latin1')
    if (!/^ATTACH [\s\S]*\S\s*$/.test(text) || text.includes('\0')) return 'the description of a table is empty or cut'
  }
  if (basename(path) === 'format_version.txt' && readFileSync(path, 'latin1').trim() !== '1') {
    return 'the version of the format is empty or cut'
  }
  return undefined
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

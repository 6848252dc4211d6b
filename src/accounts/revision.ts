import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'libsql'
import { countedTables } from './accounts-schema.ts'

/** Counts of the accounts after a durable change. They are kept beside the database, to notice a loss. */
export interface Revision {
  /** Number of durable changes so far. */
  readonly number: number
  readonly users: number
  readonly keys: number
  readonly alerts: number
}

const fileOf = (folder: string) => join(folder, 'accounts.revision.json')

/** Counts the rows of the tables, which takes milliseconds where there are many. */
export function revisionOf(sqlite: Sqlite.Database): Revision {
  const counts = countedTables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')
  return revisionIn(sqlite.prepare(`SELECT (SELECT coalesce(max(number), 0) FROM revision) AS number, ${counts}`).get())
}

/** The revision as triggers have counted it. */
export function countedRevision(sqlite: Sqlite.Database): Revision {
  return revisionIn(sqlite.prepare(`SELECT number, ${countedTables.join(', ')} FROM revision`).get())
}

/** The columns of a row alone: libsql adds its own timing to each row, which would be written to files. */
function revisionIn(row: unknown): Revision {
  const { number, users, keys, alerts } = row as Revision
  return { number, users, keys, alerts }
}

/** Counts a durable change. Belongs into its transaction. */
export function countChange(sqlite: Sqlite.Database): void {
  sqlite.exec('UPDATE revision SET number = number + 1')
}

/**
 * Keeps the newest revision in the folder, if the disk takes it. It need not survive a power cut: an older one raises
 * no false alarm.
 */
export function keepRevision(folder: string, revision: Revision): void {
  const path = fileOf(folder)
  const part = `${path}.${process.pid}.part`
  try {
    writeFileSync(part, `${JSON.stringify(revision)}\n`, { mode: 0o600 })
    renameSync(part, path)
  } catch {
    // The change itself is stored, which is what its caller is told.
  }
}

function keptRevision(folder: string): Revision | undefined {
  try {
    const kept = JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Revision
    return Number.isSafeInteger(kept.number) ? kept : undefined
  } catch {
    return undefined // it is not there, or was cut
  }
}

/** Says what acknowledged changes the database no longer has; undefined if it has all that are known. */
export function lossSince(folder: string, revision: Revision): string | undefined {
  const kept = keptRevision(folder)
  if (kept === undefined || revision.number >= kept.number) return undefined
  const fewer = countedTables.filter((what) => revision[what] !== kept[what])
  const counts = fewer.map((what) => `${revision[what]} ${what} instead of ${kept[what]}`).join(', ')
  return (
    `accounts.db lacks the last ${kept.number - revision.number} of ${kept.number} changes` +
    `${counts === '' ? '' : ` and holds ${counts}`}: its files were damaged or replaced by older ones`
  )
}

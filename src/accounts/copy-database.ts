import { dirname, join } from 'node:path'
import Sqlite from 'libsql'
import { createPrivateFile } from './data-folder.ts'
import { type Revision, revisionOf } from './revision.ts'
import { asStorageError } from './storage-error.ts'

/**
 * Writes a copy of the accounts of a data folder to `path` and returns what it holds. It is one moment of the database,
 * complete with its side file, also while a service writes. Throws if the copy cannot be written.
 */
export function copyDatabase(folder: string, path: string): Revision {
  const source = join(folder, 'accounts.db')
  createPrivateFile(dirname(path), path) // SQLite would let others read the copy
  try {
    const sqlite = new Sqlite(source)
    try {
      sqlite.exec('PRAGMA busy_timeout = 2000')
      sqlite.prepare('VACUUM INTO ?').run([path])
    } finally {
      sqlite.close()
    }
    const copy = new Sqlite(path)
    try {
      return revisionOf(copy)
    } finally {
      copy.close()
    }
  } catch (error) {
    throw asStorageError(error, path)
  }
}

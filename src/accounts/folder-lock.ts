import { join } from 'node:path'
import Sqlite from 'libsql'
import { createPrivateFile, isOnReadOnlyDisk } from './data-folder.ts'
import { asStorageError } from './storage-error.ts'

/** Exclusive use of a data folder until it is released or the process ends. */
export interface FolderLock {
  release(): void
}

/**
 * Locks a data folder for this process; undefined if another process holds it. The operating system keeps the lock
 * (SQLite's exclusive lock on an empty file, `fcntl` or `LockFileEx`), so it always ends with its process, and a
 * leftover file means nothing. Commands that run next to the service do not take the lock.
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const path = join(folder, 'service.lock')
  if (isOnReadOnlyDisk(folder)) return { release() {} } // no service can change what lies there, so none is kept out
  createPrivateFile(folder, path)
  const sqlite = new Sqlite(path)
  try {
    // Nothing is ever written, so the lock works on a full disk too.
    sqlite.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY')
    sqlite.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    sqlite.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw asStorageError(error, folder)
  }
  held.add(sqlite)
  return {
    release() {
      if (!held.delete(sqlite)) return
      sqlite.exec('ROLLBACK')
      sqlite.close()
    }
  }
}

/** Keeps the databases from being garbage-collected, which would release their locks. */
const held = new Set<Sqlite.Database>()

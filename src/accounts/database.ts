import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import Sqlite from 'libsql'
import AsyncSqlite from 'libsql/promise'
import { accountMigrations, type Tables } from './accounts-schema.ts'
import { FORGET_CHANGES } from './changes.ts'
import { createPrivateFile, isOnReadOnlyDisk } from './data-folder.ts'
import { countChange, countedRevision, keepRevision, lossSince, revisionOf } from './revision.ts'
import { asStorageError, DatabaseError, StorageError } from './storage-error.ts'

/**
 * The database of users, keys and usage. Queries are built with `build` and run synchronously, because every request
 * looks up its key and no transaction may be interrupted by another. Writes that fail because of the disk throw a
 * StorageError.
 */
export interface Database {
  /** Builds queries without running them. */
  readonly build: Kysely<Tables>
  rows<Row>(query: Compilable<Row>): Row[]
  /** Runs a statement without result rows and returns how many rows it changed. */
  run(query: Compilable): number
  /**
   * Runs `work` in a transaction that may be lost in a power cut and waits only briefly for a lock; suits batches that
   * can be repeated.
   */
  transaction<Result>(work: () => Result): Result
  /**
   * Runs `work` in a transaction that is on disk when it returns; suits changes that the caller is told have succeeded
   * (a key, a revocation). Inside another transaction it becomes part of that one.
   */
  durably<Result>(work: () => Result): Result
  /** Number of durable changes so far, also of other processes. Costs about 5 µs. */
  revision(): number
  /** Calls `listener`, which must not throw, after each durable change of this process. */
  onChange(listener: () => void): void
  /**
   * Runs a statement on a thread and a connection of its own, in a transaction that may be lost in a power cut. It may
   * wait a while for a lock, which holds up nobody.
   */
  inBackground(sql: string): Promise<void>
  /** Sentence about acknowledged changes that were missing when the database was opened; undefined if none were. */
  readonly loss: string | undefined
  /** Opens the database for writing if it could only be read so far and the disk has room again. */
  recover(): void
  /** Moves what was written from the side file into the database, so that damage to the side file loses little. */
  checkpoint(): Promise<void>
  close(): void
}

/**
 * Milliseconds for which a write waits for another process, such as the command line next to the service. A command can
 * wait; a batch of counts gives up sooner, because waiting blocks the thread that handles requests.
 */
const BUSY_TIMEOUT = 2000
const BRIEF = 50

/**
 * Opens, creates or upgrades accounts.db in the data folder. Only its owner may read it. If the disk is full or
 * read-only, what lies in the file is read as it is, and `recover` or the next write opens it again.
 */
export function openDatabase(folder: string): Database {
  const path = join(folder, 'accounts.db')
  try {
    return database(folder, openForWriting(folder))
  } catch (error) {
    const known = asStorageError(error, folder)
    const reading = known instanceof StorageError ? openForReading(path) : undefined
    if (reading !== undefined) return database(folder, reading, { isReadOnly: true })
    if (!(known instanceof Sqlite.SqliteError)) throw known
    throw known.code.startsWith('SQLITE_CORRUPT') || known.code.startsWith('SQLITE_NOTADB')
      ? damaged(path, known.message)
      : new DatabaseError(`${path} cannot be used: ${known.message}`)
  }
}

function openForWriting(folder: string): Sqlite.Database {
  const path = join(folder, 'accounts.db')
  // SQLite gives its side files the mode of this one.
  if (!existsSync(path) || !isOnReadOnlyDisk(folder)) createPrivateFile(folder, path)
  const sqlite = new Sqlite(path)
  try {
    sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
    sqlite.exec('PRAGMA journal_mode = WAL')
    sqlite.exec('PRAGMA synchronous = NORMAL')
    sqlite.exec('PRAGMA foreign_keys = ON')
    requireSound(sqlite, path)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * Opens the file without its side files, which could not be written. It has every change that was acknowledged; counts
 * of the last minute are missing. Undefined if there is no sound file of this version.
 */
function openForReading(path: string): Sqlite.Database | undefined {
  if (!existsSync(path)) return undefined
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(`file:${encodeURI(path)}?immutable=1`)
    requireSound(sqlite, path)
    if (versionOf(sqlite) === accountMigrations.length) return sqlite
  } catch {
    // The reason why it cannot be opened for writing is told instead.
  }
  sqlite?.close()
  return undefined
}

function database(folder: string, sqlite: Sqlite.Database, { isReadOnly = false } = {}): Database {
  const made = overSqlite(sqlite, folder, isReadOnly)
  try {
    if (!isReadOnly) migrate(sqlite, made, join(folder, 'accounts.db'))
    made.loss = lossSince(folder, revisionOf(sqlite))
    if (!isReadOnly) sqlite.exec(`PRAGMA busy_timeout = ${BRIEF}`)
    return made
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function requireSound(sqlite: Sqlite.Database, path: string): void {
  const [first] = sqlite.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
  if (first!.integrity_check !== 'ok') throw damaged(path, first!.integrity_check)
}

function damaged(path: string, what: string): DatabaseError {
  return new DatabaseError(`${path} is damaged (${what}): restore a backup of the folder with gammawall restore`)
}

function overSqlite(
  first: Sqlite.Database,
  folder: string,
  isFirstReadOnly: boolean
): Database & { loss: string | undefined } {
  let sqlite = first
  let isReadOnly = isFirstReadOnly
  const build = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler()
    }
  })
  const listeners: (() => void)[] = []
  let background: AsyncSqlite | undefined

  function guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, folder)
    }
  }

  function transaction<Result>(work: () => Result): Result {
    return guarded(() => {
      requireWritable()
      sqlite.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        sqlite.exec('COMMIT')
        return result
      } catch (error) {
        if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** Opens the file for writing if it could only be read so far. Throws while the disk refuses. */
  function requireWritable(): void {
    if (!isReadOnly) return
    const writable = openForWriting(folder)
    writable.exec(`PRAGMA busy_timeout = ${BRIEF}`)
    sqlite.close()
    sqlite = writable
    isReadOnly = false
  }

  async function inBackground(sql: string): Promise<void> {
    try {
      background ??= new AsyncSqlite(join(folder, 'accounts.db'), {})
      await background.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA synchronous = NORMAL; ${sql}`)
    } catch (error) {
      throw asStorageError(error, folder)
    }
  }

  /** Moves the side file into the database. A reader in another process can prevent it; the next one then moves more. */
  function moveAll(): void {
    try {
      sqlite.exec(MOVE_ALL)
    } catch {
      // The disk accepts no writes: committed data stays in the side file, and the next start reads it there.
    }
  }

  return {
    build,
    loss: undefined,
    recover() {
      try {
        requireWritable()
      } catch {
        // The next write tries again.
      }
    },
    rows<Row>(query: Compilable<Row>) {
      const { sql, parameters } = query.compile()
      // The type of the query states its columns.
      return guarded(() => sqlite.prepare(sql).all([...parameters]) as Row[])
    },
    run(query) {
      const { sql, parameters } = query.compile()
      return guarded(() => sqlite.prepare(sql).run([...parameters]).changes)
    },
    transaction,
    durably(work) {
      if (sqlite.inTransaction) return work()
      guarded(requireWritable)
      sqlite.exec(`PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
      try {
        const result = transaction(() => {
          const made = work()
          countChange(sqlite)
          sqlite.exec(FORGET_CHANGES)
          return made
        })
        sqlite.exec(`PRAGMA busy_timeout = ${BRIEF}`) // the change is stored: nothing waits for a reader elsewhere
        moveAll()
        keepRevision(folder, countedRevision(sqlite))
        for (const listener of listeners) listener()
        return result
      } finally {
        sqlite.exec(`PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = ${BRIEF}`)
      }
    },
    revision: () => guarded(() => countedRevision(sqlite).number),
    onChange: (listener) => void listeners.push(listener),
    inBackground,
    checkpoint: () => inBackground(MOVE_ALL).catch(() => {}), // for the reason in `moveAll`
    close() {
      if (!sqlite.open) return
      background?.close()
      if (!isReadOnly) moveAll() // leaves one complete file, so that a copied folder is complete
      sqlite.close()
    }
  }
}

const MOVE_ALL = 'PRAGMA wal_checkpoint(TRUNCATE)'

function versionOf(sqlite: Sqlite.Database): number {
  return (sqlite.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

/**
 * Upgrades the schema to the newest version. Two processes may start together, so the version is read again inside the
 * lock.
 */
function migrate(sqlite: Sqlite.Database, database: Database, path: string): void {
  const version = () => versionOf(sqlite)
  if (version() === accountMigrations.length) return
  database.durably(() => {
    const from = version()
    if (from > accountMigrations.length) {
      throw new DatabaseError(`${path} was written by a newer version of gammawall: run that version or newer`)
    }
    for (const migration of accountMigrations.slice(from)) {
      for (const statement of migration(database.build.schema)) database.run(statement)
    }
    sqlite.exec(`PRAGMA user_version = ${accountMigrations.length}`)
  })
}

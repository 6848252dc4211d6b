import { join } from 'node:path'
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import Sqlite from 'libsql'
import { accountMigrations, type Tables } from './accounts-schema.ts'
import { createPrivateFile } from './data-folder.ts'
import { countChange, keepRevision, lossSince, revisionOf } from './revision.ts'
import { asStorageError, DatabaseError } from './storage-error.ts'

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
  /**
   * Version text that changes with every durable transaction here and every write of another process. Costs about 2 µs.
   */
  generation(): string
  /** Sentence about acknowledged changes that were missing when the database was opened; undefined if none were. */
  readonly loss: string | undefined
  /** Moves what was written from the side file into the database, so that damage to the side file loses little. */
  checkpoint(): void
  close(): void
}

/**
 * Milliseconds for which a write waits for another process, such as the command line next to the service. A command can
 * wait; a batch of counts gives up sooner, because waiting blocks the thread that handles requests.
 */
const BUSY_TIMEOUT = 2000
const BRIEF = 50

/** Opens, creates or upgrades accounts.db in the data folder. Only its owner may read it. */
export function openDatabase(folder: string): Database {
  const path = join(folder, 'accounts.db')
  createPrivateFile(folder, path) // SQLite gives its side files the mode of this one
  const sqlite = new Sqlite(path)
  try {
    sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
    sqlite.exec('PRAGMA journal_mode = WAL')
    sqlite.exec('PRAGMA synchronous = NORMAL')
    sqlite.exec('PRAGMA foreign_keys = ON')
    requireSound(sqlite, path)
    const database = overSqlite(sqlite, folder)
    migrate(sqlite, database, path)
    database.loss = lossSince(folder, revisionOf(sqlite))
    sqlite.exec(`PRAGMA busy_timeout = ${BRIEF}`)
    return database
  } catch (error) {
    sqlite.close()
    const known = asStorageError(error, folder)
    if (!(known instanceof Sqlite.SqliteError)) throw known
    throw known.code.startsWith('SQLITE_CORRUPT') || known.code.startsWith('SQLITE_NOTADB')
      ? damaged(path, known.message)
      : new DatabaseError(`${path} cannot be used: ${known.message}`)
  }
}

function requireSound(sqlite: Sqlite.Database, path: string): void {
  const [first] = sqlite.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
  if (first!.integrity_check !== 'ok') throw damaged(path, first!.integrity_check)
}

function damaged(path: string, what: string): DatabaseError {
  return new DatabaseError(`${path} is damaged (${what}): restore a backup of the folder with gammawall restore`)
}

function overSqlite(sqlite: Sqlite.Database, folder: string): Database & { loss: string | undefined } {
  const build = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler()
    }
  })
  const otherWriters = sqlite.prepare('PRAGMA data_version')
  let durableWrites = 0

  function guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, folder)
    }
  }

  function transaction<Result>(work: () => Result): Result {
    return guarded(() => {
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

  /** A reader in another process can prevent it; the next one then moves more. */
  function checkpoint(): void {
    try {
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The disk accepts no writes: committed data stays in the side file, and the next start reads it there.
    }
  }

  return {
    build,
    loss: undefined,
    checkpoint,
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
      sqlite.exec(`PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
      try {
        const result = transaction(() => {
          const made = work()
          countChange(sqlite)
          return made
        })
        checkpoint()
        keepRevision(folder, revisionOf(sqlite))
        return result
      } finally {
        sqlite.exec(`PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = ${BRIEF}`)
        durableWrites++
      }
    },
    generation: () => `${durableWrites} ${JSON.stringify(otherWriters.all())}`,
    close() {
      if (!sqlite.open) return
      checkpoint() // leaves one complete file, so that a copied folder is complete
      sqlite.close()
    }
  }
}

/**
 * Upgrades the schema to the newest version. Two processes may start together, so the version is read again inside the
 * lock.
 */
function migrate(sqlite: Sqlite.Database, database: Database, path: string): void {
  const version = () => (sqlite.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
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

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Compilable,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import Sqlite from 'libsql'
import AsyncSqlite from 'libsql/promise'
import { accountMigrations, type Tables } from './accounts-schema.ts'
import { createPrivateFile, isOnReadOnlyDisk } from './data-folder.ts'
import type { Changes, Database } from './database.ts'
import { FileDirectory, FORGET_CHANGES } from './directory.ts'
import { countChange, countedRevision, keepRevision, lossSince, revisionOf } from './revision.ts'
import { sqliteWords } from './sqlite-words.ts'
import { asStorageError, DatabaseError, StorageError } from './storage-error.ts'

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
  try {
    if (!isReadOnly) migrate(sqlite, folder)
    const loss = lossSince(folder, revisionOf(sqlite))
    if (!isReadOnly) sqlite.exec(`PRAGMA busy_timeout = ${BRIEF}`)
    return overSqlite(sqlite, folder, { isReadOnly, loss })
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
  { isReadOnly: isFirstReadOnly, loss }: { readonly isReadOnly: boolean; readonly loss: string | undefined }
): Database {
  const path = join(folder, 'accounts.db')
  let sqlite = first
  let isReadOnly = isFirstReadOnly
  let reader: Sqlite.Database | undefined
  let background: AsyncSqlite | undefined
  const listeners: (() => Promise<void>)[] = []
  /** Resolves when the last transaction that was asked for has ended. */
  let lastTurn: Promise<void> = Promise.resolve()
  let turns = 0

  /** The connection for reading: another one while a transaction is under way, which would show what is not committed. */
  function readable(): Sqlite.Database {
    if (!sqlite.inTransaction) return sqlite
    reader ??= new Sqlite(path)
    return reader
  }

  const read = new Kysely<Tables>({ dialect: dialectOver(readable, folder) })
  const write = new Kysely<Tables>({ dialect: dialectOver(() => sqlite, folder) })

  /** Runs `work` when every transaction that was asked for before has ended: there is one connection to write with. */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = lastTurn
    turns++
    let end = () => {}
    lastTurn = new Promise((resolve) => {
      end = resolve
    })
    await before
    try {
      return await work()
    } catch (error) {
      throw asStorageError(error, folder)
    } finally {
      turns--
      end()
    }
  }

  function transaction<Result>(work: (tx: Changes) => Promise<Result>): Promise<Result> {
    requireWritable()
    return write.transaction().execute(work)
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
      background ??= new AsyncSqlite(path, {})
      await background.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA synchronous = NORMAL; ${sql}`)
    } catch (error) {
      throw asStorageError(error, folder)
    }
  }

  function rows<Row>(query: Compilable<Row>): Row[] {
    const { sql, parameters } = query.compile()
    try {
      // The type of the query states its columns.
      return readable()
        .prepare(sql)
        .all([...parameters]) as Row[]
    } catch (error) {
      throw asStorageError(error, folder)
    }
  }

  return {
    read,
    words: sqliteWords,
    directory: new FileDirectory(read, rows),
    sharing: undefined,
    loss,
    recover() {
      try {
        requireWritable()
      } catch {
        // The next write tries again.
      }
    },
    batch: (work) => inTurn(() => transaction(work)),
    durably: (work) =>
      inTurn(async () => {
        requireWritable()
        sqlite.exec(DURABLY)
        try {
          const result = await transaction(async (tx) => {
            const made = await work(tx)
            noteChange(sqlite)
            return made
          })
          keepChange(sqlite, folder)
          for (const listener of listeners) await listener()
          return result
        } finally {
          sqlite.exec(USUALLY)
        }
      }),
    revision: async () => rows(read.selectFrom('revision').select('number'))[0]!.number,
    onChange: (listener) => void listeners.push(listener),
    onNotice() {},
    inBackground,
    checkpoint: () => inBackground(MOVE_ALL).catch(() => {}), // for the reason in `moveAll`
    async close() {
      while (turns > 0) await lastTurn
      if (!sqlite.open) return
      background?.close()
      reader?.close()
      if (!isReadOnly) moveAll(sqlite) // leaves one complete file, so that a copied folder is complete
      sqlite.close()
    }
  }
}

/** Runs statements at once on the connection that `current` returns. Whoever begins a transaction waits for a turn. */
function dialectOver(current: () => Sqlite.Database, folder: string): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) {
      try {
        const statement = current().prepare(sql)
        // The type of the query states its columns.
        if (statement.reader) return { rows: statement.all([...parameters]) as Row[] }
        return { rows: [], numAffectedRows: BigInt(statement.run([...parameters]).changes) }
      } catch (error) {
        throw asStorageError(error, folder)
      }
    },
    streamQuery() {
      throw new Error('rows of the accounts are read whole')
    }
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      async init() {},
      acquireConnection: async () => connection,
      beginTransaction: async () => void current().exec('BEGIN IMMEDIATE'),
      commitTransaction: async () => void current().exec('COMMIT'),
      async rollbackTransaction() {
        if (current().inTransaction) current().exec('ROLLBACK')
      },
      async releaseConnection() {},
      async destroy() {}
    })
  }
}

const DURABLY = `PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`
const USUALLY = `PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = ${BRIEF}`
const MOVE_ALL = 'PRAGMA wal_checkpoint(TRUNCATE)'

/** Counts a durable change. Belongs into its transaction. */
function noteChange(sqlite: Sqlite.Database): void {
  countChange(sqlite)
  sqlite.exec(FORGET_CHANGES)
}

/** Makes a durable change, which is stored, safe from damage to the side file and notices its loss later. */
function keepChange(sqlite: Sqlite.Database, folder: string): void {
  sqlite.exec(`PRAGMA busy_timeout = ${BRIEF}`) // the change is stored: nothing waits for a reader elsewhere
  moveAll(sqlite)
  keepRevision(folder, countedRevision(sqlite))
}

/** Moves the side file into the database. A reader in another process can prevent it; the next one then moves more. */
function moveAll(sqlite: Sqlite.Database): void {
  try {
    sqlite.exec(MOVE_ALL)
  } catch {
    // The disk accepts no writes: committed data stays in the side file, and the next start reads it there.
  }
}

function versionOf(sqlite: Sqlite.Database): number {
  return (sqlite.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

/**
 * Upgrades the schema to the newest version. Two processes may start together, so the version is read again inside the
 * lock.
 */
function migrate(sqlite: Sqlite.Database, folder: string): void {
  if (versionOf(sqlite) === accountMigrations.length) return
  const { schema } = new Kysely<Tables>({ dialect: dialectOver(() => sqlite, folder) })
  sqlite.exec(DURABLY)
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    const from = versionOf(sqlite)
    if (from > accountMigrations.length) {
      const path = join(folder, 'accounts.db')
      throw new DatabaseError(`${path} was written by a newer version of gammawall: run that version or newer`)
    }
    for (const statement of accountMigrations.slice(from).flatMap((migration) => migration(schema, sqliteWords))) {
      sqlite.exec(statement.compile().sql)
    }
    sqlite.exec(`PRAGMA user_version = ${accountMigrations.length}`)
    noteChange(sqlite)
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
  keepChange(sqlite, folder)
  sqlite.exec(USUALLY)
}

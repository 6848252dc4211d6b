import { type Compilable, Kysely, PostgresDialect, PostgresQueryCompiler, sql } from 'kysely'
import { type Pool, DatabaseError as ServerError } from 'pg'
import { accountMigrations, type Tables } from './accounts-schema.ts'
import type { Changes, Database, Queries } from './database.ts'
import { FORGET_CHANGES } from './directory.ts'
import { MemoryDirectory } from './memory-directory.ts'
import { NOTIFY_CHANGE, Notifications } from './notifications.ts'
import { PATIENCE, poolAt } from './postgres-pool.ts'
import { sharingOver } from './postgres-sharing.ts'
import { CLOSED_CODE, postgresWords } from './postgres-words.ts'
import { DatabaseError, StorageError } from './storage-error.ts'

/** Milliseconds for which a start waits until the accounts have its version. */
const VERSION_PATIENCE = 60_000
const VERSION_LOOK = 500
/** Milliseconds that a migration may take, waiting for another one included. */
const MIGRATION_PATIENCE = 600_000
/** Any number that no other program on the server is likely to lock: "gammawal" as text. */
const MIGRATION_LOCK = '7449922460553666924'

export interface PostgresOptions {
  /** Milliseconds to wait for the version of this program; default: a minute. */
  readonly patience?: number
  /** Connections to the server; default: a few of its own. They are closed with the database. */
  readonly pool?: Pool
  readonly now?: () => number
}

/** The server and database of an address, without the password in it. */
function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `the accounts at ${host}${pathname}`
}

/** Accounts on a PostgreSQL server. Waits a while for `gammawall accounts migrate`, and fails with what to do. */
export async function openPostgres(
  address: string,
  { patience = VERSION_PATIENCE, now = Date.now, pool }: PostgresOptions = {}
): Promise<Database> {
  const place = placeOf(address)
  const connected = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool ?? poolAt(address) }) })
  try {
    await requireVersion(connected, place, patience)
    const directory = new MemoryDirectory(connected, now)
    await directory.follow()
    return overPostgres(connected, directory, { address, requests: pool ?? poolAt(address, PATIENCE, 1) })
  } catch (error) {
    await connected.destroy()
    throw unopened(error, place)
  }
}

/** `requests`: the connection over which requests are granted, which no slow statement may hold up. */
function overPostgres(
  connected: Queries,
  directory: MemoryDirectory,
  { address, requests }: { readonly address: string; readonly requests: Pool }
): Database {
  const place = placeOf(address)
  const listeners: (() => Promise<void>)[] = []
  let notifications: Notifications | undefined

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw asStorageError(error, place)
    }
  }

  /** Runs `work` in a transaction whose first statements are `settings`. */
  function transaction<Result>(settings: readonly string[], work: (tx: Changes) => Promise<Result>): Promise<Result> {
    return guarded(() =>
      connected.transaction().execute(async (tx) => {
        for (const setting of settings) await sql.raw(setting).execute(tx)
        return work(tx)
      })
    )
  }

  const batch = <Result>(work: (tx: Changes) => Promise<Result>) => transaction(mayBeLost, work)
  return {
    read: connected,
    words: postgresWords,
    directory,
    sharing: sharingOver({ connected, requests }, guarded),
    loss: undefined,
    recover() {},
    batch,
    async durably(work) {
      const result = await transaction(inTurn, async (tx) => {
        const made = await work(tx)
        await sql.raw(FORGET_CHANGES).execute(tx)
        await sql.raw(NOTIFY_CHANGE).execute(tx)
        return made
      })
      for (const listener of listeners) await listener()
      return result
    },
    revision: () =>
      guarded(async () => (await connected.selectFrom('revision').select('number').executeTakeFirstOrThrow()).number),
    onChange: (listener) => void listeners.push(listener),
    onNotice(onChange, onArriving) {
      notifications ??= new Notifications(address, { onChange, onArriving })
    },
    inBackground: (text) => batch(async (tx) => void (await sql.raw(text).execute(tx))),
    async checkpoint() {},
    async close() {
      await notifications?.close()
      await connected.destroy()
      if (!requests.ended) await requests.end()
    }
  }
}

/** A batch that the server loses in a power cut is repeated; it waits for no disk and only briefly for a lock. */
const mayBeLost = ['SET LOCAL synchronous_commit = off', 'SET LOCAL lock_timeout = 500']
/** The lock of the only row of `revision` makes durable changes take turns, so that their numbers are in their order. */
const inTurn = ['SET LOCAL lock_timeout = 2000', 'UPDATE revision SET number = number + 1']

/** Brings the accounts on a server to the version of this program and returns which it is. Several may try at once. */
export async function migratePostgres(address: string): Promise<{ readonly from: number; readonly to: number }> {
  const place = placeOf(address)
  const connected = new Kysely<Tables>({ dialect: new MigrationDialect({ pool: poolAt(address, MIGRATION_PATIENCE) }) })
  try {
    return await connected.transaction().execute(async (tx) => {
      await sql.raw(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`).execute(tx)
      await sql.raw('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)').execute(tx)
      const from = (await versionOf(tx)) ?? 0
      const to = Math.max(from, accountMigrations.length)
      if (from === to) return { from, to }
      for (const made of migrationsFrom(from, tx)) await tx.executeQuery(made.compile())
      await sql.raw('DELETE FROM schema_version').execute(tx)
      await sql.raw(`INSERT INTO schema_version VALUES (${to})`).execute(tx)
      return { from, to }
    })
  } catch (error) {
    throw unopened(error, place)
  } finally {
    await connected.destroy()
  }
}

function migrationsFrom(version: number, { schema }: Queries): readonly Compilable[] {
  return accountMigrations.slice(version).flatMap((migration) => migration(schema, postgresWords))
}

/** Texts sort by their code points, as in SQLite, whatever the language of the database is. */
class MigrationCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: Parameters<PostgresQueryCompiler['visitDataType']>[0]): void {
    super.visitDataType(node)
    if (/^(varchar|text)/.test(node.dataType)) this.append(' collate "C"')
  }
}

class MigrationDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new MigrationCompiler()
  }
}

/** The version of the accounts; undefined if there are none. */
async function versionOf(read: Queries): Promise<number | undefined> {
  const { rows } = await sql<{ readonly version: number }>`SELECT version FROM schema_version`.execute(read)
  return rows[0]?.version
}

const NO_SUCH_TABLE = '42P01'

/** Waits for the version of this program. A newer one will do, since migrations only add. */
async function requireVersion(read: Queries, place: string, patience: number): Promise<void> {
  const end = Date.now() + patience
  for (;;) {
    const version = await versionOf(read).catch((error: unknown) => {
      if (error instanceof ServerError && error.code === NO_SUCH_TABLE) return undefined
      throw error
    })
    if (version !== undefined && version >= accountMigrations.length) return
    if (Date.now() >= end) {
      const is = version === undefined ? 'are not set up yet' : `have version ${version} of ${accountMigrations.length}`
      throw new DatabaseError(`${place} ${is}: run gammawall accounts migrate`)
    }
    await new Promise((resolve) => setTimeout(resolve, VERSION_LOOK))
  }
}

/** What an operator is told of accounts that cannot be opened or migrated. */
function unopened(error: unknown, place: string): unknown {
  const known = asStorageError(error, place)
  if (known instanceof StorageError)
    return new DatabaseError(`${place} cannot be used: ${known.reason}`, { cause: error })
  const isOfServer = known instanceof ServerError
  return isOfServer ? new DatabaseError(`${place} cannot be used: ${known.message}`, { cause: error }) : known
}

/** Messages of the client, which have no code, about a server that does not answer or has left. */
const gone = /^(Query read timeout|timeout |Connection terminated|Client has encountered a connection error)/
/** Codes of a server that will answer later: it starts or stops, has no connection left, or holds a lock too long. */
const later = /^(57P|53|55|08|40)/

/** Converts an error of a server that cannot be reached or does not answer; returns any other one unchanged. */
function asStorageError(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error
  if (error instanceof ServerError) {
    const { code = '' } = error
    if (code === CLOSED_CODE || later.test(code)) return new StorageError(place, error.message, error)
    return error
  }
  const { code } = error as NodeJS.ErrnoException
  const isGone = code !== undefined ? /^E[A-Z]+$/.test(code) : gone.test(error.message)
  return isGone ? new StorageError(place, 'the database does not answer', error) : error
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'libsql'
import { onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import type { Database } from '../../src/accounts/database.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { awaited } from '../support/idle.ts'
import { type PostgresServer, patientPool } from '../support/postgres.ts'

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A clock that the test moves. */
export function handClock(start: string) {
  const clock = { at: Date.parse(start), now: () => clock.at }
  return clock
}

/** The data base of a folder, closed when the test is over. */
export function openedDatabase(folder: string): Database {
  const database = openDatabase(folder)
  onTestFinished(() => database.close())
  return database
}

let server: PostgresServer | undefined
let areFilesTested = true

/** Puts the accounts of tests into databases of a server, or into folders again. */
export function keepOn(place: PostgresServer | undefined): void {
  server = place
}

/** Adds the tests of a file for accounts on a server, without those of files. */
export async function addTestsOnServer(load: () => Promise<unknown>): Promise<void> {
  areFilesTested = false
  await load()
  areFilesTested = true
}

/** A test of what lies in a data folder, which is none where the accounts are on a server. */
export function testOfFile(name: string, run: () => Promise<void>): void {
  if (areFilesTested) test(name, run)
}

/** Addresses of empty accounts on servers. To copy them takes a fraction of the time that all migrations do. */
const migrated = new WeakMap<PostgresServer, Promise<string>>()

function migratedOn(server: PostgresServer): Promise<string> {
  const made =
    migrated.get(server) ??
    server.database().then(async (address) => {
      await migratePostgres(address)
      return address
    })
  migrated.set(server, made)
  return made
}

/** Makes the function that opens new accounts, each time as another process would. */
async function opening(folder: string, now: () => number): Promise<() => Promise<Database>> {
  if (server === undefined) return async () => openedDatabase(folder)
  const address = await server.database(await migratedOn(server))
  return async () => {
    const pool = patientPool(address)
    awaited(pool)
    const database = await openPostgres(address, { pool, now })
    onTestFinished(() => database.close())
    return database
  }
}

/**
 * Accounts in a place of their own, on a clock that the test moves. `open` opens them as another process would, and
 * `seen` lets so many milliseconds pass and changes of others be seen.
 */
export async function temporaryAccounts(start = '2026-07-29T14:30:00Z', folder = temporaryFolder()) {
  const clock = handClock(start)
  const open = await opening(folder, clock.now)
  const database = await open()
  const accounts = new Accounts(database, defaultPlans, clock.now)
  const seen = async (milliseconds: number) => {
    clock.at += milliseconds
    await accounts.refresh()
  }
  return { folder, clock, database, accounts, open, seen }
}

/** Takes away triggers, tables and columns that databases of earlier versions did not have. */
export function withoutChangeLog(sqlite: Sqlite.Database): void {
  const triggers = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as { name: string }[]
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`)
  sqlite.exec('DROP TABLE account_changes; DROP INDEX keys_hint; DROP TABLE documents; DROP TABLE identities')
  sqlite.exec('ALTER TABLE alerts DROP COLUMN version; ALTER TABLE alert_firings DROP COLUMN claimed_by')
  sqlite.exec('ALTER TABLE alert_firings DROP COLUMN claimed_until')
  sqlite.exec(
    'DROP TABLE roles; DROP TABLE copies; DROP TABLE copied_usage; DROP TABLE push_key; DROP TABLE secrets; DROP TABLE ended_sessions; DROP TABLE spent_tickets'
  )
  sqlite.exec('ALTER TABLE alert_firings DROP COLUMN copy_of')
  sqlite.exec('ALTER TABLE alert_webhooks DROP COLUMN push_keys')
}

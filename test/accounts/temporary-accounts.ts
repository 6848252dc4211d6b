import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'libsql'
import { onTestFinished } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { type Database, openDatabase } from '../../src/accounts/database.ts'
import { defaultPlans } from '../../src/api/plan.ts'

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

/** Accounts in a folder of their own, on a clock that the test moves. */
export function temporaryAccounts(start = '2026-07-29T14:30:00Z', folder = temporaryFolder()) {
  const clock = handClock(start)
  const database = openedDatabase(folder)
  return { folder, clock, database, accounts: new Accounts(database, defaultPlans, clock.now) }
}

/** Takes away triggers, the log of changes and documents, which databases of earlier versions did not have. */
export function withoutChangeLog(sqlite: Sqlite.Database): void {
  const triggers = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as { name: string }[]
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`)
  sqlite.exec('DROP TABLE account_changes; DROP INDEX keys_hint; DROP TABLE documents')
}

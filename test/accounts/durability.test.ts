import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { describe, expect, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { openedDatabase, temporaryFolder } from './temporary-accounts.ts'

const files = ['accounts.db', 'accounts.db-wal', 'accounts.revision.json']

/** A copy of the folder as a kill would leave it: the database is still open in the original. */
function killed(folder: string): string {
  const copy = temporaryFolder()
  mkdirSync(copy, { recursive: true })
  for (const file of files) if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file))
  return copy
}

async function withUsers(count: number) {
  const folder = temporaryFolder()
  const database = openedDatabase(folder)
  const accounts = new Accounts(database, defaultPlans)
  for (let k = 0; k < count; k++) await accounts.users.create({ email: `${k}@example.com`, plan: 'free' }, 'test')
  return { folder, database, accounts }
}

const emails = async ({ read }: ReturnType<typeof openDatabase>) =>
  (await read.selectFrom('users').select('email').orderBy('email').execute()).map(({ email }) => email)

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] ^= 1
  writeFileSync(path, bytes)
}

describe('after a kill', () => {
  test('every acknowledged user lies in the database itself, whatever became of its side file', async () => {
    const { folder } = await withUsers(10)
    const copy = killed(folder)
    expect(statSync(join(copy, 'accounts.db-wal')).size).toBe(0)
    writeFileSync(join(copy, 'accounts.db-wal'), 'no log at all')
    const database = openedDatabase(copy)
    expect([(await emails(database)).length, database.loss]).toEqual([10, undefined])
  })

  test('a flipped bit in counts that were not moved yet loses no user', async () => {
    const { folder, database } = await withUsers(10)
    const write = (day: string) =>
      database.batch((tx) => tx.insertInto('usage').values({ user_id: 'u', day, count: 1, panel_count: 0 }).execute())
    for (let k = 0; k < 20; k++) await write(`2026-01-${k + 10}`)
    const size = statSync(join(folder, 'accounts.db-wal')).size
    expect(size).toBeGreaterThan(0)
    for (let at = 40; at < size; at += Math.ceil(size / 12)) {
      const copy = killed(folder)
      flip(join(copy, 'accounts.db-wal'), at)
      const after = openedDatabase(copy)
      expect([(await emails(after)).length, after.loss]).toEqual([10, undefined])
    }
    await database.checkpoint()
    expect(statSync(join(folder, 'accounts.db-wal')).size).toBe(0)
  })

  test('accounts that are older than what was acknowledged are reported with what is missing', async () => {
    const { folder, accounts } = await withUsers(5)
    const older = killed(folder)
    const { key } = await accounts.keys.create(
      await accounts.users.create({ email: 'z@example.com', plan: 'free' }, 'test'),
      'k',
      'test'
    )
    expect(key).toMatch(/^gw_/)
    copyFileSync(join(folder, 'accounts.revision.json'), join(older, 'accounts.revision.json'))
    const { loss } = openedDatabase(older)
    expect(loss).toContain('lacks the last 2 of')
    expect(loss).toContain('5 users instead of 6, 0 keys instead of 1')
  })

  test('what is kept of them is a number and counts, and no more', async () => {
    const { folder } = await withUsers(5)
    const kept = JSON.parse(readFileSync(join(folder, 'accounts.revision.json'), 'utf8'))
    expect(kept).toEqual({ number: expect.any(Number), users: 5, keys: 0, alerts: 0 })
  })

  test('a database whose revision was kept by an earlier version, or was cut, raises no alarm', async () => {
    const { folder } = await withUsers(2)
    const copy = killed(folder)
    writeFileSync(join(copy, 'accounts.revision.json'), '{"number": 1')
    expect(openedDatabase(copy).loss).toBeUndefined()
  })
})

test('a damaged database is refused with what to do', async () => {
  const { folder, database } = await withUsers(300)
  await database.close()
  const path = join(folder, 'accounts.db')
  const pages = new Sqlite(path)
  const root = pages.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'users'").get() as { rootpage: number }
  pages.close()
  const bytes = readFileSync(path)
  bytes.fill(0xa5, (root.rootpage - 1) * 4096 + 8, root.rootpage * 4096)
  writeFileSync(path, bytes)
  expect(() => openDatabase(folder)).toThrow(/accounts\.db is damaged \(.*restore a backup/s)
  writeFileSync(path, 'this is no database at all, it is a text of some length that somebody saved here')
  expect(() => openDatabase(folder)).toThrow(/accounts\.db is damaged .*restore a backup/s)
})

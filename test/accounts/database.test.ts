import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/accounts/database.ts'
import { openedDatabase, temporaryFolder } from './temporary-accounts.ts'

test('a data folder is made where there is none, several levels deep', () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const database = openedDatabase(folder)
  expect(database.rows(database.build.selectFrom('users').selectAll())).toEqual([])
})

test('a folder that cannot be written is named in a sentence', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => openDatabase(join(file, 'data'))).toThrow(`the data folder ${join(file, 'data')} cannot be written`)
})

test('a file that is no data base, and a folder in its place, are named in a sentence', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'accounts.db'), 'x'.repeat(4096))
  expect(() => openDatabase(folder)).toThrow('accounts.db is damaged (file is not a database)')
  const other = temporaryFolder()
  mkdirSync(join(other, 'accounts.db'))
  expect(() => openDatabase(other)).toThrow('cannot be written')
})

test('a file of a newer version is refused and left as it is', () => {
  const folder = temporaryFolder()
  openDatabase(folder).close()
  const sqlite = new Sqlite(join(folder, 'accounts.db'))
  sqlite.exec('PRAGMA user_version = 999')
  sqlite.close()
  expect(() => openDatabase(folder)).toThrow('newer version')
})

test('opening an existing file again changes nothing in it', () => {
  const folder = temporaryFolder()
  const first = openedDatabase(folder)
  const row = { id: '1', email: 'a@b.c', plan: 'free', subscribed_on: '2026-07-29', created_at: '2026-07-29T00:00:00Z' }
  first.run(first.build.insertInto('users').values(row))
  const second = openedDatabase(folder)
  expect(second.rows(second.build.selectFrom('users').selectAll())).toEqual([row])
})

test('the revision counts durable changes here and elsewhere, not batches', () => {
  const folder = temporaryFolder()
  const [here, there] = [openedDatabase(folder), openedDatabase(folder)]
  const write = (database: typeof here, day: string) =>
    database.run(database.build.insertInto('usage').values({ user_id: 'u', day, count: 1, panel_count: 0 }))
  const first = here.revision()
  here.transaction(() => write(here, '1'))
  expect(here.revision()).toBe(first)
  here.durably(() => write(here, '2'))
  there.durably(() => write(there, '3'))
  expect([here.revision(), there.revision()]).toEqual([first + 2, first + 2])
})

test('a statement in the background is refused with its reason, and holds nothing up', async () => {
  const database = openedDatabase(temporaryFolder())
  const writing = database.inBackground("INSERT INTO usage VALUES ('u', '2026-01-01', 1, 0)")
  expect(database.rows(database.build.selectFrom('users').selectAll())).toEqual([])
  await writing
  expect(database.rows(database.build.selectFrom('usage').select('count'))).toEqual([{ count: 1 }])
  await expect(database.inBackground('INSERT INTO nowhere VALUES (1)')).rejects.toThrow('nowhere')
})

test('closing twice does no harm', () => {
  const database = openDatabase(temporaryFolder())
  database.close()
  database.close()
})

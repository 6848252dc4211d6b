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

test('the generation tells of durable changes here and of any change elsewhere, not of batches here', () => {
  const folder = temporaryFolder()
  const [here, there] = [openedDatabase(folder), openedDatabase(folder)]
  const write = (database: typeof here, day: string) =>
    database.run(database.build.insertInto('usage').values({ user_id: 'u', day, count: 1, panel_count: 0 }))
  const first = here.generation()
  here.transaction(() => write(here, '1'))
  expect(here.generation()).toBe(first)
  here.durably(() => write(here, '2'))
  const second = here.generation()
  expect(second).not.toBe(first)
  there.transaction(() => write(there, '3'))
  expect(here.generation()).not.toBe(second)
})

test('closing twice does no harm', () => {
  const database = openDatabase(temporaryFolder())
  database.close()
  database.close()
})

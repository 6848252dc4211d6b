import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { expect, test } from 'vitest'
import type { Changes } from '../../src/accounts/database.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { openedDatabase, temporaryAccounts, temporaryFolder, testOfFile } from './temporary-accounts.ts'

testOfFile('a data folder is made where there is none, several levels deep', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const database = openedDatabase(folder)
  expect(await database.read.selectFrom('users').selectAll().execute()).toEqual([])
})

testOfFile('a folder that cannot be written is named in a sentence', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => openDatabase(join(file, 'data'))).toThrow(`the data folder ${join(file, 'data')} cannot be written`)
})

testOfFile('a file that is no data base, and a folder in its place, are named in a sentence', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'accounts.db'), 'x'.repeat(4096))
  expect(() => openDatabase(folder)).toThrow('accounts.db is damaged (file is not a database)')
  const other = temporaryFolder()
  mkdirSync(join(other, 'accounts.db'))
  expect(() => openDatabase(other)).toThrow('cannot be written')
})

testOfFile('a file of a newer version is refused and left as it is', async () => {
  const folder = temporaryFolder()
  openDatabase(folder).close()
  const sqlite = new Sqlite(join(folder, 'accounts.db'))
  sqlite.exec('PRAGMA user_version = 999')
  sqlite.close()
  expect(() => openDatabase(folder)).toThrow('newer version')
})

testOfFile('opening an existing file again changes nothing in it', async () => {
  const folder = temporaryFolder()
  const first = openedDatabase(folder)
  const row = { id: '1', email: 'a@b.c', plan: 'free', subscribed_on: '2026-07-29', created_at: '2026-07-29T00:00:00Z' }
  await first.durably((tx) => tx.insertInto('users').values(row).execute())
  const second = openedDatabase(folder)
  expect(await second.read.selectFrom('users').selectAll().execute()).toEqual([row])
})

test('the revision counts durable changes here and elsewhere, not batches', async () => {
  const { database: here, open } = await temporaryAccounts()
  const there = await open()
  const write = (day: string) => (tx: Changes) =>
    tx.insertInto('usage').values({ user_id: 'u', day, count: 1, panel_count: 0 }).execute()
  const first = await here.revision()
  await here.batch(write('1'))
  expect(await here.revision()).toBe(first)
  await here.durably(write('2'))
  await there.durably(write('3'))
  expect([await here.revision(), await there.revision()]).toEqual([first + 2, first + 2])
})

test('a statement in the background is refused with its reason, and holds nothing up', async () => {
  const { database } = await temporaryAccounts()
  const writing = database.inBackground("INSERT INTO usage VALUES ('u', '2026-01-01', 1, 0)")
  expect(await database.read.selectFrom('users').selectAll().execute()).toEqual([])
  await writing
  expect(await database.read.selectFrom('usage').select('count').execute()).toEqual([{ count: 1 }])
  await expect(database.inBackground('INSERT INTO nowhere VALUES (1)')).rejects.toThrow('nowhere')
})

testOfFile('closing twice does no harm', async () => {
  const database = openDatabase(temporaryFolder())
  await database.close()
  await database.close()
})

const ann = { id: '1', email: 'a@b.c', plan: 'free', subscribed_on: '2026-07-29', created_at: '2026-07-29T00:00:00Z' }

test('what a transaction has not committed is seen by no other statement, and nothing of one that fails', async () => {
  const { database } = await temporaryAccounts()
  const { read, directory } = database
  const seen = async () => [directory.user(ann.id), await read.selectFrom('users').selectAll().execute()]
  const failing = database.durably(async (tx) => {
    await tx.insertInto('users').values(ann).execute()
    expect(await seen()).toEqual([undefined, []])
    throw new Error('given up')
  })
  await expect(failing).rejects.toThrow('given up')
  expect(await seen()).toEqual([undefined, []])
  await database.durably((tx) => tx.insertInto('users').values(ann).execute())
  expect(await seen()).toEqual([ann, [ann]])
})

const noted = (order: string[], name: string) => async (tx: Changes) => {
  order.push(`${name} begins`)
  await new Promise((resolve) => setImmediate(resolve))
  await tx.updateTable('users').set({ plan: name }).execute()
  order.push(`${name} ends`)
}

test('durable changes take turns, also where one of them waits for something else', async () => {
  const { database } = await temporaryAccounts()
  const order: string[] = []
  await Promise.all(['a', 'b', 'c'].map((name) => database.durably(noted(order, name))))
  // A server decides whose turn is next.
  const names = order.filter((_, k) => k % 2 === 0).map((text) => text.charAt(0))
  expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(names.toSorted()).toEqual(['a', 'b', 'c'])
})

testOfFile('a batch takes its turn among durable changes', async () => {
  const { database } = await temporaryAccounts()
  const order: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => noted(order, name))
  await Promise.all([database.durably(a), database.batch(b), database.durably(c)])
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

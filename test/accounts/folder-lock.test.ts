import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '../../src/accounts/folder-lock.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { temporaryFolder } from './temporary-accounts.ts'

/** Another process that takes the lock as `lockFolder` does, says what came of it and stays. */
const other = (folder: string) => `
const Sqlite = require(${JSON.stringify(createRequire(import.meta.url).resolve('libsql'))})
const sqlite = new Sqlite(${JSON.stringify(join(folder, 'service.lock'))})
try {
  sqlite.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY')
  sqlite.exec('BEGIN EXCLUSIVE')
  console.log('taken')
} catch (error) {
  console.log(error.code)
}`

function locked(folder: string) {
  const lock = lockFolder(folder)
  onTestFinished(() => lock?.release())
  return lock
}

test('a folder belongs to one at a time, and to the next once it is released', () => {
  const folder = temporaryFolder()
  const first = locked(folder)
  expect(first).toBeDefined()
  expect(lockFolder(folder)).toBeUndefined()
  first?.release()
  first?.release()
  expect(locked(folder)).toBeDefined()
})

test('another process does not get a folder that is taken', () => {
  const folder = temporaryFolder()
  locked(folder)
  expect(execFileSync(process.execPath, ['-e', other(folder)], { encoding: 'utf8' })).toBe('SQLITE_BUSY\n')
})

test('the lock of a process ends with it, however that is killed', async () => {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, ['-e', `${other(folder)}\nsetInterval(() => sqlite.open, 1000)`])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [text] = await once(child.stdout.setEncoding('utf8'), 'data')
  expect(text).toBe('taken\n')
  expect(lockFolder(folder)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(locked(folder)).toBeDefined()
})

test('a lock file that was left behind means nothing, and only its owner may read it', () => {
  const folder = temporaryFolder()
  locked(folder)?.release()
  expect(statSync(join(folder, 'service.lock')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'service.lock')).size).toBe(0)
  expect(locked(folder)).toBeDefined()
})

test('the accounts can be opened beside it, as commands do', () => {
  const folder = temporaryFolder()
  locked(folder)
  const database = openDatabase(folder)
  database.close()
  expect(lockFolder(folder)).toBeUndefined()
})

test('a folder that cannot be made is named in a sentence', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => lockFolder(join(file, 'data'))).toThrow(`the data folder ${join(file, 'data')} cannot be written`)
})

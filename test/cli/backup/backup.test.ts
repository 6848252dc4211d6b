import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Accounts } from '../../../src/accounts/accounts.ts'
import { lockFolder } from '../../../src/accounts/folder-lock.ts'
import { openDatabase } from '../../../src/accounts/sqlite.ts'
import { defaultPlans } from '../../../src/api/plan.ts'
import { backUp } from '../../../src/cli/backup/back-up.ts'
import { copyFolder } from '../../../src/cli/backup/copy-folder.ts'
import { restore } from '../../../src/cli/backup/restore.ts'
import { openedDatabase, temporaryFolder } from '../../accounts/temporary-accounts.ts'

const now = () => new Date('2026-11-28T03:00:00Z')

async function dataFolder(users = 3) {
  const data = temporaryFolder()
  const database = openedDatabase(data)
  const accounts = new Accounts(database, defaultPlans)
  for (let k = 0; k < users; k++) await accounts.users.create({ email: `${k}@example.com`, plan: 'free' }, 'test')
  writeFileSync(join(data, 'plans.json'), '[]')
  writeFileSync(join(data, 'renames.csv'), 'OLDCO,NEWCO,2026-03-02\n')
  writeFileSync(join(data, 'service.json'), '{}')
  mkdirSync(join(data, 'history/store/tmp_insert_1'), { recursive: true })
  writeFileSync(join(data, 'history/market'), 'synthetic\n')
  writeFileSync(join(data, 'history/store/part'), 'rows')
  return { data, database, accounts, target: join(temporaryFolder(), 'copy') }
}

const usersOf = async (data: string) => {
  const database = openDatabase(data)
  const { length } = await database.read.selectFrom('users').select('id').execute()
  const { loss } = database
  await database.close()
  return { length, loss }
}

describe('a backup', () => {
  test('holds one moment of the accounts while they are written, and every file that is not of the running service', async () => {
    const { data, target, accounts } = await dataFolder()
    const manifest = await backUp(data, target, now)
    await accounts.users.create({ email: 'later@example.com', plan: 'free' }, 'test')
    expect(manifest).toMatchObject({ users: 3, keys: 0, alerts: 0, made_at: '2026-11-28T03:00:00.000Z' })
    expect(readdirSync(target).sort()).toEqual(['accounts.db', 'backup.json', 'history', 'plans.json', 'renames.csv'])
    expect(readdirSync(join(target, 'history/store'))).toEqual(['part'])
    for (const file of ['accounts.db', 'plans.json', 'history/store/part'])
      expect(statSync(join(target, file)).mode & 0o777).toBe(0o600)
    const other = join(temporaryFolder(), 'data')
    expect((await restore(target, other, now)).replaced).toBeUndefined()
    expect(await usersOf(other)).toEqual({ length: 3, loss: undefined })
    expect(readFileSync(join(other, 'history/store/part'), 'utf8')).toBe('rows')
    expect(readFileSync(join(other, 'renames.csv'), 'utf8')).toBe('OLDCO,NEWCO,2026-03-02\n')
  })

  test('goes back into its own folder, and what that held is moved aside', async () => {
    const { data, target, database, accounts } = await dataFolder()
    await backUp(data, target, now)
    await accounts.users.create({ email: 'later@example.com', plan: 'free' }, 'test')
    await database.close()
    const { replaced } = await restore(target, data, now)
    expect(await usersOf(data)).toEqual({ length: 3, loss: undefined })
    expect((await usersOf(replaced!)).length).toBe(4)
    await restore(target, data, () => new Date('2026-11-29T03:00:00Z'))
    expect((await usersOf(data)).length).toBe(3)
  })

  test('is refused into the data folder, over something, and of a folder without accounts', async () => {
    const { data, target } = await dataFolder()
    await expect(backUp(data, join(data, 'copy'), now)).rejects.toThrow('cannot lie in the data folder')
    mkdirSync(target)
    writeFileSync(join(target, 'mine'), '')
    await expect(backUp(data, target, now)).rejects.toThrow('exists already')
    const empty = temporaryFolder()
    await expect(backUp(empty, join(target, 'x'), now)).rejects.toThrow('holds no accounts')
    expect(readdirSync(target)).toEqual(['mine'])
  })
})

describe('a restore', () => {
  test.each([
    [
      'a file that was changed',
      (at: string) => writeFileSync(join(at, 'history/store/part'), 'rowz'),
      'is not what was saved'
    ],
    ['a file that is gone', (at: string) => rmSync(join(at, 'plans.json')), 'plans.json is missing'],
    ['no manifest', (at: string) => rmSync(join(at, 'backup.json')), 'is no backup'],
    ['half a manifest', (at: string) => writeFileSync(join(at, 'backup.json'), '{"files": ['), 'not whole'],
    [
      'a file outside',
      (at: string) => writeFileSync(join(at, 'backup.json'), '{"files": [{"path": "../x", "bytes": 0, "sha256": ""}]}'),
      'not whole'
    ]
  ])('of a backup with %s changes nothing', async (_what, spoil, message) => {
    const { data, target, database } = await dataFolder()
    await backUp(data, target, now)
    database.close()
    spoil(target)
    const before = readdirSync(data).sort()
    await expect(restore(target, data, now)).rejects.toThrow(message)
    expect(readdirSync(data).sort()).toEqual(before)
  })

  test('is refused while a service uses the folder', async () => {
    const { data, target } = await dataFolder()
    await backUp(data, target, now)
    const lock = lockFolder(data)!
    await expect(restore(target, data, now)).rejects.toThrow('stop it before you restore')
    lock.release()
  })
})

test('a copy takes what comes while it is made, leaves out what goes, and follows no links', async () => {
  const [from, to] = [temporaryFolder(), join(temporaryFolder(), 'copy')]
  for (const part of ['all_1_1_0', 'all_2_2_0']) {
    mkdirSync(join(from, part))
    writeFileSync(join(from, part, 'data.bin'), part)
  }
  symlinkSync('/etc/hostname', join(from, 'link'))
  let merged = false
  const files = await copyFolder({
    from,
    to,
    wanted: (path) => {
      if (path.startsWith('all_2_2_0') && !merged) {
        merged = true
        mkdirSync(join(from, 'all_1_2_1'))
        writeFileSync(join(from, 'all_1_2_1/data.bin'), 'both')
        rmSync(join(from, 'all_2_2_0'), { recursive: true })
      }
      return true
    }
  })
  expect(files.map(({ path }) => path).sort()).toEqual(['all_1_1_0/data.bin', 'all_1_2_1/data.bin'])
  expect(readdirSync(to).sort()).toEqual(['all_1_1_0', 'all_1_2_1'])
})

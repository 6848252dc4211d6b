import { chmodSync, copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { findRoom, lackOfRoom, requireRoom } from '../../src/accounts/data-folder.ts'
import { ensureDemoKeys } from '../../src/accounts/demo-keys.ts'
import { lockFolder } from '../../src/accounts/folder-lock.ts'
import { StoredQuota } from '../../src/accounts/quota.ts'
import { openDatabase } from '../../src/accounts/sqlite.ts'
import { StorageError, storageReason } from '../../src/accounts/storage-error.ts'
import { StorageWatch } from '../../src/accounts/storage-watch.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { temporaryAccounts, temporaryFolder } from './temporary-accounts.ts'

test.each([
  ['SQLITE_FULL', 'the disk is full'],
  ['ENOSPC', 'the disk is full'],
  ['SQLITE_IOERR_SHMSIZE', 'the disk is full'],
  ['SQLITE_READONLY_DBMOVED', 'the disk is read-only'],
  ['EROFS', 'the disk is read-only'],
  ['SQLITE_IOERR_WRITE', 'the disk does not work (an input or output error)'],
  ['SQLITE_BUSY', undefined],
  ['SQLITE_CONSTRAINT_UNIQUE', undefined],
  ['ENOENT', undefined]
])('%s says of the disk: %s', (code, reason) => {
  expect(storageReason(Object.assign(new Error('x'), { code }))).toBe(reason)
})

test('a look at a sound folder finds room and leaves nothing behind', async () => {
  const folder = temporaryFolder()
  requireRoom(folder)
  expect(await findRoom(folder)).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

test('a folder that has gone is no room either', async () => {
  expect(await findRoom(`${temporaryFolder()}/gone`)).toContain('ENOENT')
})

test('the watch tells a change once, in both directions, and those who ask meanwhile share a look', async () => {
  const reported: (string | undefined)[] = []
  let tries = 0
  let found: string | undefined
  const tryWrite = async () => {
    tries++
    return found
  }
  const watch = new StorageWatch({ folder: 'x', onChange: (failure) => reported.push(failure), tryWrite })
  await watch.check()
  found = 'the disk is full'
  await Promise.all([watch.check(), watch.check()])
  await watch.check()
  expect(watch.failure).toBe('the disk is full')
  found = undefined
  await watch.check()
  expect([reported, tries, watch.failure]).toEqual([['the disk is full', undefined], 4, undefined])
  await watch.stop()
})

if (!canMount) console.log('skipped: this user may not mount a file system, so no disk is filled')
if (process.getuid?.() === 0) console.log('skipped: root may write into every folder, so none refuses to be written')
describe.runIf(canMount)('on a disk that is full', () => {
  function onSmallDisk() {
    const disk = smallDisk(2)!
    onTestFinished(() => disk.remove())
    const database = openDatabase(disk.folder)
    onTestFinished(() => database.close())
    return { disk, database, accounts: new Accounts(database, defaultPlans) }
  }
  /** Changes until the side file of the data base has no room left. */
  const createMany = async (accounts: Accounts) => {
    for (let k = 0; k < 2000; k++) await accounts.users.create({ email: `${k}@example.com`, plan: 'free' }, 'test')
  }

  test('a change is refused with the reason, whole, and works once there is room', async () => {
    const { disk, accounts } = onSmallDisk()
    disk.fill()
    await expect(createMany(accounts)).rejects.toThrow(StorageError)
    const before = (await accounts.users.list()).length
    await expect(accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')).rejects.toThrow('the disk is full')
    expect([(await accounts.users.list()).length, await accounts.users.find('a@b.c')]).toEqual([before, undefined])
    disk.free()
    expect((await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')).email).toBe('a@b.c')
  })

  test('counts are kept, told once, and written when there is room', async () => {
    const { disk, database, accounts } = onSmallDisk()
    const plan = defaultPlans.byId('basic')
    const errors: unknown[] = []
    let recovered = 0
    const quota = new StoredQuota(database, {
      now: () => Date.parse('2026-07-29T14:30:00Z'),
      onError: (error) => errors.push(error),
      onRecovered: () => recovered++
    })
    disk.fill()
    await expect(createMany(accounts)).rejects.toThrow(StorageError)
    for (let k = 0; k < 3; k++) {
      expect(quota.take({ userId: 'ann', plan }).allowed).toBe(true)
      expect(await quota.flush()).toBe(false)
    }
    expect([errors.length, quota.failure instanceof StorageError, quota.waiting]).toEqual([1, true, 1])
    expect(await quota.byDay({ userId: 'ann', plan })).toEqual([{ date: '2026-07-29', requests: 3, ofPanels: 0 }])
    disk.free()
    expect(await quota.flush()).toBe(true)
    expect([recovered, quota.failure, quota.waiting]).toEqual([1, undefined, 0])
    await quota.close()
  })

  test('a folder can be closed, and opened again with what was committed', async () => {
    const { disk, database, accounts } = onSmallDisk()
    await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
    disk.fill()
    await database.close()
    disk.free()
    const again = openDatabase(disk.folder)
    onTestFinished(() => again.close())
    expect(await new Accounts(again, defaultPlans).users.find('a@b.c')).toBeDefined()
  })

  test.each([
    'full',
    'read-only'
  ] as const)('accounts of a %s disk are read, and written once there is room', async (state) => {
    const { folder, database, accounts } = await temporaryAccounts()
    const user = await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
    const { key } = await accounts.keys.create(user, '', 'test')
    await database.close()
    const disk = smallDisk(2)!
    onTestFinished(() => disk.remove())
    copyFileSync(join(folder, 'accounts.db'), join(disk.folder, 'accounts.db'))
    if (state === 'full') disk.fill()
    else disk.readOnly()
    const lock = lockFolder(disk.folder)
    expect([lock !== undefined, lackOfRoom(disk.folder)]).toEqual([true, `the disk is ${state}`])
    const again = openDatabase(disk.folder)
    const read = new Accounts(again, defaultPlans)
    expect([read.find(key)?.email, again.loss, await ensureDemoKeys(read, disk.folder)]).toEqual([
      'a@b.c',
      undefined,
      undefined
    ])
    await expect(read.keys.create(user, '', 'test')).rejects.toThrow(StorageError)
    await expect(again.inBackground("INSERT INTO usage VALUES ('u', '2026-01-01', 1, 0)")).rejects.toThrow(StorageError)
    if (state === 'full') {
      disk.free()
      again.recover()
      expect(read.find((await read.keys.create(user, '', 'test')).key)?.email).toBe('a@b.c')
      await again.inBackground("INSERT INTO usage VALUES ('u', '2026-01-01', 1, 0)")
    }
    lock?.release()
    await again.close()
  })

  test('a new folder is refused in one sentence', async () => {
    const disk = smallDisk(1)!
    onTestFinished(() => disk.remove())
    disk.fill()
    expect(() => lackOfRoom(disk.folder)).toThrow('the disk is full')
    expect(() => requireRoom(disk.folder)).toThrow(`the data folder ${disk.folder} cannot be written: the disk is full`)
    expect(await findRoom(disk.folder)).toBe('the disk is full')
    expect(() => openDatabase(disk.folder)).toThrow('the disk is full')
    expect(existsSync(`${disk.folder}/storage-check`)).toBe(false)
  })

  test('a read-only disk says that it is one', async () => {
    const disk = smallDisk(1)!
    onTestFinished(() => disk.remove())
    disk.readOnly()
    expect(await findRoom(disk.folder)).toBe('the disk is read-only')
    expect(() => openDatabase(disk.folder)).toThrow('cannot be written (EROFS)')
  })
})

test.runIf(process.getuid?.() !== 0)('a folder whose owner may not write says so', async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o500)
  expect(await findRoom(folder)).toBe('its files cannot be opened for writing')
})

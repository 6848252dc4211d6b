import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { auditTrail } from '../../src/accounts/audit.ts'
import { ensureDemoKeys, removeDemoUsers } from '../../src/accounts/demo-keys.ts'
import { defaultPlans, planIds } from '../../src/api/plan.ts'
import { openedDatabase, temporaryAccounts, temporaryFolder } from './temporary-accounts.ts'

test('the first start makes a working key for each plan and keeps them in a file for the owner only', async () => {
  const { accounts, folder } = await temporaryAccounts()
  const keys = (await ensureDemoKeys(accounts, folder))?.keys
  for (const id of planIds) {
    expect(accounts.find(keys?.[id] ?? '')).toMatchObject({ email: `demo-${id}@gammawall.local`, plan: { id } })
  }
  const file = join(folder, 'demo-keys.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(keys)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a later start gives the same keys, and says that they are not new', async () => {
  const { accounts, folder, open } = await temporaryAccounts()
  const made = await ensureDemoKeys(accounts, folder)
  expect(made?.areNew).toBe(true)
  const later = await ensureDemoKeys(new Accounts(await open(), defaultPlans), folder)
  expect(later).toEqual({ keys: made?.keys, areNew: false })
  expect(await accounts.users.list()).toHaveLength(5)
})

test('none are made once somebody holds a real key', async () => {
  const { accounts, folder } = await temporaryAccounts()
  await accounts.keys.create(await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test'), '', 'test')
  expect(await ensureDemoKeys(accounts, folder)).toBeUndefined()
  expect(existsSync(join(folder, 'demo-keys.json'))).toBe(false)
})

test('a revoked demo key is not handed out again', async () => {
  const { accounts, clock, folder } = await temporaryAccounts()
  const keys = (await ensureDemoKeys(accounts, folder))?.keys
  await accounts.keys.revoke(keys?.enterprise?.slice(-4) ?? '', 'test')
  clock.at += 1000
  const { enterprise: _, ...others } = keys ?? {}
  expect((await ensureDemoKeys(accounts, folder))?.keys).toEqual(others)
})

test('a lost file is not made again, since the keys cannot be known any more', async () => {
  const { accounts, folder } = await temporaryAccounts()
  await ensureDemoKeys(accounts, folder)
  rmSync(join(folder, 'demo-keys.json'))
  expect(await ensureDemoKeys(accounts, folder)).toBeUndefined()
})

test('the keys of a file that outlived its data base are made to work again', async () => {
  const { accounts, folder } = await temporaryAccounts()
  const keys = (await ensureDemoKeys(accounts, folder))?.keys
  const other = temporaryFolder()
  writeFileSync(join(other, 'demo-keys.json'), JSON.stringify({ ...keys, free: 'not a key', gold: keys?.free }))
  const fresh = new Accounts(openedDatabase(other), defaultPlans)
  const again = (await ensureDemoKeys(fresh, other))?.keys
  expect(again?.alpha).toBe(keys?.alpha)
  expect(again?.free).not.toBe(keys?.free)
  expect(fresh.find(again?.free ?? '')?.plan.id).toBe('free')
})

describe('the demo users', () => {
  test('are taken away with their keys and the file of these, and later starts do not create them again', async () => {
    const { accounts, clock, database, folder } = await temporaryAccounts()
    const keys = (await ensureDemoKeys(accounts, folder))?.keys
    const ann = await accounts.users.create({ email: 'ann@example.com', plan: 'free' }, 'test')
    expect((await removeDemoUsers(accounts, folder, 'test')).map(({ plan }) => plan)).toEqual(planIds)
    clock.at += 500
    expect(Object.values(keys ?? {}).filter((key) => accounts.find(key) !== undefined)).toEqual([])
    expect([await accounts.users.list(), existsSync(join(folder, 'demo-keys.json'))]).toEqual([[ann], false])
    expect(await ensureDemoKeys(accounts, folder)).toBeUndefined()
    expect((await auditTrail(database, 100)).map(({ action }) => action)).toContain('demo.remove')
  })

  test('stay away where nobody else is left', async () => {
    const { accounts, folder } = await temporaryAccounts()
    await ensureDemoKeys(accounts, folder)
    await removeDemoUsers(accounts, folder, 'test')
    expect(await ensureDemoKeys(accounts, folder)).toBeUndefined()
    expect(await accounts.users.list()).toEqual([])
  })

  test('are never made where they were taken away before the first start', async () => {
    const { accounts, folder } = await temporaryAccounts()
    expect(await removeDemoUsers(accounts, folder, 'test')).toEqual([])
    expect(await ensureDemoKeys(accounts, folder)).toBeUndefined()
  })
})
